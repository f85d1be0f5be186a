import { rfc3339 } from '../../base/rfc3339.ts';
import { MICROS_PER_SECOND } from '../../base/units.ts';
import { metaJson } from './metaText.ts';
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

function deploymentJson({ meta, spec, status }: DeploymentObject): object {
  const { template, strategy, maxSurge, maxUnavailable, minReadySeconds, paused, ...rest } = spec;
  const { replicas, conditions, terminatingReplicas, ...numbers } = status;
  const rolling = strategy === 'RollingUpdate' ? { rollingUpdate: { maxSurge, maxUnavailable } } : {};
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metaJson(meta),
    spec: {
      replicas: rest.replicas,
      selector: { matchLabels: rest.selector },
      strategy: { type: strategy, ...rolling },
      ...(minReadySeconds > 0 && { minReadySeconds }),
      progressDeadlineSeconds: rest.progressDeadlineSeconds,
      revisionHistoryLimit: rest.revisionHistoryLimit,
      ...(paused && { paused }),
      template: templateJson(template),
    },
    status: {
      ...counts({ replicas, ...numbers }),
      ...(terminatingReplicas !== null && { terminatingReplicas }),
      ...conditionsJson(conditions),
    },
  };
}

function replicaSetJson({ meta, spec, status }: ReplicaSetObject): object {
  const { replicas, conditions, terminatingReplicas, ...numbers } = status;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: metaJson(meta),
    spec: {
      replicas: spec.replicas,
      ...(spec.minReadySeconds > 0 && { minReadySeconds: spec.minReadySeconds }),
      selector: { matchLabels: spec.selector },
      template: templateJson(spec.template),
    },
    status: {
      replicas,
      ...counts(numbers),
      ...(terminatingReplicas !== null && { terminatingReplicas }),
      ...(conditions.length > 0 && { conditions: conditions.map(plainConditionJson) }),
    },
  };
}

function statefulSetJson({ meta, spec, status }: StatefulSetObject): object {
  const { partition, maxUnavailable, updateStrategy } = spec;
  const rollingUpdate = { partition, maxUnavailable };
  const { replicas, availableReplicas, collisionCount, observedGeneration, ...rest } = status;
  const { currentRevision, updateRevision, ...numbers } = rest;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: metaJson(meta),
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: spec.selector },
      serviceName: spec.serviceName,
      podManagementPolicy: spec.podManagementPolicy,
      updateStrategy: { type: updateStrategy, ...(updateStrategy === 'RollingUpdate' && { rollingUpdate }) },
      ...(spec.minReadySeconds > 0 && { minReadySeconds: spec.minReadySeconds }),
      revisionHistoryLimit: spec.revisionHistoryLimit,
      template: templateJson(spec.template),
    },
    status: {
      ...counts({ observedGeneration }),
      replicas,
      ...counts(numbers),
      availableReplicas,
      ...(currentRevision && { currentRevision }),
      ...(updateRevision && { updateRevision }),
      ...(updateRevision && { collisionCount }),
    },
  };
}

function daemonSetJson({ meta, spec, status }: DaemonSetObject): object {
  const { maxSurge, maxUnavailable, updateStrategy } = spec;
  const rolling = updateStrategy === 'RollingUpdate' ? { rollingUpdate: { maxSurge, maxUnavailable } } : {};
  const { currentNumberScheduled, numberMisscheduled, desiredNumberScheduled, numberReady, ...numbers } = status;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: metaJson(meta),
    spec: {
      selector: { matchLabels: spec.selector },
      updateStrategy: { type: updateStrategy, ...rolling },
      ...(spec.minReadySeconds > 0 && { minReadySeconds: spec.minReadySeconds }),
      revisionHistoryLimit: spec.revisionHistoryLimit,
      template: templateJson(spec.template),
    },
    status: { currentNumberScheduled, numberMisscheduled, desiredNumberScheduled, numberReady, ...counts(numbers) },
  };
}

const revisionJson = ({ meta, revision, template }: ControllerRevisionObject): object => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: metaJson(meta),
  revision,
  data: { spec: { template: templateJson(template) } },
});

function budgetJson({ meta, spec, status }: PodDisruptionBudgetObject): object {
  const { conditions, disruptedPods, ...numbers } = status;
  const disrupted = Object.entries(disruptedPods).map(([name, time]) => [name, rfc3339(time)] as const);
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metaJson(meta),
    spec: {
      selector: { matchLabels: spec.selector },
      ...(spec.minAvailable !== null && { minAvailable: spec.minAvailable }),
      ...(spec.maxUnavailable !== null && { maxUnavailable: spec.maxUnavailable }),
    },
    status: {
      ...numbers,
      ...(disrupted.length > 0 && { disruptedPods: Object.fromEntries(disrupted) }),
      ...(conditions.length > 0 && { conditions: conditions.map(plainConditionJson) }),
    },
  };
}

const leaseJson = ({ meta, renewTime }: LeaseObject): object => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: metaJson(meta),
  spec: {
    renewTime: `${rfc3339(Math.floor(renewTime / MICROS_PER_SECOND)).slice(0, -1)}.${String(renewTime % MICROS_PER_SECOND).padStart(6, '0')}Z`,
  },
});

/** How `kubectl get -o json` shows the workloads' objects. */
export const WORKLOAD_TEXT: { readonly [R in WorkloadResource]: (object: Stored[R]) => string } = {
  deployments: (object) => JSON.stringify(deploymentJson(object)),
  replicasets: (object) => JSON.stringify(replicaSetJson(object)),
  statefulsets: (object) => JSON.stringify(statefulSetJson(object)),
  daemonsets: (object) => JSON.stringify(daemonSetJson(object)),
  controllerrevisions: (object) => JSON.stringify(revisionJson(object)),
  poddisruptionbudgets: (object) => JSON.stringify(budgetJson(object)),
  leases: (object) => JSON.stringify(leaseJson(object)),
};
