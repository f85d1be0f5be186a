/** The Pods of a run, by identity. */
import { memoizedWeakly } from '../base/memoized.ts';
import type { ScriptedPod } from '../sim/clusterInput.ts';
import type { PodInput, Scenario } from '../sim/scenario.ts';

/**
 * All Pods that a scenario names: its own, those that a rollout adds, and those that no kubelet runs, which have no
 * containers here: nobody runs them. Made once for each scenario.
 */
export const podsOf = memoizedWeakly((scenario: Scenario): ReadonlyMap<string, PodInput> => {
  const added = scenario.cluster?.rollouts.flatMap(({ replace }) => replace.map(({ add }) => add)) ?? [];
  const scripted = scriptedPods(scenario).map(({ input }) => ({ ...input, containers: [], initContainers: [] }));
  return new Map([...scripted, ...scenario.pods, ...added].map((pod) => [pod.identity, pod]));
});

/** Whether a kubelet runs it. */
export const hasKubelet = ({ containers }: PodInput): boolean => containers.length > 0;

const scriptedPods = ({ cluster }: Scenario): readonly ScriptedPod[] => [
  ...(cluster?.existing ?? []).flatMap((stored) => (stored.resource === 'pods' ? [stored.object] : [])),
  ...(cluster?.writes ?? []).flatMap((write) => {
    if (write.do === 'createSet') return write.pods;
    return write.do === 'create' && write.stored.resource === 'pods' ? [write.stored.object] : [];
  }),
];
