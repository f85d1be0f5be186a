import type { Micros } from '../../../base/units.ts';
import { MICROS_PER_SECOND } from '../../../base/units.ts';
import type {
  DeploymentObject,
  DeploymentStatus,
  ReplicaSetObject,
  WorkloadCondition,
} from '../../api/workloadObjects.ts';
import type { WallClock } from '../../world/wallClock.ts';
import { conditionOf, hasDeadline, newCondition, REASON, withCondition, withoutCondition } from './conditions.ts';
import { actualSize, availableSize, maxUnavailable, readySize, specSize } from './sizes.ts';

/** The controller's clock. */
export interface Clock {
  readonly now: Micros;
  readonly wall: WallClock;
}

/** What the sets say of a Deployment (calculateStatus). */
export function calculateStatus(
  deployment: DeploymentObject,
  all: readonly ReplicaSetObject[],
  newSet: ReplicaSetObject | null,
  { now, wall }: Clock,
): DeploymentStatus {
  const { spec, status, meta } = deployment;
  const available = availableSize(all);
  const isAvailable = available >= spec.replicas - maxUnavailable(deployment);
  const condition = isAvailable
    ? newCondition(
        'Available',
        'True',
        'MinimumReplicasAvailable',
        'Deployment has minimum availability.',
        wall.seconds(now),
      )
    : newCondition(
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        wall.seconds(now),
      );
  return {
    observedGeneration: meta.generation,
    replicas: actualSize(all),
    updatedReplicas: newSet ? actualSize([newSet]) : 0,
    readyReplicas: readySize(all),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, specSize(all) - available),
    terminatingReplicas: terminatingOf(all),
    conditions: withCondition(status.conditions, condition),
  };
}

/** Null while a set that its controller has seen has not said. */
function terminatingOf(all: readonly ReplicaSetObject[]): number | null {
  let total = 0;
  for (const { status } of all) {
    if (status.terminatingReplicas === null && status.observedGeneration > 0) return null;
    total += status.terminatingReplicas ?? 0;
  }
  return total;
}

/** The rollout is over (DeploymentComplete). */
export const isComplete = ({ spec, meta }: DeploymentObject, status: DeploymentStatus): boolean =>
  status.updatedReplicas === spec.replicas &&
  status.replicas === spec.replicas &&
  status.availableReplicas === spec.replicas &&
  status.observedGeneration >= meta.generation;

/** More new, ready or available Pods, or fewer old ones (DeploymentProgressing; N-014). */
const isProgressing = ({ status: before }: DeploymentObject, now: DeploymentStatus): boolean =>
  now.updatedReplicas > before.updatedReplicas ||
  now.replicas - now.updatedReplicas < before.replicas - before.updatedReplicas ||
  now.readyReplicas > before.readyReplicas ||
  now.availableReplicas > before.availableReplicas;

/** The deadline is over (DeploymentTimedOut; N-014). */
function isTimedOut(deployment: DeploymentObject, status: DeploymentStatus, { now, wall }: Clock): boolean {
  const progress = conditionOf(status, 'Progressing');
  if (!hasDeadline(deployment) || !progress || progress.reason === REASON.available) return false;
  if (progress.reason === REASON.timedOut) return true;
  const due = (progress.lastUpdateTime + deployment.spec.progressDeadlineSeconds) * MICROS_PER_SECOND;
  return due < wall.epoch + now;
}

/** The status of a rollout, with its progress (syncRolloutStatus). */
export function rolloutStatus(
  deployment: DeploymentObject,
  all: readonly ReplicaSetObject[],
  newSet: ReplicaSetObject | null,
  clock: Clock,
): DeploymentStatus {
  const status = calculateStatus(deployment, all, newSet, clock);
  let { conditions } = status;
  if (!hasDeadline(deployment)) conditions = withoutCondition(conditions, 'Progressing');
  const current = conditionOf(deployment.status, 'Progressing');
  const isOver = status.replicas === status.updatedReplicas && current?.reason === REASON.available;
  if (hasDeadline(deployment) && !isOver)
    conditions = progressConditions(deployment, { ...status, conditions }, newSet, clock);
  const failure = failureOf(all, newSet);
  conditions = failure ? withCondition(conditions, failure) : withoutCondition(conditions, 'ReplicaFailure');
  return { ...status, conditions };
}

function progressConditions(
  deployment: DeploymentObject,
  status: DeploymentStatus,
  newSet: ReplicaSetObject | null,
  clock: Clock,
): readonly WorkloadCondition[] {
  const { conditions } = status;
  const what = newSet ? `ReplicaSet "${newSet.meta.name}"` : `Deployment "${deployment.meta.name}"`;
  const at = clock.wall.seconds(clock.now);
  const set = (value: 'True' | 'False', reason: string, message: string): WorkloadCondition =>
    newCondition('Progressing', value, reason, `${what} ${message}`, at);
  if (isComplete(deployment, status))
    return withCondition(conditions, set('True', REASON.available, 'has successfully progressed.'));
  if (isProgressing(deployment, status)) {
    const made = set('True', REASON.updated, 'is progressing.');
    const current = conditionOf(deployment.status, 'Progressing');
    if (!current) return withCondition(conditions, made);
    const since = current.status === 'True' ? current.lastTransitionTime : made.lastTransitionTime;
    return [...withoutCondition(conditions, 'Progressing'), { ...made, lastTransitionTime: since }];
  }
  if (isTimedOut(deployment, status, clock))
    return withCondition(conditions, set('False', REASON.timedOut, 'has timed out progressing.'));
  return conditions;
}

/** The failure of the new set, else of an old one (getReplicaFailures). */
function failureOf(all: readonly ReplicaSetObject[], newSet: ReplicaSetObject | null): WorkloadCondition | undefined {
  const of = (set: ReplicaSetObject): WorkloadCondition[] =>
    set.status.conditions.filter(({ type }) => type === 'ReplicaFailure');
  const failures = newSet ? of(newSet) : [];
  return failures[0] ?? all.flatMap(of)[0];
}
