import { describe, expect, it } from 'vitest';
import { nodesWith } from '../../../test/support/randomOutages.ts';
import { micros } from '../../base/units.ts';
import { simulate } from '../simulate.ts';
import { TraceReader } from '../trace/reader.ts';
import type { NodeAction } from '../workloadsInput.ts';

/** `<Pod's place> <phase> <ready>` or `<Pod's place> gone`, for each write of the node's agent after t = 0. */
function written(actions: readonly NodeAction[]): readonly string[] {
  const reader = new TraceReader(simulate(nodesWith({ nodes: 1, replicas: 1, actions })));
  const places: string[] = [];
  return reader.events().flatMap((event) => {
    if (event.kind !== 'stored' || event.payload.resource !== 'pods' || event.at < 0) return [];
    const pod = event.subject.pod;
    if (!places.includes(pod)) places.push(pod);
    const { object } = event.payload;
    if (object < 0) return [`${places.indexOf(pod)} gone`];
    const { status } = JSON.parse(reader.versionText(object)) as {
      status: { phase: string; conditions: readonly { type: string; status: string }[] };
    };
    const [write] = reader.causesOf(event.ref).map((cause) => reader.event(cause));
    const isAgents = write?.kind === 'apiWrite' && write.payload.actor.startsWith('kubelet/');
    const ready = status.conditions.find(({ type }) => type === 'Ready')?.status ?? '-';
    return isAgents ? [`${places.indexOf(pod)} ${status.phase} ${ready}`] : [];
  });
}
const at = (second: number) => micros(second * 1_000_000);
const cut = (from: number, to: number, powerOff: boolean): readonly NodeAction[] => [
  { at: at(from), do: 'stopNode', node: 'node-0', powerOff },
  { at: at(to), do: 'startNode', node: 'node-0' },
];

describe('a node that was away for a while', () => {
  it('has nothing to write when nothing has happened to it', () => {
    expect(written(cut(2, 10, false))).toEqual([]);
  });

  it('starts its Pods anew when its power was off', () => {
    expect(written(cut(2, 10, true))).toEqual(['0 Running False', '0 Running True']);
  });

  it('says that its Pod is ready when others have marked it', () => {
    expect(written(cut(2, 100, false))).toEqual(['0 Running True']);
  });

  it('ends and removes a Pod that has ended while nobody heard of it', () => {
    const drain = { at: at(1), do: 'drain', node: 'node-0' } as const;
    // The deletion with grace 0 is stored before the Pod is removed.
    expect(written([drain, ...cut(1.5, 10, false)])).toEqual(['0 Succeeded False', '0 Succeeded False', '0 gone']);
  });
});
