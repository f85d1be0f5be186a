/** Since when the Ready condition in the API has had the value that it has at `t`. */
import type { Micros } from '../base/units.ts';
import type { PodInput } from '../sim/scenario.ts';
import { apiPodKey, conditionOf, podStatusOf } from '../sim/trace/podObject.ts';
import type { FinishedRun } from '../sim/trace/run.ts';

/** Instant of the change, µs; null before the Pod exists. */
export function readySince({ reader }: FinishedRun, pod: PodInput, t: Micros): Micros | null {
  const versions = reader.versionsOf(apiPodKey(pod.identity)).filter(({ since }) => since <= t);
  const readyIn = (index: number): string | undefined => conditionOf(podStatusOf(reader, index), 'Ready')?.status;
  const now = versions.at(-1);
  if (now === undefined) return null;
  const value = readyIn(now.index);
  const other = versions.findLastIndex(({ index }) => readyIn(index) !== value);
  return versions[other + 1]?.since ?? now.since;
}

/** Instants at which the Ready condition becomes True and stops being True, in order. */
export function readyChanges(
  { reader }: FinishedRun,
  pod: PodInput,
): readonly { readonly at: Micros; readonly ready: boolean }[] {
  const changes: { at: Micros; ready: boolean }[] = [];
  for (const { index, since } of reader.versionsOf(apiPodKey(pod.identity))) {
    const ready = conditionOf(podStatusOf(reader, index), 'Ready')?.status === 'True';
    if (ready !== (changes.at(-1)?.ready ?? false)) changes.push({ at: since, ready });
  }
  return changes;
}
