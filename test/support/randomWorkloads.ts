/** Random StatefulSets, DaemonSets and budgets on three nodes with agents, and what is done to them. */
import * as fc from 'fast-check';
import { type MicrosSpan, micros, microsSpan } from '../../src/base/units.ts';
import type { RecordedManifest } from '../../src/io/recording/workloads/recording.ts';
import {
  budgetOf,
  daemonSetOf,
  daemonSetSpec,
  statefulSetOf,
  statefulSetSpec,
} from '../../src/io/recording/workloads/toObjects.ts';
import type { ScriptedWrite, StoredInput } from '../../src/sim/clusterInput.ts';
import type { Scenario } from '../../src/sim/scenario.ts';
import {
  type AgentBehaviour,
  type AgentsInput,
  KUBELET_REPORTS,
  NODE_LIFECYCLE,
  NOTHING_GIVEN,
  type WorkloadAction,
} from '../../src/sim/workloadsInput.ts';
import { clusterInput, clusterScenario, nodeObject } from './cluster.ts';

const NODES = ['node-a', 'node-b', 'node-c'];
/** Images that become ready; one more never does. */
const HEALTHY = ['slow', 'other', 'quick'];
const DURATION = 90;
/** The sets are there before; then things are done, and then there is time to settle. */
const CREATED_AT = -40_000_000;
const DONE_UNTIL = 40_000_000;

type Loose = Readonly<Record<string, unknown>>;

const int = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
/** Scattered, or close to others: races are found within some milliseconds. */
const instant = fc.oneof(
  int(0, DONE_UNTIL),
  fc.tuple(int(0, 5), int(0, 12_000)).map(([burst, offset]) => burst * 6_000_000 + offset),
);
const image = fc.constantFrom(...HEALTHY, ...HEALTHY, ...HEALTHY, 'stuck');

const manifest = (kind: string, name: string, spec: Loose): RecordedManifest => ({
  kind,
  metadata: { name, namespace: 'default', labels: {}, annotations: {} },
  spec,
});
const template = (app: string, of: string): Loose => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'app', image: of }], tolerations: [], terminationGracePeriodSeconds: 30 },
});
const unnamed = (): undefined => undefined;

const statefulSet = fc
  .record({
    replicas: int(2, 6),
    podManagementPolicy: fc.constantFrom('OrderedReady', 'Parallel'),
    rollingUpdate: fc.record({
      partition: fc.constantFrom(0, 0, 0, 0, 2),
      maxUnavailable: fc.constantFrom(1, 1, 2, 3, '50%'),
    }),
    minReadySeconds: fc.constantFrom(0, 0, 3),
  })
  .map(({ rollingUpdate, ...given }): Loose => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate };
    return { ...given, selector: { matchLabels: { app: 'db' } }, updateStrategy, template: template('db', 'quick') };
  });

const daemonSet = fc
  .record({
    rollingUpdate: fc.constantFrom<Loose>(
      { maxSurge: 0, maxUnavailable: 1 },
      { maxSurge: 0, maxUnavailable: 2 },
      { maxSurge: 1, maxUnavailable: 0 },
      { maxSurge: '50%', maxUnavailable: 0 },
    ),
    minReadySeconds: fc.constantFrom(0, 0, 3),
  })
  .map(({ rollingUpdate, minReadySeconds }): Loose => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate };
    const selector = { matchLabels: { app: 'agent' } };
    return { minReadySeconds, selector, updateStrategy, template: template('agent', 'quick') };
  });

const budget = fc
  .constantFrom<Loose>(
    { minAvailable: 1 },
    { minAvailable: 3 },
    { minAvailable: '50%' },
    { maxUnavailable: 1 },
    { maxUnavailable: '40%' },
  )
  .map((given): Loose => ({ ...given, selector: { matchLabels: { app: 'db' } } }));

const behaviour = (ready: fc.Arbitrary<number | null>): fc.Arbitrary<AgentBehaviour> =>
  fc
    .record({ start: int(0, 1_500_000), ready, drain: int(10_000, 6_000_000), spread: int(0, 2_000_000) })
    .map((given) => ({
      start: microsSpan(given.start),
      ready: given.ready === null ? null : microsSpan(given.ready),
      spread: given.spread,
      flaps: [],
      fail: null,
      drain: microsSpan(given.drain),
    }));

/** What is done: everything in one run, or only evictions in another. */
type Deed =
  | { readonly at: number; readonly do: 'image'; readonly of: 'db' | 'agent'; readonly image: string }
  | { readonly at: number; readonly do: 'scale'; readonly replicas: number }
  | { readonly at: number; readonly do: 'delete' | 'evict'; readonly ordinal: number }
  | { readonly at: number; readonly do: 'ready'; readonly ordinal: number; readonly ready: boolean };

const newImage = fc.record({
  at: instant,
  do: fc.constant('image' as const),
  of: fc.constantFrom('db' as const, 'agent' as const),
  image,
});
const newSize = fc.record({ at: instant, do: fc.constant('scale' as const), replicas: int(0, 5) });
const updates: fc.Arbitrary<Deed> = fc.oneof(newImage, newImage, newImage, newSize);
const disturbances: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ at: instant, do: fc.constantFrom('delete' as const, 'evict' as const), ordinal: int(0, 4) }),
  fc.record({ at: instant, do: fc.constant('ready' as const), ordinal: int(0, 4), ready: fc.boolean() }),
);
const evictions = fc.record({ at: instant, do: fc.constant('evict' as const), ordinal: int(0, 4) });
const deeds = fc.oneof(
  fc.array(updates, { minLength: 1, maxLength: 4 }),
  fc.array(updates, { minLength: 1, maxLength: 4 }),
  fc.array(fc.oneof(updates, disturbances), { maxLength: 8 }),
  fc.array(evictions, { minLength: 1, maxLength: 8 }),
);

