import { MICROS_PER_SECOND } from '../../../base/units.ts';
import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import { type BudgetStatus, isConditionRight } from '../../api/budgetStatus.ts';
import { type PodDisruptionBudgetObject, scaledValue } from '../../api/workloadObjects.ts';

/** How long an evicted Pod may take to be deleted before it counts again, s (DeletionTimeout). */
const DELETION_TIMEOUT = 120;

/** What a budget protects: how many Pods there are to be, and how many of them healthy. */
export interface Expected {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** A number of healthy Pods is taken from the Pods that there are; anything else from what their owners want (getExpectedPodCount). */
export const countsOwners = ({ spec }: PodDisruptionBudgetObject): boolean =>
  spec.maxUnavailable !== null || typeof spec.minAvailable === 'string';

/** `scale`: how many Pods there are to be. */
export function expectedOf({ spec }: PodDisruptionBudgetObject, scale: number): Expected {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable !== null)
    return { expectedPods: scale, desiredHealthy: Math.max(0, scale - scaledValue(maxUnavailable, scale, 'up')) };
  if (minAvailable === null) return { expectedPods: 0, desiredHealthy: 0 };
  return { expectedPods: scale, desiredHealthy: scaledValue(minAvailable, scale, 'up') };
}

/**
 * Evicted Pods that nobody has deleted yet, and when the first of them counts again, µs since the Unix epoch (null
 * without any). `now`: µs since the epoch. Source: pkg/controller/disruption/disruption.go buildDisruptedPodMap.
 */
export function stillDisrupted(
  { disruptedPods }: BudgetStatus,
  pods: readonly ApiPod[],
  now: number,
): {
  readonly disrupted: BudgetStatus['disruptedPods'];
  readonly late: readonly ApiPod[];
  readonly next: number | null;
} {
  const waiting = pods.filter(
    ({ input, deletionTimestamp }) => deletionTimestamp === null && input.name in disruptedPods,
  );
  const dueOf = ({ input }: ApiPod): number =>
    ((disruptedPods[input.name] ?? 0) + DELETION_TIMEOUT) * MICROS_PER_SECOND;
  const inTime = waiting.filter((pod) => dueOf(pod) >= now);
  return {
    disrupted: Object.fromEntries(inTime.map(({ input }) => [input.name, disruptedPods[input.name] ?? 0])),
    late: waiting.filter((pod) => !inTime.includes(pod)),
    next: inTime.length > 0 ? Math.min(...inTime.map(dueOf)) : null,
  };
}

/** Ready Pods that are not going; one that was evicted is (countHealthyPods). */
export const healthyOf = (pods: readonly ApiPod[], disrupted: BudgetStatus['disruptedPods']): number =>
  pods.filter((pod) => pod.deletionTimestamp === null && !(pod.input.name in disrupted) && isPodReady(pod)).length;

/** Whether a status says what the budget has already (updatePdbStatus). */
export const saysNothingNew = ({ meta, status: before }: PodDisruptionBudgetObject, now: BudgetStatus): boolean =>
  before.currentHealthy === now.currentHealthy &&
  before.desiredHealthy === now.desiredHealthy &&
  before.expectedPods === now.expectedPods &&
  before.disruptionsAllowed === now.disruptionsAllowed &&
  JSON.stringify(Object.entries(before.disruptedPods).sort()) ===
    JSON.stringify(Object.entries(now.disruptedPods).sort()) &&
  before.observedGeneration === meta.generation &&
  isConditionRight(before);
