import { type DeploymentObject, type ReplicaSetObject, scaledValue, WORKLOAD } from '../../api/workloadObjects.ts';

/** How many Pods a rollout may have more and less than wanted (N-010; ResolveFenceposts). */
function fenceposts({ spec }: DeploymentObject): { readonly surge: number; readonly unavailable: number } {
  const surge = scaledValue(spec.maxSurge, spec.replicas, 'up');
  const unavailable = scaledValue(spec.maxUnavailable, spec.replicas, 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

const isRolling = ({ spec }: DeploymentObject): boolean => spec.strategy === 'RollingUpdate';

/** MaxSurge and MaxUnavailable as the controller uses them: nothing for Recreate; unavailable at most all. */
export const maxSurge = (deployment: DeploymentObject): number =>
  isRolling(deployment) ? fenceposts(deployment).surge : 0;
export const maxUnavailable = (deployment: DeploymentObject): number =>
  !isRolling(deployment) || deployment.spec.replicas === 0
    ? 0
    : Math.min(fenceposts(deployment).unavailable, deployment.spec.replicas);

const sum = (sets: readonly ReplicaSetObject[], count: (set: ReplicaSetObject) => number): number =>
  sets.reduce((total, set) => total + count(set), 0);

/** Sizes that the sets are asked to have, Pods that they have, and those that are ready and available. */
export const specSize = (sets: readonly ReplicaSetObject[]): number => sum(sets, ({ spec }) => spec.replicas);
export const actualSize = (sets: readonly ReplicaSetObject[]): number => sum(sets, ({ status }) => status.replicas);
export const readySize = (sets: readonly ReplicaSetObject[]): number => sum(sets, ({ status }) => status.readyReplicas);
export const availableSize = (sets: readonly ReplicaSetObject[]): number =>
  sum(sets, ({ status }) => status.availableReplicas);

/** How large the new set may be now (N-011; NewRSNewReplicas). */
export function newSetSize(deployment: DeploymentObject, all: readonly ReplicaSetObject[], size: number): number {
  const { replicas, strategy } = deployment.spec;
  if (strategy === 'Recreate') return replicas;
  const room = replicas + maxSurge(deployment) - specSize(all);
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/** Which share of `toAdd` Pods a set gets in a proportional scaling (GetReplicaSetProportion). */
export function proportionOf(
  set: ReplicaSetObject,
  deployment: DeploymentObject,
  toAdd: number,
  added: number,
): number {
  if (set.spec.replicas === 0 || toAdd === 0 || toAdd === added) return 0;
  const fraction = fractionOf(set, deployment);
  const allowed = toAdd - added;
  return toAdd > 0 ? Math.min(fraction, allowed) : Math.max(fraction, allowed);
}

function fractionOf({ meta, spec }: ReplicaSetObject, deployment: DeploymentObject): number {
  const { replicas } = deployment.spec;
  if (replicas === 0) return -spec.replicas;
  const annotated = Number(meta.annotations[WORKLOAD.maxReplicas] ?? 0);
  const before = annotated > 0 ? annotated : deployment.status.replicas;
  if (before === 0) return 0;
  return roundHalfAway((spec.replicas * (replicas + maxSurge(deployment))) / before) - spec.replicas;
}

/** Go's integer.RoundToInt32: halves go away from zero. */
const roundHalfAway = (value: number): number => (value < 0 ? Math.ceil(value - 0.5) : Math.floor(value + 0.5));
