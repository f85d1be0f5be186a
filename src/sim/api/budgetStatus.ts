import type { PodDisruptionBudgetObject, WorkloadCondition } from './workloadObjects.ts';

export type BudgetStatus = PodDisruptionBudgetObject['status'];

const ALLOWED = 'DisruptionAllowed';

/** What the condition DisruptionAllowed says for so many disruptions. */
const saidFor = (allowed: number): Pick<WorkloadCondition, 'status' | 'reason'> =>
  allowed > 0 ? { status: 'True', reason: 'SufficientPods' } : { status: 'False', reason: 'InsufficientPods' };

/**
 * The status with the condition DisruptionAllowed; its transition time moves with a change only. `now`: wall-clock seconds.
 * Source: component-helpers apps/poddisruptionbudget UpdateDisruptionAllowedCondition; apimachinery meta.SetStatusCondition.
 */
export function withAllowedCondition(
  status: BudgetStatus,
  now: number,
  said: Pick<WorkloadCondition, 'status' | 'reason'> = saidFor(status.disruptionsAllowed),
  message = '',
): BudgetStatus {
  const known = status.conditions.find(({ type }) => type === ALLOWED);
  const since = known?.status === said.status ? known.lastTransitionTime : now;
  const made: WorkloadCondition = { type: ALLOWED, ...said, message, lastUpdateTime: since, lastTransitionTime: since };
  return { ...status, conditions: [...status.conditions.filter(({ type }) => type !== ALLOWED), made] };
}

/** Whether the condition says what the numbers say (ConditionsAreUpToDate). */
export function isConditionRight({ conditions, disruptionsAllowed }: BudgetStatus): boolean {
  const { status, reason } = saidFor(disruptionsAllowed);
  return conditions.some((one) => one.type === ALLOWED && one.status === status && one.reason === reason);
}
