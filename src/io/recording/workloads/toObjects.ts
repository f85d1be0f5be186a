import { fnv1a64 } from '../../../base/hash.ts';
import type { Micros } from '../../../base/units.ts';
import {
  type Labels,
  type NodeObject,
  type ObjectMeta,
  PLAIN_NODE,
  type Taint,
  type Toleration,
} from '../../../sim/api/objects.ts';
import { EMPTY_STATUS } from '../../../sim/api/podStatus.ts';
import type {
  DaemonSetObject,
  DeploymentObject,
  DeploymentSpec,
  IntOrPercent,
  PodDisruptionBudgetObject,
  PodTemplate,
  StatefulSetObject,
} from '../../../sim/api/workloadObjects.ts';
import type { ScriptedPod } from '../../../sim/clusterInput.ts';
import { NO_FAULTS } from '../../../sim/scenario.ts';
import {
  NEW_BUDGET_STATUS,
  NEW_DAEMON_SET_STATUS,
  NEW_DEPLOYMENT_STATUS,
  NEW_STATEFUL_SET_STATUS,
} from '../../newStatus.ts';
import { podTemplate, type RecordedManifest } from './recording.ts';

type Loose = Readonly<Record<string, unknown>>;

/** What of a workload's manifest counts, with the API server's defaults (semantics, section 1.1). */
const number = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);
const text = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);
const intOrPercent = (value: unknown, fallback: IntOrPercent): IntOrPercent =>
  typeof value === 'number' || typeof value === 'string' ? value : fallback;
const within = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});
const labelsOf = (selector: unknown): Labels => within(within(selector).matchLabels) as Labels;

const metaOf = ({ metadata }: RecordedManifest, namespace = 'default'): ObjectMeta => ({
  namespace,
  name: metadata.name,
  generateName: '',
  uid: `${metadata.name}-uid`,
  resourceVersion: 0,
  generation: 1,
  labels: metadata.labels,
  annotations: metadata.annotations,
  creationTimestamp: 0,
  deletionTimestamp: null,
  ownerUid: '',
  ownerName: '',
});

/** Tolerations that the API server adds at admission unless there are such. */
const DEFAULT_TOLERATIONS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const DEFAULT_SECONDS = 300;

function withDefaults(given: readonly Toleration[]): readonly Toleration[] {
  const covers = (key: string): boolean =>
    given.some((one) => (one.key === '' || one.key === key) && (one.effect === '' || one.effect === 'NoExecute'));
  const added = DEFAULT_TOLERATIONS.filter((key) => !covers(key)).map(
    (key): Toleration => ({
      key,
      operator: 'Exists',
      value: '',
      effect: 'NoExecute',
      tolerationSeconds: DEFAULT_SECONDS,
    }),
  );
  return [...given, ...added];
}

/** A template's hash where nothing else is known; for display only. */
const ownHash = (template: string): string => (fnv1a64(template) % 2n ** 40n).toString(36);

/** The template of a workload's spec. `hashOf`: what the recording calls it. */
function templateOf(spec: Loose, hashOf: (text: string, image: string) => string | undefined): PodTemplate {
  const parsed = podTemplate.parse(spec.template);
  const canonical = JSON.stringify(spec.template);
  const image = parsed.spec.containers[0]?.image ?? '';
  const tolerations = parsed.spec.tolerations.map(
    (one): Toleration => ({ ...one, effect: one.effect ?? '', tolerationSeconds: one.tolerationSeconds ?? null }),
  );
  return {
    identity: null,
    text: canonical,
    hash: hashOf(canonical, image) ?? ownHash(canonical),
    labels: parsed.metadata.labels,
    pod: {
      hostname: '',
      subdomain: '',
      tolerations: withDefaults(tolerations),
      target: '',
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: parsed.spec.terminationGracePeriodSeconds,
      activeDeadlineSeconds: null,
      readinessGates: [],
      isStatic: false,
      containers: parsed.spec.containers.map(({ name, image: of }) => ({
        name,
        image: of,
        ports: [],
        outages: [],
        latencyIndex: 0,
        probes: { startup: null, readiness: null, liveness: null },
        isSidecar: false,
        restart: null,
        imagePull: null,
        postStart: null,
        preStop: null,
        runs: [{ script: [], postStart: null, preStop: null, onTerm: null }],
      })),
      initContainers: [],
      faults: NO_FAULTS,
    },
  };
}

type HashOf = (text: string, image: string) => string | undefined;

export function deploymentSpec(spec: Loose, hashOf: HashOf): DeploymentSpec {
  const strategy = within(spec.strategy);
  const rolling = within(strategy.rollingUpdate);
  return {
    replicas: number(spec.replicas, 1),
    selector: labelsOf(spec.selector),
    template: templateOf(spec, hashOf),
    strategy: strategy.type === 'Recreate' ? 'Recreate' : 'RollingUpdate',
    maxSurge: intOrPercent(rolling.maxSurge, '25%'),
    maxUnavailable: intOrPercent(rolling.maxUnavailable, '25%'),
    minReadySeconds: number(spec.minReadySeconds, 0),
    progressDeadlineSeconds: number(spec.progressDeadlineSeconds, 600),
    revisionHistoryLimit: number(spec.revisionHistoryLimit, 10),
    paused: spec.paused === true,
  };
}

