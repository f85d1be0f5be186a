/** How long the rules of a node are right to keep a Pod that leaves: it serves while it terminates, and none is ready (P-051). */
import type { Micros } from '../base/units.ts';
import { readyCounts } from './endpointHistory.ts';
import type { Fallback, Moment } from './path.ts';
import type { PathSubject } from './pathSubject.ts';

/** Older versions do not fall back. */
const SINCE_MINOR = 26;

/** How many ready endpoints the rules of a node have to choose from: with the Local policy its own alone (P-050). */
const readyFor = ({ run, history, isLocal }: PathSubject, node: string) =>
  readyCounts(run.reader, history.service, isLocal ? node : null);

/** Whether the rules of a node should keep the Pod for want of a ready one, by the slices of that instant. */
export function isFallbackAt(subject: PathSubject, node: string, at: Micros): boolean {
  const { history, run } = subject;
  return (
    Number(run.scenario.kubernetes.split('.')[1]) >= SINCE_MINOR &&
    history.steps.findLast((step) => step.at <= at)?.state === 'serving, terminating' &&
    (readyFor(subject, node).findLast((count) => count.at <= at)?.ready ?? 0) === 0
  );
}

/**
 * `slice`: the commit after which the Pod is not ready any more; `without`: from then on the rules are without it, null for
 * never. Null where the rules go on holding it for other reasons, such as the rest of minSyncPeriod.
 */
export function fallbackOf(subject: PathSubject, node: string, slice: Micros, without: Micros | null): Fallback | null {
  const until = without ?? subject.run.reader.data.horizon;
  const turns: readonly Moment[] = [...subject.history.steps, ...readyFor(subject, node)]
    .filter(({ at }) => at >= slice && at <= until)
    .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
  const last = turns.findLastIndex(({ at }) => isFallbackAt(subject, node, at));
  const end = last < 0 ? undefined : turns.slice(last + 1).find(({ at }) => !isFallbackAt(subject, node, at));
  // Rules that drop it all the same do so for a reason of their own.
  if (last < 0 || (end === undefined && without !== null)) return null;
  return { end: end === undefined ? null : { at: end.at, ref: end.ref } };
}
