/** Random outages of nodes in up to three zones: connections that are cut, power that fails, kubelets that say not ready. */
import * as fc from 'fast-check';
import { type MicrosSpan, micros, microsSpan } from '../../src/base/units.ts';
import { deploymentOf } from '../../src/io/recording/workloads/toObjects.ts';
import { LABEL, type Labels, type NodeObject } from '../../src/sim/api/objects.ts';
import type { ScriptedWrite, StoredInput } from '../../src/sim/clusterInput.ts';
import type { Scenario } from '../../src/sim/scenario.ts';
import {
  type AgentBehaviour,
  type AgentsInput,
  KUBELET_REPORTS,
  NODE_LIFECYCLE,
  NOTHING_GIVEN,
  type NodeAction,
  WORKLOAD_CONTROLLERS,
} from '../../src/sim/workloadsInput.ts';
import { clusterInput, clusterScenario, nodeObject } from './cluster.ts';

const DURATION = 260;
const CREATED_AT = -30_000_000;
/** Outages begin before and last long enough for all that may follow. */
const BEGUN_UNTIL = 60_000_000;
const LONGEST = 150_000_000;

const int = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });

interface Outage {
  /** Null: all nodes, half a second apart. */
  readonly node: number | null;
  readonly at: number;
  readonly lasts: number;
  readonly kind: 'cut' | 'power' | 'notReady';
}
const outage: fc.Arbitrary<Outage> = fc.record({
  node: fc.oneof({ weight: 5, arbitrary: int(0, 5) }, { weight: 1, arbitrary: fc.constant(null) }),
  at: int(0, BEGUN_UNTIL),
  lasts: fc.oneof(int(1_000_000, 70_000_000), int(60_000_000, LONGEST)),
  kind: fc.constantFrom('cut', 'cut', 'power', 'notReady'),
});

const HOPS = WORKLOAD_CONTROLLERS.flatMap((component) => [
  `request/${component}`,
  `response/${component}`,
  ...['nodes', 'pods', 'leases', 'deployments', 'replicasets'].map((resource) => `watch/${component}/${resource}`),
]).concat(['request/kubelet', 'response/kubelet', 'watch/kubelet/pods', 'request/scheduler', 'watch/scheduler/pods']);
const hops = fc.tuple(...HOPS.map(() => fc.oneof(int(500, 5_000), int(500, 40_000)))).map((lengths) => ({
  ...Object.fromEntries(HOPS.map((hop, i) => [hop, microsSpan(lengths[i] as number)] as const)),
  'watch/removal': microsSpan(230),
  'request/nameSpread': microsSpan(997),
  'pass/nodelifecycle': microsSpan(400),
}));

const APP: AgentBehaviour = {
  start: microsSpan(500_000),
  ready: microsSpan(1_000_000),
  spread: 1_000_000,
  flaps: [],
  fail: null,
  drain: microsSpan(1_500_000),
};
const AGENTS: Omit<AgentsInput, 'nodes'> = {
  behaviours: { app: APP },
  clockSkew: {},
  finalDelete: microsSpan(41_300),
  leaseRenew: microsSpan(10_000_000),
  leaseJitter: microsSpan(400_000),
  statusReport: microsSpan(300_000_000),
  back: { lease: microsSpan(431_000), nodeStatus: microsSpan(1_917_000), pods: microsSpan(4_273_000) },
};

export const randomOutages: fc.Arbitrary<Scenario> = fc
  .record({
    seed: int(0, 1_000_000),
    nodes: int(2, 6),
    zones: int(1, 3),
    replicas: int(1, 8),
    tolerationSeconds: int(0, 60),
    outages: fc.array(outage, { minLength: 1, maxLength: 7 }),
    hops,
  })
  .map(({ outages, ...given }) =>
    nodesScenario({ ...given, actions: outages.flatMap((one) => actionsOf(one, namesOf(given.nodes))) }),
  );

interface Given {
  readonly seed: number;
  readonly nodes: number;
  readonly zones: number;
  readonly replicas: number;
  readonly tolerationSeconds: number;
  readonly actions: readonly NodeAction[];
  readonly hops: Readonly<Record<string, MicrosSpan>>;
}

/** Nodes node-0, node-1 …, zone by zone in turn, and a Deployment `web` on them; `over`: what is special about them. */
export const nodesWith = (over: Partial<Given>): Scenario =>
  nodesScenario({ seed: 1, nodes: 3, zones: 1, replicas: 3, tolerationSeconds: 20, actions: [], hops: {}, ...over });

const namesOf = (nodes: number): readonly string[] => Array.from({ length: nodes }, (_, place) => `node-${place}`);

function nodesScenario(given: Given): Scenario {
  const { seed, nodes, zones, replicas, tolerationSeconds, actions, hops: lengths } = given;
  const names = namesOf(nodes);
  const web = deploymentOf(
    {
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default', labels: {}, annotations: {} },
      spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: template(tolerationSeconds) },
    },
    () => undefined,
  );
  const stored: readonly StoredInput[] = [
    ...names.map((name, place) => ({
      resource: 'nodes' as const,
      object: silent(nodeObject(name, { [LABEL.zone]: `zone-${place % zones}` })),
    })),
    { resource: 'deployments', object: web },
  ];
  const writes = stored.map((one, place): ScriptedWrite => {
    return { at: micros(CREATED_AT + place * 50_000), do: 'create', stored: one };
  });
  const cluster = clusterInput({
    start: micros(CREATED_AT - 2_000_000),
    writes,
    workloads: {
      running: ['deployment', 'replicaset', 'nodelifecycle', 'tainteviction', 'podgc'],
      hops: lengths,
      agents: { ...AGENTS, nodes: names },
      reports: KUBELET_REPORTS,
      nodeLifecycle: NODE_LIFECYCLE,
      given: NOTHING_GIVEN,
      special: {},
      actions,
    },
  });
  return clusterScenario(cluster, DURATION, { seed });
}

/** A Node of which nobody has reported yet. */
const silent = (node: NodeObject): NodeObject => ({ ...node, ready: null, readyReason: '' });

function template(tolerationSeconds: number): object {
  const tolerations = ['unreachable', 'not-ready'].map((reason) => ({
    key: `node.kubernetes.io/${reason}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  }));
  const labels: Labels = { app: 'web' };
  return { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app' }], tolerations } };
}

function actionsOf({ node, at, ...rest }: Outage, names: readonly string[]): readonly NodeAction[] {
  if (node === null) return names.flatMap((name, place) => actionsOn(name, { ...rest, at: at + place * 500_000 }));
  return actionsOn(names[node % names.length] as string, { ...rest, at });
}

function actionsOn(node: string, { at, lasts, kind }: Omit<Outage, 'node'>): readonly NodeAction[] {
  const [from, to] = [micros(at), micros(at + lasts)];
  if (kind === 'notReady')
    return [
      { at: from, do: 'nodeReady', node, ready: false },
      { at: to, do: 'nodeReady', node, ready: true },
    ];
  return [
    { at: from, do: 'stopNode', node, powerOff: kind === 'power' },
    { at: to, do: 'startNode', node },
  ];
}
