import type { Micros } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import { selects } from '../../api/objects.ts';
import type { ReplicaSetObject, ReplicaSetStatus, WorkloadCondition } from '../../api/workloadObjects.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import { untilAvailable } from '../workloads/pods.ts';

interface Seen {
  readonly set: ReplicaSetObject;
  readonly active: readonly ApiPod[];
  readonly terminating: readonly ApiPod[];
  /** Active Pods beyond those that are wanted. */
  readonly difference: number;
  /** Of creating or deleting Pods; '' when it went well. */
  readonly error: string;
  /** When it was seen. */
  readonly now: Micros;
}

/** The status that a sync saw. Source: pkg/controller/replicaset/replica_set_utils.go calculateStatus. */
export function statusOf(
  { set, active, terminating, difference, error, now }: Seen,
  { wall }: WorkloadContext,
): ReplicaSetStatus {
  const { spec, status } = set;
  const clock = { now, wall };
  let [fullyLabeled, ready, available] = [0, 0, 0];
  for (const pod of active) {
    if (selects(spec.template.labels, pod.labels)) fullyLabeled++;
    const left = untilAvailable(pod, spec.minReadySeconds, clock);
    if (left !== null) ready++;
    if (left === 0) available++;
  }
  return {
    observedGeneration: status.observedGeneration,
    replicas: active.length,
    fullyLabeledReplicas: fullyLabeled,
    readyReplicas: ready,
    availableReplicas: available,
    terminatingReplicas: terminating.length,
    conditions: conditionsOf(status.conditions, error, difference, wall.seconds(now)),
  };
}

/** ReplicaFailure stands from the first failure until a sync goes well. */
function conditionsOf(
  before: readonly WorkloadCondition[],
  error: string,
  difference: number,
  now: number,
): readonly WorkloadCondition[] {
  const others = before.filter(({ type }) => type !== 'ReplicaFailure');
  if (!error) return others;
  if (others.length < before.length) return before;
  const reason = difference < 0 ? 'FailedCreate' : difference > 0 ? 'FailedDelete' : '';
  const made = { type: 'ReplicaFailure', status: 'True', reason, message: error } as const;
  return [...others, { ...made, lastUpdateTime: now, lastTransitionTime: now }];
}
