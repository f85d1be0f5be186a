import type { DeploymentObject, DeploymentStatus, WorkloadCondition } from '../../api/workloadObjects.ts';

export const conditionOf = (
  { conditions }: Pick<DeploymentStatus, 'conditions'>,
  type: string,
): WorkloadCondition | undefined => conditions.find((condition) => condition.type === type);

/** A condition that is new at `now`, wall-clock seconds. */
export const newCondition = (
  type: string,
  status: WorkloadCondition['status'],
  reason: string,
  message: string,
  now: number,
): WorkloadCondition => ({ type, status, reason, message, lastUpdateTime: now, lastTransitionTime: now });

/** The conditions with one set; one that says the same already stays as it is (SetDeploymentCondition). */
export function withCondition(
  conditions: readonly WorkloadCondition[],
  condition: WorkloadCondition,
): readonly WorkloadCondition[] {
  const before = conditions.find(({ type }) => type === condition.type);
  if (before?.status === condition.status && before.reason === condition.reason) return conditions;
  const kept =
    before?.status === condition.status ? { ...condition, lastTransitionTime: before.lastTransitionTime } : condition;
  return [...withoutCondition(conditions, condition.type), kept];
}

export const withoutCondition = (
  conditions: readonly WorkloadCondition[],
  type: string,
): readonly WorkloadCondition[] => conditions.filter((condition) => condition.type !== type);

/** What stands for no deadline (HasProgressDeadline). */
const NO_DEADLINE = 2 ** 31 - 1;
export const hasDeadline = ({ spec }: DeploymentObject): boolean => spec.progressDeadlineSeconds !== NO_DEADLINE;

/** Reasons of the Progressing condition (pkg/controller/deployment/util/deployment_util.go). */
export const REASON = {
  updated: 'ReplicaSetUpdated',
  failedCreate: 'ReplicaSetCreateError',
  created: 'NewReplicaSetCreated',
  found: 'FoundNewReplicaSet',
  available: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
} as const;
