/** What holds of evictions and budgets (C-014). */
import type { Invariant } from '../invariant.ts';
import { place } from '../observation.ts';
import {
  isGoing,
  isOwnedBy,
  isReady,
  type SetJson,
  type Stored,
  type WorkloadObservation,
  type WorkloadPod,
} from '../workloadObservation.ts';

const healthyOf = (stored: Stored): number =>
  [...stored.of<WorkloadPod>('pods').values()].filter(
    (pod) => isOwnedBy(pod, 'StatefulSet') && isReady(pod) && !isGoing(pod),
  ).length;
const statusOf = (stored: Stored): SetJson['status'] =>
  stored.of<SetJson>('poddisruptionbudgets').get('db')?.status ?? {};

export const BUDGET_INVARIANTS: readonly Invariant<WorkloadObservation>[] = [
  {
    name: 'where nothing else happens, evictions of ready Pods leave as many as the budget wants (C-014)',
    check: (run, find) => {
      run.walk(({ event, resource, actor, verb, before, now }, stored) => {
        if (resource !== 'pods' || actor !== 'script' || verb !== 'delete' || !now || !run.isEvictionsOnly) return;
        const pod = before as WorkloadPod;
        if (!isReady(pod) || isGoing(pod)) return;
        const wanted = Number(statusOf(stored).desiredHealthy);
        find.that(healthyOf(stored) >= wanted, () => `${place(event)}: ${healthyOf(stored)} of ${wanted}`);
      });
    },
  },
  {
    name: 'a budget never allows less than nothing, and counts each eviction that it pays for (C-014)',
    check: (run, find) => {
      run.walk(({ event, resource, actor, before, now }) => {
        if (resource !== 'poddisruptionbudgets' || !before || !now) return;
        const [old, next] = [before as SetJson, now as SetJson].map(({ status }) => Number(status.disruptionsAllowed));
        find.that(Number(next) >= 0, () => place(event));
        if (actor === 'script') find.that(next === Number(old) - 1, () => `${place(event)}: ${old} to ${next}`);
      });
    },
  },
  {
    name: 'once nothing has happened for a while the status says what is there (C-014)',
    check: (run, find) => {
      let lastAt = 0;
      let healthy = 0;
      let status: SetJson['status'] = {};
      run.walk(({ event, resource }, stored) => {
        if (resource === 'pods' || resource === 'poddisruptionbudgets') lastAt = event.at;
        healthy = healthyOf(stored);
        status = statusOf(stored);
      });
      // A Pod that comes back under the name of an evicted one is not counted for two minutes.
      if (run.horizon - lastAt < 10_000_000 || status.disruptedPods !== undefined) return;
      find.that(status.currentHealthy === healthy, () => `${status.currentHealthy} healthy, and there are ${healthy}`);
    },
  },
];
