import { describe, expect, it } from 'vitest';
import { nodesWith } from '../../../../test/support/randomOutages.ts';
import { micros, microsSpan, seconds } from '../../../base/units.ts';
import { simulate } from '../../simulate.ts';
import { TraceReader } from '../../trace/reader.ts';

type Scenario = Parameters<typeof simulate>[0];
const readerOf = (scenario: Scenario): TraceReader => new TraceReader(simulate(scenario));
const linesOf = (scenario: Scenario): readonly string[] =>
  readerOf(scenario)
    .events()
    .flatMap((event) => (event.kind === 'controllerLog' ? [`${event.payload.message} ${event.subject.object}`] : []));

const stop = (node: string, second: number) =>
  ({ at: micros(second * 1_000_000), do: 'stopNode', node, powerOff: false }) as const;
const start = (node: string, second: number) => ({ at: micros(second * 1_000_000), do: 'startNode', node }) as const;

describe('node lifecycle controller', () => {
  it('gives nobody up while its cache of Leases is behind (N-032)', () => {
    const lines = linesOf(nodesWith({ hops: { 'watch/nodelifecycle/leases': seconds(75) } }));
    expect(lines.filter((line) => line.startsWith('notUpdated'))).toEqual([]);
  });

  it('gives up the one that is silent, and marks its Pods', () => {
    const lines = linesOf(nodesWith({ actions: [stop('node-1', 0)] }));
    expect(lines.filter((line) => /notUpdated|markPods/.test(line))).toEqual([
      'notUpdated node-1',
      'markPodsNotReady node-1',
    ]);
  });

  it('does not taint a node that is back before its turn (N-035)', () => {
    const actions = [stop('node-0', 0), stop('node-1', 0), start('node-1', 52), start('node-0', 52)];
    const lines = linesOf(nodesWith({ nodes: 5, actions, hops: { 'pass/nodelifecycle': microsSpan(400) } }));
    expect(lines.filter((line) => line.startsWith('taintQueue')).length).toBeGreaterThan(1);
    expect(lines.filter((line) => line.startsWith('evictionFires'))).toEqual([]);
  });
});