/** Lengths of hops: as long as in a quiet cluster, and up to some tens of milliseconds. */
const HOPS = ['statefulset', 'daemonset', 'disruption'].flatMap((component) => [
  `request/${component}`,
  `response/${component}`,
  ...['pods', 'nodes', 'statefulsets', 'daemonsets', 'controllerrevisions', 'poddisruptionbudgets'].map(
    (resource) => `watch/${component}/${resource}`,
  ),
]);
const OTHER_HOPS = ['kubelet', 'scheduler'].flatMap((component) => [
  `request/${component}`,
  `response/${component}`,
  `watch/${component}/pods`,
]);
const hops = fc
  .tuple(...[...HOPS, ...OTHER_HOPS].map(() => fc.oneof(int(500, 5_000), int(500, 5_000), int(500, 40_000))))
  .map((lengths) => {
    const named = [...HOPS, ...OTHER_HOPS].map((hop, i) => [hop, microsSpan(lengths[i] as number)] as const);
    return { ...Object.fromEntries(named), 'watch/removal': microsSpan(230), 'request/nameSpread': microsSpan(997) };
  });

export const randomWorkloads: fc.Arbitrary<Scenario> = fc
  .record({
    seed: int(0, 1_000_000),
    statefulSet,
    daemonSet,
    budget,
    deeds,
    hops,
    quick: behaviour(int(0, 1_500_000)),
    slow: behaviour(int(1_000_000, 5_000_000)),
    other: behaviour(int(0, 3_000_000)),
    stuck: behaviour(fc.constant(null)),
  })
  .map(({ seed, deeds: done, hops: lengths, quick, slow, other, stuck, ...specs }) =>
    workloadsScenario(seed, specs, done, lengths, { quick, slow, other, stuck }),
  );

const AGENTS: Omit<AgentsInput, 'behaviours'> = {
  nodes: NODES,
  clockSkew: {},
  finalDelete: microsSpan(41_300),
  leaseRenew: microsSpan(10_000_000),
  leaseJitter: microsSpan(400_000),
  statusReport: microsSpan(300_000_000),
  back: { lease: microsSpan(431_000), nodeStatus: microsSpan(1_917_000), pods: microsSpan(4_273_000) },
};

interface Specs {
  readonly statefulSet: Loose;
  readonly daemonSet: Loose;
  readonly budget: Loose;
}

function workloadsScenario(
  seed: number,
  specs: Specs,
  done: readonly Deed[],
  lengths: Readonly<Record<string, MicrosSpan>>,
  behaviours: Readonly<Record<string, AgentBehaviour>>,
): Scenario {
  const stored: readonly StoredInput[] = [
    ...NODES.map((name) => ({ resource: 'nodes' as const, object: nodeObject(name) })),
    { resource: 'statefulsets', object: statefulSetOf(manifest('StatefulSet', 'db', specs.statefulSet), unnamed) },
    { resource: 'daemonsets', object: daemonSetOf(manifest('DaemonSet', 'agent', specs.daemonSet), unnamed) },
    { resource: 'poddisruptionbudgets', object: budgetOf(manifest('PodDisruptionBudget', 'db', specs.budget)) },
  ];
  const writes = stored.map((one, place): ScriptedWrite => {
    return { at: micros(CREATED_AT + place * 50_000), do: 'create', stored: one };
  });
  const cluster = clusterInput({
    start: micros(CREATED_AT - 2_000_000),
    writes,
    workloads: {
      running: ['statefulset', 'daemonset', 'disruption'],
      hops: lengths,
      agents: { ...AGENTS, behaviours },
      reports: KUBELET_REPORTS,
      nodeLifecycle: NODE_LIFECYCLE,
      given: NOTHING_GIVEN,
      special: {},
      actions: actionsOf(specs, done),
    },
  });
  return clusterScenario(cluster, DURATION, { seed });
}

/** Patches carry whole specs, so each takes up what those before left. */
function actionsOf(specs: Specs, done: readonly Deed[]): readonly WorkloadAction[] {
  const now = { db: specs.statefulSet, agent: specs.daemonSet };
  return done.toSorted((a, b) => a.at - b.at).map((deed) => actionOf(deed, now));
}

function actionOf(deed: Deed, now: { db: Loose; agent: Loose }): WorkloadAction {
  const at = micros(deed.at);
  switch (deed.do) {
    case 'image':
      now[deed.of] = { ...now[deed.of], template: template(deed.of, deed.image) };
      return deed.of === 'db' ? patchDb(deed.at, now.db) : patchAgent(deed.at, now.agent);
    case 'scale':
      now.db = { ...now.db, replicas: deed.replicas };
      return patchDb(deed.at, now.db);
    case 'delete':
      return { at, do: 'deletePod', pod: `default/db-${deed.ordinal}`, graceSeconds: null };
    case 'evict':
      return { at, do: 'evict', pod: `default/db-${deed.ordinal}` };
    case 'ready':
      return { at, do: 'setReady', pod: `default/db-${deed.ordinal}`, ready: deed.ready };
  }
}

const patchDb = (at: number, spec: Loose): WorkloadAction => ({
  at: micros(at),
  do: 'patch',
  resource: 'statefulsets',
  key: 'default/db',
  spec: statefulSetSpec(spec, unnamed),
  note: '',
});
const patchAgent = (at: number, spec: Loose): WorkloadAction => ({
  at: micros(at),
  do: 'patch',
  resource: 'daemonsets',
  key: 'default/agent',
  spec: daemonSetSpec(spec, unnamed),
  note: '',
});
