import { memoizedWeakly } from '../../base/memoized.ts';
import { rfc3339 } from '../../base/rfc3339.ts';
import { MICROS_PER_SECOND } from '../../base/units.ts';
import type { ObjectText } from '../trace/textEdits.ts';
import { furtherFields } from './jsonPieces.ts';
import { headPieces } from './metaText.ts';
import type { Stored } from './store.ts';
import type {
  ControllerRevisionObject,
  DaemonSetObject,
  DeploymentObject,
  LeaseObject,
  PodDisruptionBudgetObject,
  PodTemplate,
  ReplicaSetObject,
  StatefulSetObject,
  WorkloadCondition,
} from './workloadObjects.ts';

type WorkloadResource = Exclude<keyof Stored, 'nodes' | 'pods' | 'services' | 'endpoints' | 'endpointslices'>;

const templateJson = ({ hash, labels, pod }: PodTemplate): object => ({
  metadata: { labels },
  spec: { containers: pod.containers.map(({ name, image }) => ({ name, image })) },
  hash,
});

/** Counts that are there only when they are not 0, as the API leaves them out. */
const counts = (fields: Readonly<Record<string, number>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, count]) => count !== 0));

const conditionJson = ({ lastUpdateTime, lastTransitionTime, ...condition }: WorkloadCondition): object => ({
  ...condition,
  lastUpdateTime: rfc3339(lastUpdateTime),
  lastTransitionTime: rfc3339(lastTransitionTime),
});
/** Conditions of kinds that do not say when they were last looked at. */
const plainConditionJson = (condition: WorkloadCondition): object => {
  const { lastUpdateTime: _, lastTransitionTime, message, ...rest } = condition;
  return { ...rest, ...(message && { message }), lastTransitionTime: rfc3339(lastTransitionTime) };
};
const conditionsJson = (conditions: readonly WorkloadCondition[]): object =>
  conditions.length > 0 ? { conditions: conditions.map(conditionJson) } : {};

function deploymentSpec(spec: DeploymentObject['spec']): object {
  const { template, strategy, maxSurge, maxUnavailable, minReadySeconds, paused, ...rest } = spec;
  const rolling = strategy === 'RollingUpdate' ? { rollingUpdate: { maxSurge, maxUnavailable } } : {};
  return {
    replicas: rest.replicas,
    selector: { matchLabels: rest.selector },
    strategy: { type: strategy, ...rolling },
    ...(minReadySeconds > 0 && { minReadySeconds }),
    progressDeadlineSeconds: rest.progressDeadlineSeconds,
    revisionHistoryLimit: rest.revisionHistoryLimit,
    ...(paused && { paused }),
    template: templateJson(template),
  };
}

const deploymentStatus = ({
  replicas,
  conditions,
  terminatingReplicas,
  ...numbers
}: DeploymentObject['status']): object => ({
  ...counts({ replicas, ...numbers }),
  ...(terminatingReplicas !== null && { terminatingReplicas }),
  ...conditionsJson(conditions),
});

const replicaSetSpec = ({ replicas, minReadySeconds, selector, template }: ReplicaSetObject['spec']): object => ({
  replicas,
  ...(minReadySeconds > 0 && { minReadySeconds }),
  selector: { matchLabels: selector },
  template: templateJson(template),
});

const replicaSetStatus = ({
  replicas,
  conditions,
  terminatingReplicas,
  ...numbers
}: ReplicaSetObject['status']): object => ({
  replicas,
  ...counts(numbers),
  ...(terminatingReplicas !== null && { terminatingReplicas }),
  ...(conditions.length > 0 && { conditions: conditions.map(plainConditionJson) }),
});

function statefulSetSpec({ partition, maxUnavailable, updateStrategy, ...spec }: StatefulSetObject['spec']): object {
  const rollingUpdate = { partition, maxUnavailable };
  return {
    replicas: spec.replicas,
    selector: { matchLabels: spec.selector },
    serviceName: spec.serviceName,
    podManagementPolicy: spec.podManagementPolicy,
    updateStrategy: { type: updateStrategy, ...(updateStrategy === 'RollingUpdate' && { rollingUpdate }) },
    ...(spec.minReadySeconds > 0 && { minReadySeconds: spec.minReadySeconds }),
    revisionHistoryLimit: spec.revisionHistoryLimit,
    template: templateJson(spec.template),
  };
}

function statefulSetStatus(status: StatefulSetObject['status']): object {
  const { replicas, availableReplicas, collisionCount, observedGeneration, ...rest } = status;
  const { currentRevision, updateRevision, ...numbers } = rest;
  return {
    ...counts({ observedGeneration }),
    replicas,
    ...counts(numbers),
    availableReplicas,
    ...(currentRevision && { currentRevision }),
    ...(updateRevision && { updateRevision }),
    ...(updateRevision && { collisionCount }),
  };
}