export const deploymentOf = (given: RecordedManifest, hashOf: HashOf): DeploymentObject => ({
  meta: metaOf(given),
  spec: deploymentSpec(given.spec, hashOf),
  status: NEW_DEPLOYMENT_STATUS,
});

export function statefulSetSpec(spec: Loose, hashOf: HashOf): StatefulSetObject['spec'] {
  const update = within(spec.updateStrategy);
  const rolling = within(update.rollingUpdate);
  return {
    replicas: number(spec.replicas, 1),
    selector: labelsOf(spec.selector),
    template: templateOf(spec, hashOf),
    serviceName: text(spec.serviceName, ''),
    podManagementPolicy: spec.podManagementPolicy === 'Parallel' ? 'Parallel' : 'OrderedReady',
    updateStrategy: update.type === 'OnDelete' ? 'OnDelete' : 'RollingUpdate',
    partition: number(rolling.partition, 0),
    maxUnavailable: intOrPercent(rolling.maxUnavailable, 1),
    minReadySeconds: number(spec.minReadySeconds, 0),
    revisionHistoryLimit: number(spec.revisionHistoryLimit, 10),
  };
}

export const statefulSetOf = (given: RecordedManifest, hashOf: HashOf): StatefulSetObject => ({
  meta: metaOf(given),
  spec: statefulSetSpec(given.spec, hashOf),
  status: NEW_STATEFUL_SET_STATUS,
});

export function daemonSetSpec(spec: Loose, hashOf: HashOf): DaemonSetObject['spec'] {
  const update = within(spec.updateStrategy);
  const rolling = within(update.rollingUpdate);
  return {
    selector: labelsOf(spec.selector),
    template: templateOf(spec, hashOf),
    updateStrategy: update.type === 'OnDelete' ? 'OnDelete' : 'RollingUpdate',
    maxSurge: intOrPercent(rolling.maxSurge, 0),
    maxUnavailable: intOrPercent(rolling.maxUnavailable, 1),
    minReadySeconds: number(spec.minReadySeconds, 0),
    revisionHistoryLimit: number(spec.revisionHistoryLimit, 10),
  };
}

export const daemonSetOf = (given: RecordedManifest, hashOf: HashOf): DaemonSetObject => ({
  meta: metaOf(given),
  spec: daemonSetSpec(given.spec, hashOf),
  status: NEW_DAEMON_SET_STATUS,
});

export function budgetSpec({
  unhealthyPodEvictionPolicy,
  minAvailable,
  maxUnavailable,
  selector,
}: Loose): PodDisruptionBudgetObject['spec'] {
  const optional = (value: unknown): IntOrPercent | null =>
    typeof value === 'number' || typeof value === 'string' ? value : null;
  return {
    selector: labelsOf(selector),
    minAvailable: optional(minAvailable),
    maxUnavailable: optional(maxUnavailable),
    unhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy === 'AlwaysAllow' ? 'AlwaysAllow' : 'IfHealthyBudget',
  };
}

export const budgetOf = (given: RecordedManifest): PodDisruptionBudgetObject => ({
  meta: metaOf(given),
  spec: budgetSpec(given.spec),
  status: NEW_BUDGET_STATUS,
});

/** A Node of which nobody has reported yet. */
export const nodeOf = (given: RecordedManifest): NodeObject => ({
  meta: { ...metaOf(given, ''), generation: 0 },
  cpuMillis: 0,
  podCapacity: Number(within(within(given.status).allocatable).pods ?? PLAIN_NODE.podCapacity),
  unschedulable: given.spec.unschedulable === true,
  taints: taintsOf(given.spec.taints),
  ready: null,
  readyReason: '',
  lastHeartbeatTime: 0,
  lastTransitionTime: 0,
});

/** What a patch of a Node's spec changes; null: it stays. */
export const nodePatch = (
  given: unknown,
): { readonly unschedulable: boolean | null; readonly taints: readonly Taint[] | null } => {
  const { unschedulable, taints } = within(given);
  return {
    unschedulable: unschedulable === undefined ? null : unschedulable === true,
    taints: taints === undefined ? null : taintsOf(taints),
  };
};

const taintsOf = (given: unknown): readonly Taint[] =>
  ((given ?? []) as readonly Partial<Taint>[]).map(({ key = '', value = '', effect = 'NoSchedule' }) => ({
    key,
    value,
    effect,
    timeAdded: null,
  }));

/** The annotation of a Pod that stands for a static one. */
const MIRROR = 'kubernetes.io/config.mirror';

/** A bare Pod, bound or not. */
export function podOf(given: RecordedManifest, at: Micros, uid: string): ScriptedPod {
  const { name, labels, namespace } = given.metadata;
  const { pod } = templateOf({ template: { metadata: { labels }, spec: given.spec } }, () => undefined);
  const identity = `${namespace || 'default'}/${name}`;
  const input = {
    ...pod,
    identity,
    namespace: namespace || 'default',
    name,
    uid: uid || `${name}-uid`,
    node: text(given.spec.nodeName, ''),
    labels,
    createdAt: at,
    owner: null,
    isStatic: MIRROR in given.metadata.annotations,
  };
  return { input, status: EMPTY_STATUS };
}
