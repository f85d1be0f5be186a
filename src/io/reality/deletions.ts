import { namedFractions } from '../../base/hash.ts';
import { quantileAt } from '../../base/quantiles.ts';
import { type MicrosSpan, micros, microsSpan, milliseconds } from '../../base/units.ts';
import type { RolloutInput } from '../../sim/clusterInput.ts';
import type { Action, PodInput, Scenario } from '../../sim/scenario.ts';
import { withDrawnAnswers } from './answers.ts';
import { ANSWER_US, OBSERVER } from './hopDistributions.ts';
import type { Deletion, Observations } from './observations.ts';
import type { Reality } from './toScenario.ts';

/** A DELETE of the recording, µs. */
export interface GivenDeletion extends Deletion {
  /** The Pod's identity in the scenario. */
  readonly identity: string;
  /** Whose Ready a controller waited for, and how long after the commit of that it sent the DELETE; null: nobody's. */
  readonly follows: { readonly pod: string; readonly after: number } | null;
}

/** One seed's scenario, and by a Pod's identity how long its DELETE takes to the commit, µs. */
export interface SeededReality {
  readonly scenario: Scenario;
  readonly requests: ReadonlyMap<string, number>;
}

/** From the commit of a Pod to the controllers of workloads. */
const WATCH = milliseconds(3);

/**
 * The DELETEs of a recording. A controller's follows the last Pod that became Ready, where no other does: a rollout goes on
 * when the simulated Pod is Ready, not when the recorded one was.
 */
export function givenDeletions(
  { deletions, patches }: Observations,
  identityAt: (pod: string, at: number) => string,
): readonly GivenDeletion[] {
  const followed = new Set<string>();
  return deletions.map((given) => {
    const deletion = { ...given, identity: identityAt(given.pod, given.receivedAt) };
    const ready = patches.findLast(
      (patch) => patch.ready === true && patch.pod !== deletion.pod && patch.answeredAt <= deletion.receivedAt,
    );
    if (!deletion.isByController || !ready || followed.has(ready.pod)) return { ...deletion, follows: null };
    followed.add(ready.pod);
    const after = deletion.receivedAt - (ready.answeredAt - ANSWER_US);
    return { ...deletion, follows: { pod: ready.pod, after } };
  });
}

/** The scenario with a seed, the lengths of its DELETEs and of its apps' answers drawn by that. */
export function seeded({ scenario, deletions }: Reality, seed: number): SeededReality {
  const { cluster } = scenario;
  const all = withDrawnAnswers(scenario.pods, seed);
  const requests = new Map<string, number>();
  const actions: Action[] = [...scenario.actions];
  const rollouts: RolloutInput[] = [];
  for (const { identity: remove, receivedAt, graceSeconds, follows } of deletions) {
    const length = quantileAt(OBSERVER.deletion, namedFractions(seed, `reality/deletion/${remove}`)(0));
    const request = microsSpan(length - ANSWER_US);
    requests.set(remove, request);
    const add = all.find(({ name }) => name === follows?.pod);
    if (add && follows && add.createdAt >= request) rollouts.push(rolloutOf(add, remove, follows.after, request));
    else actions.push({ do: 'deletePod', pod: remove, at: micros(receivedAt + request), graceSeconds });
  }
  const added = new Set(rollouts.flatMap(({ replace }) => replace.map(({ add }) => add)));
  const pods = all.filter((pod) => !added.has(pod));
  return { scenario: { ...scenario, seed, pods, actions, cluster: cluster && { ...cluster, rollouts } }, requests };
}

/** Makes a Pod at its instant, and deletes another one when it has become Ready. */
const rolloutOf = (add: PodInput, remove: string, after: number, request: MicrosSpan): RolloutInput => ({
  at: micros(add.createdAt - request),
  replace: [{ add, remove }],
  minReady: microsSpan(Math.max(0, after - WATCH)),
  waitGone: false,
  request,
  response: microsSpan(0),
  watch: WATCH,
});
