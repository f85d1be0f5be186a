import { type ApiPod, isPodReady } from '../api/apiPod.ts';
import { withAllowedCondition } from '../api/budgetStatus.ts';
import { selects } from '../api/objects.ts';
import { isTerminal } from '../api/podStatus.ts';
import type { PodDisruptionBudgetObject } from '../api/workloadObjects.ts';
import type { WorkloadContext } from '../controllers/workloads/context.ts';

/** What the API server made of an eviction. */
export interface EvictionVerdict {
  readonly code: 201 | 429 | 500;
  /** The budget that was asked; null: none. */
  readonly budget: PodDisruptionBudgetObject | null;
  readonly why: string;
  /** Whether the budget pays for it. */
  readonly pays: boolean;
}

/**
 * Whether a Pod may be evicted now (C-014), `all` being the budgets there are: one that has not started, has ended or is going is not protected.
 * Source: pkg/registry/core/pod/storage/eviction.go.
 */
export function judgeEviction(all: readonly PodDisruptionBudgetObject[], pod: ApiPod): EvictionVerdict {
  const { phase } = pod.status;
  const isProtected = phase !== 'Pending' && !isTerminal(phase) && pod.deletionTimestamp === null;
  if (!isProtected) return { code: 201, budget: null, why: 'no check', pays: false };
  const budgets = all.filter(
    ({ meta, spec }) => meta.namespace === pod.input.namespace && selects(spec.selector, pod.labels),
  );
  const [budget] = budgets;
  if (!budget) return { code: 201, budget: null, why: 'no budget', pays: false };
  if (budgets.length > 1) return { code: 500, budget: null, why: 'more than one budget', pays: false };
  const { currentHealthy, desiredHealthy, disruptionsAllowed, observedGeneration } = budget.status;
  const isFree = budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow';
  if (!isPodReady(pod) && (isFree || (currentHealthy >= desiredHealthy && desiredHealthy > 0)))
    return { code: 201, budget, why: 'not ready, allowed', pays: false };
  if (observedGeneration < budget.meta.generation)
    return { code: 429, budget, why: 'still being processed', pays: false };
  const refusal = `needs ${desiredHealthy} healthy pods and has ${currentHealthy}`;
  if (disruptionsAllowed <= 0) return { code: 429, budget, why: refusal, pays: false };
  return { code: 201, budget, why: 'budget decremented', pays: true };
}

/** The budget after an eviction that it pays for (checkAndDecrement). */
export function paidBudget(
  { kernel, wall }: WorkloadContext,
  budget: PodDisruptionBudgetObject,
  { input }: ApiPod,
): PodDisruptionBudgetObject {
  const now = wall.seconds(kernel.now);
  const { status } = budget;
  const disruptionsAllowed = status.disruptionsAllowed - 1;
  const disruptedPods = { ...status.disruptedPods, [input.name]: now };
  const paid = { ...status, disruptionsAllowed, disruptedPods };
  return { ...budget, status: disruptionsAllowed === 0 ? withAllowedCondition(paid, now) : paid };
}
