/** What clients of a Service met at one of its Pods, attempt by attempt: found once for each run, then looked up. */
import { memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceReader } from '../sim/trace/reader.ts';

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

/** By `service pod`, in order; without a Pod those that met no backend at all. */
const attemptsOf = memoizedWeakly((reader: TraceReader): ReadonlyMap<string, readonly Met[]> => {
  const services = servicesOfClients(reader);
  const found = new Map<string, Met[]>();
  for (const [index, { component, object }] of reader.subjects.entries()) {
    const service = services.get(object);
    if (component !== 'client' || service === undefined) continue;
    for (const row of reader.rowsOf(index)) {
      if (reader.kindOf(row) !== 'clientAttempt') continue;
      const at = ((reader.data.at[row] as number) + (reader.data.length[row] as number)) as Micros;
      if (Number.isNaN(at)) continue;
      const key = `${service} ${reader.field(row, 'pod')}`;
      const met: Met = { at, outcome: String(reader.field(row, 'outcome')), ref: { row, ordinal: 0 } };
      const list = found.get(key);
      if (list) list.push(met);
      else found.set(key, [met]);
    }
  }
  for (const list of found.values()) list.sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
  return found;
});

const servicesOfClients = memoizedWeakly((reader: TraceReader): ReadonlyMap<string, string> => {
  const starts = reader.subjects.flatMap(({ component, object }, index) =>
    component === 'client' ? [...reader.rowsOf(index)].map((row) => ({ row, client: object })) : [],
  );
  return new Map(
    starts
      .filter(({ row }) => reader.kindOf(row) === 'clientStart')
      .map(({ row, client }) => [client, String(reader.field(row, 'service'))]),
  );
});

/** Whether any client of the run calls the Service. */
export const hasClients = (reader: TraceReader, service: string): boolean =>
  [...servicesOfClients(reader).values()].includes(service);

/** What a client last met at the Pod (an identity), or instead of it where there was no backend at all; null before the first attempt. */
export function clientViewAt(reader: TraceReader, service: string, pod: string, at: Micros): ClientView | null {
  const lists = [pod, ''].map((name) => (attemptsOf(reader).get(`${service} ${name}`) ?? []) as readonly Met[]);
  const views = lists.flatMap((list) => lastOf(list, at) ?? []);
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
