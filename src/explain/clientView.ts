/** What clients of a Service met at one of its Pods, attempt by attempt: found once for each run, then looked up. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import { rowsOfKind } from '../sim/trace/indexes.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import { attemptsAt } from './attempts.ts';

/** An attempt whose outcome is known. */
interface Met {
  /** When the client knew, µs. */
  readonly at: Micros;
  readonly outcome: string;
  readonly ref: EventRef;
}
/** The outcome of the last attempt, and since when it has been the same. */
export interface ClientView {
  readonly outcome: string;
  readonly since: Micros;
  readonly ref: EventRef;
}

/** By `service pod`, by the instants at which clients knew; without a Pod those that met no backend at all. */
const metBy = memoizedWeakly((reader: TraceReader) =>
  memoized((key: string): readonly Met[] => {
    const [service, pod = ''] = key.split(' ');
    return attemptsAt(reader, pod)
      .filter(({ subject }) => servicesOfClients(reader).get(subject.object) === service)
      .map(({ end, payload, ref }): Met => ({ at: end, outcome: payload.outcome, ref }))
      .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
  }),
);

const servicesOfClients = memoizedWeakly(
  (reader: TraceReader): ReadonlyMap<string, string> =>
    new Map(
      Array.from(rowsOfKind(reader, 'clientStart'), (row) => {
        const { subject, payload } = reader.event({ row, ordinal: 0 }) as TraceEvent<'clientStart'>;
        return [subject.object, payload.service];
      }),
    ),
);

/** Whether any client of the run calls the Service. */
export const hasClients = (reader: TraceReader, service: string): boolean =>
  [...servicesOfClients(reader).values()].includes(service);

/**
 * What a client last met at the Pod (an identity), or instead of it where there was no backend at all; null before the
 * first attempt. `heldSince`: rules hold the Pod since then, and what met no backend earlier says nothing of it.
 */
export function clientViewAt(
  reader: TraceReader,
  service: string,
  pod: string,
  at: Micros,
  heldSince: Micros | null,
): ClientView | null {
  const [own, none] = [pod, ''].map((name) => lastOf(metBy(reader)(`${service} ${name}`), at));
  const views = [own, heldSince !== null && none && none.last < heldSince ? null : none].flatMap((view) => view ?? []);
  return (
    views.reduce<{ readonly view: ClientView; readonly last: Micros } | null>(
      (newest, view) => (newest === null || view.last > newest.last ? view : newest),
      null,
    )?.view ?? null
  );
}

function lastOf(list: readonly Met[], at: Micros): { readonly view: ClientView; readonly last: Micros } | null {
  let index = upTo(list, at) - 1;
  const last = list[index];
  if (last === undefined) return null;
  let first = last;
  for (let before = list[--index]; before?.outcome === last.outcome; before = list[--index]) first = before;
  return { view: { outcome: last.outcome, since: first.at, ref: last.ref }, last: last.at };
}

/** How many ended at or before `at`. */
function upTo(list: readonly Met[], at: Micros): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as Met).at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
