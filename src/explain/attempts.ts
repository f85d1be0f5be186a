/** Attempts of clients by the Pod that they were sent to: rows are sorted out once for each run, events made when a Pod is asked for. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import { rowsByText, rowsOfKind } from '../sim/trace/indexes.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';

type Attempt = TraceEvent<'clientAttempt'>;

const attemptsByPod = memoizedWeakly((reader: TraceReader) => {
  const ofPod = rowsByText(reader, rowsOfKind(reader, 'clientAttempt'), 'clientAttempt', 'pod');
  return memoized((pod: string): readonly Attempt[] =>
    [...ofPod(pod)]
      .map((row) => reader.event({ row, ordinal: 0 }) as Attempt)
      .filter(({ end }) => !Number.isNaN(end))
      .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row),
  );
});

/** All attempts whose outcome is known, by their start; `pod`: an identity, '' for those that met no backend. */
export const attemptsAt = (reader: TraceReader, pod: string): readonly Attempt[] => attemptsByPod(reader)(pod);
