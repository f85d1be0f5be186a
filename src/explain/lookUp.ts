/** Look-ups by kind of event: what was said last, and what comes next. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import { subjectsOfPod as allOfPod } from '../sim/trace/indexes.ts';
import type { EventKind, EventRef, Subject } from '../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';

/** Indices of the subjects of a Pod (identity) that fit; of '' those that are about no Pod. */
export const subjectsOfPod = (
  reader: TraceReader,
  pod: string,
  wanted: (subject: Subject) => boolean = () => true,
): readonly number[] => [...allOfPod(reader, pod)].filter((index) => wanted(reader.subjects[index] as Subject));

const syncLoops = memoizedWeakly((reader: TraceReader) =>
  memoized((node: string) => subjectsOfPod(reader, '', (s) => s.component === 'syncLoop' && s.node === node)),
);

/** Indices of the subjects of a node's syncLoop that are about no single Pod. */
export const syncLoopOf = (reader: TraceReader, node: string): readonly number[] => syncLoops(reader)(node);

/** All events of some subjects that are of that kind, by time; of packed rows the first. */
export function eventsOfKind<K extends EventKind>(
  reader: TraceReader,
  subjects: readonly number[],
  kind: K,
): readonly TraceEvent<K>[] {
  return subjects
    .flatMap((subject) => [...reader.rowsOf(subject).filter((row) => reader.kindOf(row) === kind)])
    .map((row) => reader.event({ row, ordinal: 0 }) as TraceEvent<K>)
    .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
}

/** Of events by time, those that no other one follows at the same instant: what they say holds for longer than none. */
export const lasting = <T extends { readonly at: Micros }>(events: readonly T[]): readonly T[] =>
  events.filter((event, i) => events[i + 1]?.at !== event.at);

const ANY = (): boolean => true;

/** The subject's last event of that kind that begins at or before `t` and is `wanted`; null when there is none. */
export function lastOfKind<K extends EventKind>(
  reader: TraceReader,
  subjects: readonly number[],
  kind: K,
  t: Micros,
  wanted: (payload: TraceEvent<K>['payload']) => boolean = ANY,
): TraceEvent<K> | null {
  return newest(
    reader,
    subjects.map((subject) => lastRef(reader, subject, t, (row) => isWanted(reader, row, kind, wanted))),
    kind,
    (a, b) => b - a,
  );
}

/** The subject's first event of that kind that begins after `t` and is `wanted`; null when there is none. */
export function nextOfKind<K extends EventKind>(
  reader: TraceReader,
  subjects: readonly number[],
  kind: K,
  t: Micros,
  wanted: (payload: TraceEvent<K>['payload']) => boolean = ANY,
): TraceEvent<K> | null {
  return newest(
    reader,
    subjects.map((subject) => nextRef(reader, subject, t, (row) => isWanted(reader, row, kind, wanted))),
    kind,
    (a, b) => a - b,
  );
}

/** Repetitions of a packed row differ in nothing but their time, so the first one speaks for all. */
function isWanted<K extends EventKind>(
  reader: TraceReader,
  row: number,
  kind: K,
  wanted: (payload: TraceEvent<K>['payload']) => boolean,
): boolean {
  if (reader.kindOf(row) !== kind) return false;
  if (wanted === ANY) return true;
  const event = asKind(reader.event({ row, ordinal: 0 }), kind);
  return event !== null && wanted(event.payload);
}

/** The event of the same kind and subject before `ref`; null when it is the first. */
export function previousOf(reader: TraceReader, { row, ordinal }: EventRef): EventRef | null {
  if (ordinal > 0) return { row, ordinal: ordinal - 1 };
  const rows = reader.rowsOf(reader.data.subject[row] ?? 0);
  const before = rows.findLast((candidate) => candidate < row && reader.kindOf(candidate) === reader.kindOf(row));
  return before === undefined ? null : { row: before, ordinal: (reader.data.count[before] ?? 1) - 1 };
}

function newest<K extends EventKind>(
  reader: TraceReader,
  refs: readonly (EventRef | null)[],
  kind: K,
  compare: (a: number, b: number) => number,
): TraceEvent<K> | null {
  const found = refs.filter((ref) => ref !== null);
  const [first] = found.sort((a, b) => compare(reader.startOf(a), reader.startOf(b)));
  return first === undefined ? null : asKind(reader.event(first), kind);
}

/** The event when it is of that kind. */
export function asKind<K extends EventKind>(event: TraceEvent, kind: K): TraceEvent<K> | null {
  return event.kind === kind ? (event as TraceEvent<K>) : null;
}

function lastRef(
  reader: TraceReader,
  subject: number,
  t: Micros,
  isWantedRow: (row: number) => boolean,
): EventRef | null {
  const { at, count } = reader.data;
  const row = reader.rowsOf(subject).findLast((candidate) => (at[candidate] ?? 0) <= t && isWantedRow(candidate));
  if (row === undefined) return null;
  const step = reader.periodOf(row);
  const passed = step > 0 ? Math.floor((t - (at[row] ?? 0)) / step) : 0;
  return { row, ordinal: Math.min((count[row] ?? 1) - 1, passed) };
}

function nextRef(
  reader: TraceReader,
  subject: number,
  t: Micros,
  isWantedRow: (row: number) => boolean,
): EventRef | null {
  const { at, count } = reader.data;
  for (const row of reader.rowsOf(subject)) {
    if (!isWantedRow(row)) continue;
    const first = at[row] ?? 0;
    const step = reader.periodOf(row);
    const ordinal = first > t || step === 0 ? 0 : Math.floor((t - first) / step) + 1;
    if (ordinal < (count[row] ?? 1) && first + ordinal * step > t) return { row, ordinal };
  }
  return null;
}
