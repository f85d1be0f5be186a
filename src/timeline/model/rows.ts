/** Rows of the trace that belong together. */
import type { PodInput } from '../../sim/scenario.ts';
import { subjectsOfPod } from '../../sim/trace/indexes.ts';
import type { EventKind } from '../../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../../sim/trace/reader.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';

/** A row of the trace: its first event and how it repeats. */
export interface Row {
  readonly event: TraceEvent;
  readonly count: number;
  /** µs; 0 when it does not repeat. */
  readonly period: number;
}

/** All rows whose subject belongs to the Pod, by time of the first event, then in the trace's order. */
export function rowsOfPod({ reader }: FinishedRun, pod: PodInput): readonly Row[] {
  return rowsOfSubjects(reader, subjectsOfPod(reader, pod.identity));
}
/** All rows of a node that belong to no Pod: what its syncLoop received. */
export function rowsOfNode({ reader }: FinishedRun, node: string): readonly Row[] {
  const isOfNode = (subject: number): boolean => reader.subjects[subject]?.node === node;
  return rowsOfSubjects(reader, subjectsOfPod(reader, '').filter(isOfNode));
}

function rowsOfSubjects(reader: TraceReader, subjects: Uint32Array): readonly Row[] {
  const found = [...subjects].flatMap((subject) => [...reader.rowsOf(subject)]);
  const { at, count } = reader.data;
  found.sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0) || a - b);
  return found.map((row) => ({
    event: reader.event({ row, ordinal: 0 }),
    count: count[row] ?? 1,
    period: reader.periodOf(row),
  }));
}

/** The event of a row when it is of that kind. */
export function isKind<K extends EventKind>(row: Row, kind: K): row is Row & { readonly event: TraceEvent<K> } {
  return row.event.kind === kind;
}
