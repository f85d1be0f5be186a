/** The Pods of a run, by identity. */
import { memoizedWeakly } from '../base/memoized.ts';
import type { PodInput, Scenario } from '../sim/scenario.ts';

/** All Pods that a scenario names: its own, and those that a rollout adds. Made once for each scenario. */
export const podsOf = memoizedWeakly((scenario: Scenario): ReadonlyMap<string, PodInput> => {
  const added = scenario.cluster?.rollouts.flatMap(({ replace }) => replace.map(({ add }) => add)) ?? [];
  return new Map([...scenario.pods, ...added].map((pod) => [pod.identity, pod]));
});
