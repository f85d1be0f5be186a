/** How long the rules of a node are right to keep a Pod that leaves: it serves while it terminates, and none is ready (P-051). */
import type { Micros } from '../base/units.ts';
import { historyOf } from '../sim/trace/storedObjects.ts';
import { readyCounts } from './endpointHistory.ts';
import type { Fallback, Moment } from './path.ts';
import type { PathSubject } from './pathSubject.ts';

/**
 * `slice`: the commit after which the Pod is not ready any more; `without`: from then on the rules are without it, null for
 * never. Null where the rules go on holding it for other reasons, such as the rest of minSyncPeriod.
 */
export function fallbackOf(subject: PathSubject, node: string, slice: Micros, without: Micros | null): Fallback | null {
  const { history, run } = subject;
  const horizon = run.reader.data.horizon;
  const counts = readyCounts(run.reader, history.service, isLocal(subject, slice) ? node : null);
  const isFallback = (at: Micros): boolean =>
    history.steps.findLast((step) => step.at <= at)?.state === 'serving, terminating' &&
    (counts.findLast((count) => count.at <= at)?.ready ?? 0) === 0;
  const turns: readonly Moment[] = [...history.steps, ...counts]
    .filter(({ at }) => at >= slice && at <= (without ?? horizon))
    .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
  const last = turns.findLastIndex(({ at }) => isFallback(at));
  if (last < 0) return null;
  const end = turns.slice(last + 1).find(({ at }) => !isFallback(at));
  // Rules that drop it all the same do so for a reason of their own: versions before 1.26 have no fall-back.
  return end === undefined && without !== null
    ? null
    : { end: end === undefined ? null : { at: end.at, ref: end.ref } };
}

/** Whether rules choose among the endpoints of their own node alone (P-050). */
function isLocal({ run, history }: PathSubject, at: Micros): boolean {
  const version = historyOf(run.reader, 'services', history.service).findLast((one) => one.at <= at);
  return version?.object?.spec.internalTrafficPolicy === 'Local';
}
