import { describe, expect, it } from 'vitest';
import { apiPod, meta, runningStatus, scriptedPod } from '../../../test/support/cluster.ts';
import type { ApiPod } from '../api/apiPod.ts';
import type { PodDisruptionBudgetObject } from '../api/workloadObjects.ts';
import { judgeEviction } from './eviction.ts';

const pod = (ready: boolean, over: Partial<ApiPod> = {}): ApiPod =>
  apiPod(scriptedPod('web-1', { app: 'web' }, runningStatus(['10.0.0.1'], ready)), over);
const inPhase = (phase: 'Pending' | 'Succeeded'): ApiPod => {
  const one = pod(false);
  return { ...one, status: { ...one.status, phase } };
};
/** A budget for Pods of `app`, of which so many are healthy and wanted. */
const budget = (
  app: string,
  currentHealthy: number,
  desiredHealthy: number,
  generation = 1,
  unhealthyPodEvictionPolicy: PodDisruptionBudgetObject['spec']['unhealthyPodEvictionPolicy'] = 'IfHealthyBudget',
): PodDisruptionBudgetObject => ({
  meta: meta(app, { generation }),
  spec: { selector: { app }, minAvailable: desiredHealthy, maxUnavailable: null, unhealthyPodEvictionPolicy },
  status: {
    observedGeneration: 1,
    disruptionsAllowed: Math.max(0, currentHealthy - desiredHealthy),
    currentHealthy,
    desiredHealthy,
    expectedPods: currentHealthy,
    disruptedPods: {},
    conditions: [],
  },
});

describe('an eviction (C-014)', () => {
  it.each<[string, readonly PodDisruptionBudgetObject[], ApiPod, number, boolean]>([
    ['of a Pod without a budget is granted', [budget('db', 0, 1)], pod(true), 201, false],
    ['of a ready Pod is paid by the budget', [budget('web', 3, 2)], pod(true), 201, true],
    ['of a ready Pod is refused when the budget has nothing left', [budget('web', 2, 2)], pod(true), 429, false],
    [
      'of a Pod that is not ready costs nothing while enough are healthy',
      [budget('web', 2, 2)],
      pod(false),
      201,
      false,
    ],
    ['of a Pod that is not ready is refused while too few are healthy', [budget('web', 1, 2)], pod(false), 429, false],
    [
      'of a Pod that is not ready is granted in any case if the budget says so',
      [budget('web', 1, 2, 2, 'AlwaysAllow')],
      pod(false),
      201,
      false,
    ],
    [
      'of a ready Pod is refused though the budget lets all others go',
      [budget('web', 2, 2, 1, 'AlwaysAllow')],
      pod(true),
      429,
      false,
    ],
    ['is refused while a change of the budget is not looked at yet', [budget('web', 3, 2, 2)], pod(true), 429, false],
    ['of a Pod with two budgets is an error', [budget('web', 3, 2), budget('web', 3, 2)], pod(true), 500, false],
    ['of a Pod that has not started is granted', [budget('web', 0, 2)], inPhase('Pending'), 201, false],
    ['of a Pod that has ended is granted', [budget('web', 0, 2)], inPhase('Succeeded'), 201, false],
    ['of a Pod that is going is granted', [budget('web', 0, 2)], pod(true, { deletionTimestamp: 1 }), 201, false],
  ])('%s', (_name, budgets, one, code, pays) => {
    expect(judgeEviction(budgets, one)).toMatchObject({ code, pays });
  });
});
