import { describe, expect, it } from 'vitest';
import { nodeOrderPins } from './nodeOrder.ts';
import { type WorkloadsRecording, workloadsRecording } from './recording.ts';

type Drawn = readonly [t: number, verb: 'create' | 'delete', node: string];

/** A recording in which requests take 3 ms and answers 1 ms, whatever they name. */
function recording(drawn: readonly Drawn[]): WorkloadsRecording {
  const world = {
    durationMs: 1000,
    warmupMs: 0,
    seed: 1,
    behaviours: {},
    controller: {},
    kubelet: {
      finalDeleteUs: 0,
      leaseRenewUs: 0,
      leaseJitterUs: 0,
      statusReportUs: 0,
      backLeaseUs: 0,
      backNodeStatusUs: 0,
      backPodsUs: 0,
    },
    latencyUs: { 'request/daemonset': 3000, 'response/daemonset': 1000, 'request/nameSpread': 1 },
    actions: [],
  };
  return workloadsRecording.parse({
    schema: 1,
    kubernetes: 'v1.37.2',
    name: 'made-up',
    components: ['daemonset'],
    scenario: {
      manifests: [],
      world,
      draws: { daemonSetNodeOrder: drawn.map(([t, verb, node]) => ({ t, verb, node })) },
    },
    initial: {},
    final: {},
    counts: {},
    events: drawn.map(([t, verb, node]) => {
      const about = { t, lane: 'api', type: 'pods', actor: 'daemonset', verb, name: `agent-${node}` };
      return verb === 'create' ? { ...about, object: { target: node } } : { ...about, node };
    }),
  });
}

describe('the drawn order of nodes', () => {
  it.each<[string, readonly Drawn[], readonly [at: number, nodes: string][]]>([
    ['stands at the instant of the decision', [[5000, 'delete', 'b']], [[2000, 'b']]],
    [
      'has together what was asked for at once',
      [
        [5000, 'delete', 'b'],
        [5000, 'delete', 'a'],
      ],
      [[2000, 'b, a']],
    ],
    [
      'has together the batches of one decision',
      [
        [5000, 'create', 'c'],
        [9000, 'create', 'a'],
        [9000, 'create', 'b'],
      ],
      [[2000, 'c, a, b']],
    ],
    [
      'is another for what was asked for later',
      [
        [5000, 'create', 'c'],
        [9001, 'create', 'a'],
      ],
      [
        [2000, 'c'],
        [6001, 'a'],
      ],
    ],
  ])('%s', (_name, drawn, orders) => {
    const pins = nodeOrderPins(recording(drawn))['daemonset/nodes/default/agent'];
    expect(pins).toEqual(orders.map(([at, value]) => ({ at, value })));
  });
});