function daemonSetSpec({ maxSurge, maxUnavailable, updateStrategy, ...spec }: DaemonSetObject['spec']): object {
  const rolling = updateStrategy === 'RollingUpdate' ? { rollingUpdate: { maxSurge, maxUnavailable } } : {};
  return {
    selector: { matchLabels: spec.selector },
    updateStrategy: { type: updateStrategy, ...rolling },
    ...(spec.minReadySeconds > 0 && { minReadySeconds: spec.minReadySeconds }),
    revisionHistoryLimit: spec.revisionHistoryLimit,
    template: templateJson(spec.template),
  };
}

function daemonSetStatus(status: DaemonSetObject['status']): object {
  const { currentNumberScheduled, numberMisscheduled, desiredNumberScheduled, numberReady, ...numbers } = status;
  return { currentNumberScheduled, numberMisscheduled, desiredNumberScheduled, numberReady, ...counts(numbers) };
}

const budgetSpec = ({
  selector,
  minAvailable,
  maxUnavailable,
  unhealthyPodEvictionPolicy,
}: PodDisruptionBudgetObject['spec']): object => ({
  selector: { matchLabels: selector },
  ...(minAvailable !== null && { minAvailable }),
  ...(maxUnavailable !== null && { maxUnavailable }),
  ...(unhealthyPodEvictionPolicy === 'AlwaysAllow' && { unhealthyPodEvictionPolicy }),
});

function budgetStatus({ conditions, disruptedPods, ...numbers }: PodDisruptionBudgetObject['status']): object {
  const disrupted = Object.entries(disruptedPods).map(([name, time]) => [name, rfc3339(time)] as const);
  return {
    ...numbers,
    ...(disrupted.length > 0 && { disruptedPods: Object.fromEntries(disrupted) }),
    ...(conditions.length > 0 && { conditions: conditions.map(plainConditionJson) }),
  };
}

const revisionRest = ({ revision, template }: ControllerRevisionObject): string =>
  furtherFields({ revision, data: { spec: { template: templateJson(template) } } });

function leaseRest({ renewTime }: LeaseObject): string {
  const seconds = rfc3339(Math.floor(renewTime / MICROS_PER_SECOND)).slice(0, -1);
  return `,"spec":{"renewTime":"${seconds}.${String(renewTime % MICROS_PER_SECOND).padStart(6, '0')}Z"}`;
}

/** The texts of spec and status, made once for each object that is one: versions share what a write left alone. */
const textsOf = <S extends object, T extends object>(spec: (spec: S) => object, status: (status: T) => object) => ({
  spec: memoizedWeakly((from: S) => `,"spec":${JSON.stringify(spec(from))}`),
  status: memoizedWeakly((from: T) => `,"status":${JSON.stringify(status(from))}}`),
});
const TEXTS = {
  deployments: textsOf(deploymentSpec, deploymentStatus),
  replicasets: textsOf(replicaSetSpec, replicaSetStatus),
  statefulsets: textsOf(statefulSetSpec, statefulSetStatus),
  daemonsets: textsOf(daemonSetSpec, daemonSetStatus),
  poddisruptionbudgets: textsOf(budgetSpec, budgetStatus),
};
type WithStatus = keyof typeof TEXTS;

/** The text of an object's spec, for resources that have a status beside it; '' for the others. */
export const specText = <R extends WorkloadResource>(resource: R, object: Stored[R]): string =>
  resource in TEXTS ? (TEXTS[resource as WithStatus].spec as (spec: object) => string)((object as Specified).spec) : '';
type Specified = Stored[WithStatus];

function pieces<R extends WithStatus>(resource: R, apiVersion: string, kind: string) {
  const { spec, status } = TEXTS[resource] as {
    readonly spec: (spec: Stored[R]['spec']) => string;
    readonly status: (status: Stored[R]['status']) => string;
  };
  return (object: Stored[R]): ObjectText => [
    ...headPieces(apiVersion, kind, object.meta, ''),
    spec(object.spec),
    status(object.status),
  ];
}

/** How `kubectl get -o json` shows the workloads' objects. */
export const WORKLOAD_TEXT: { readonly [R in WorkloadResource]: (object: Stored[R]) => ObjectText } = {
  deployments: pieces('deployments', 'apps/v1', 'Deployment'),
  replicasets: pieces('replicasets', 'apps/v1', 'ReplicaSet'),
  statefulsets: pieces('statefulsets', 'apps/v1', 'StatefulSet'),
  daemonsets: pieces('daemonsets', 'apps/v1', 'DaemonSet'),
  controllerrevisions: (object) => headPieces('apps/v1', 'ControllerRevision', object.meta, `${revisionRest(object)}}`),
  poddisruptionbudgets: pieces('poddisruptionbudgets', 'policy/v1', 'PodDisruptionBudget'),
  leases: (object) => headPieces('coordination.k8s.io/v1', 'Lease', object.meta, `${leaseRest(object)}}`),
};
