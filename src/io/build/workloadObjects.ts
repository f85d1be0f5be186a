import type { Labels, ObjectMeta } from '../../sim/api/objects.ts';
import { stableUid } from '../../sim/api/stableNames.ts';
import type {
  DaemonSetObject,
  DeploymentObject,
  PodDisruptionBudgetObject,
  PodTemplate,
  ReplicaSetObject,
  StatefulSetObject,
} from '../../sim/api/workloadObjects.ts';
import type { FoundBudget } from '../manifest/objectReader.ts';
import type { Plan } from '../manifest/plans.ts';
import type { Workload } from '../manifest/workload.ts';
import type { ROLLOUT_LIMITS } from '../manifest/workloadSpec.ts';
import {
  NEW_BUDGET_STATUS,
  NEW_DAEMON_SET_STATUS,
  NEW_DEPLOYMENT_STATUS,
  NEW_REPLICA_SET_STATUS,
  NEW_STATEFUL_SET_STATUS,
} from '../newStatus.ts';
import type { Settings } from '../settings.ts';
import { numberIn } from './numberIn.ts';

/** An object of a workload as the API server first stores it. */
export type WorkloadObject =
  | { readonly resource: 'deployments'; readonly object: DeploymentObject }
  | { readonly resource: 'replicasets'; readonly object: ReplicaSetObject }
  | { readonly resource: 'statefulsets'; readonly object: StatefulSetObject }
  | { readonly resource: 'daemonsets'; readonly object: DaemonSetObject };

const metaOf = (
  kind: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): ObjectMeta => ({
  namespace,
  name,
  generateName: '',
  uid: stableUid(`${kind}/${namespace}/${name}`),
  resourceVersion: 0,
  generation: 1,
  labels: {},
  annotations: {},
  creationTimestamp: 0,
  deletionTimestamp: null,
  ownerUid: '',
  ownerName: '',
});

/** The object with its first template. */
export function workloadObject(
  workload: Workload,
  plan: Plan,
  template: PodTemplate,
  settings: Settings,
): WorkloadObject {
  const number = (name: string): number => numberIn(settings)(`${workload.path}/${name}`);
  const limit = (name: (typeof ROLLOUT_LIMITS)[number]): number | null =>
    settings.get(`${workload.path}/${name}`)?.value ?? null;
  const meta = metaOf(workload.kind, workload);
  const selector: Labels = workload.selector;
  const minReadySeconds = number('minReadySeconds');
  const shared = { selector, template, minReadySeconds };
  switch (plan.kind) {
    case 'Deployment': {
      const { kind: _, ...rest } = plan;
      const numbers = {
        maxSurge: limit('maxSurge') ?? plan.maxSurge,
        maxUnavailable: limit('maxUnavailable') ?? plan.maxUnavailable,
        replicas: number('replicas'),
        progressDeadlineSeconds: number('progressDeadlineSeconds'),
        revisionHistoryLimit: number('revisionHistoryLimit'),
      };
      return {
        resource: 'deployments',
        object: { meta, spec: { ...shared, ...rest, ...numbers }, status: NEW_DEPLOYMENT_STATUS },
      };
    }
    case 'ReplicaSet': {
      return {
        resource: 'replicasets',
        object: { meta, spec: { ...shared, replicas: number('replicas') }, status: NEW_REPLICA_SET_STATUS },
      };
    }
    case 'StatefulSet': {
      const { kind: _, ...rest } = plan;
      const numbers = {
        replicas: number('replicas'),
        partition: number('partition'),
        revisionHistoryLimit: number('revisionHistoryLimit'),
      };
      const spec = { ...shared, ...rest, ...numbers, serviceName: workload.subdomain };
      return { resource: 'statefulsets', object: { meta, spec, status: NEW_STATEFUL_SET_STATUS } };
    }
    case 'DaemonSet': {
      const { kind: _, ...rest } = plan;
      const spec = { ...shared, ...rest, revisionHistoryLimit: number('revisionHistoryLimit') };
      return { resource: 'daemonsets', object: { meta, spec, status: NEW_DAEMON_SET_STATUS } };
    }
  }
}

/** The budget as the API server first stores it. */
export function budgetObject({ manifest: { metadata, spec } }: FoundBudget): PodDisruptionBudgetObject {
  const { name, namespace = 'default' } = metadata;
  const { selector, minAvailable = null, maxUnavailable = null } = spec;
  const { unhealthyPodEvictionPolicy = 'IfHealthyBudget' } = spec;
  return {
    meta: metaOf('PodDisruptionBudget', { name, namespace }),
    spec: {
      selector: selector?.matchLabels ?? {},
      // pkg/apis/policy/v1: a budget that says neither keeps minAvailable: 1.
      minAvailable: minAvailable ?? (maxUnavailable === null ? 1 : null),
      maxUnavailable,
      unhealthyPodEvictionPolicy,
    },
    status: NEW_BUDGET_STATUS,
  };
}
