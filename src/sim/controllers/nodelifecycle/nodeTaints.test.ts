import { describe, expect, it } from 'vitest';
import { nodeObject } from '../../../../test/support/cluster.ts';
import type { NodeObject } from '../../api/objects.ts';
import { noScheduleChanges } from './nodeTaints.ts';

const taint = (key: string, effect: 'NoSchedule' | 'NoExecute' = 'NoSchedule'): NodeObject['taints'][number] => ({
  key: `node.kubernetes.io/${key}`,
  value: '',
  effect,
  timeAdded: null,
});
const keys = (kinds: readonly { readonly key: string }[]): string => kinds.map(({ key }) => key.slice(19)).join();

describe('NoSchedule taints of a node (N-035)', () => {
  it.each<[string, Partial<NodeObject>, add: string, remove: string]>([
    ['a ready one needs none', { ready: 'True' }, '', ''],
    ['one that says not ready', { ready: 'False' }, 'not-ready', ''],
    ['one that says nothing', { ready: 'Unknown' }, 'unreachable', ''],
    ['one that nobody has heard of yet needs none', { ready: null }, '', ''],
    ['a cordoned one', { ready: 'True', unschedulable: true }, 'unschedulable', ''],
    ['one that has its taint', { ready: 'Unknown', taints: [taint('unreachable')] }, '', ''],
    ['one that is back', { ready: 'True', taints: [taint('unreachable')] }, '', 'unreachable'],
    [
      'one that says not ready instead of nothing',
      { ready: 'False', taints: [taint('unreachable')] },
      'not-ready',
      'unreachable',
    ],
    ['NoExecute is another matter', { ready: 'True', taints: [taint('unreachable', 'NoExecute')] }, '', ''],
    ['and so are taints of others', { ready: 'True', taints: [taint('memory-pressure')] }, '', ''],
  ])('%s', (_, over, add, remove) => {
    const changes = noScheduleChanges({ ...nodeObject('n'), ...over });
    expect([keys(changes.add), keys(changes.remove)]).toEqual([add, remove]);
  });
});
