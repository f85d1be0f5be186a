/** Attempts of clients by the Pod that they were sent to: rows are sorted out once for each run, events made when a Pod is asked for. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';

type Attempt = TraceEvent<'clientAttempt'>;

/** Rows by the place of the Pod's identity in the table of strings: there are many, and few are asked for. */
function rowsByPod(reader: TraceReader): ReadonlyMap<string, readonly number[]> {
  const { slot, strings, payload } = reader.data;
  const found = new Map<number, number[]>();
  for (const [subject, { component }] of reader.subjects.entries()) {
    if (component !== 'client') continue;
    for (const row of reader.rowsOf(subject)) {
      if (reader.kindOf(row) !== 'clientAttempt') continue;
      const pod = payload.clientAttempt.pod?.[slot[row] as number] as number;
      const rows = found.get(pod);
      if (rows) rows.push(row);
      else found.set(pod, [row]);
    }
  }
  return new Map([...found].map(([pod, rows]) => [strings[pod] as string, rows]));
}

const attemptsByPod = memoizedWeakly((reader: TraceReader) => {
  const rows = rowsByPod(reader);
  return memoized((pod: string): readonly Attempt[] =>
    (rows.get(pod) ?? [])
      .map((row) => reader.event({ row, ordinal: 0 }) as Attempt)
      .filter(({ end }) => !Number.isNaN(end))
      .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row),
  );
});

/** All attempts whose outcome is known, by their start; `pod`: an identity, '' for those that met no backend. */
export const attemptsAt = (reader: TraceReader, pod: string): readonly Attempt[] => attemptsByPod(reader)(pod);
