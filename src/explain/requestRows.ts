/** Which rows of a run are the last attempts of requests, and which of those nobody served. */
import { memoizedWeakly } from '../base/memoized.ts';
import type { TraceReader } from '../sim/trace/reader.ts';

/** Rows of requests that came to an end, whatever it was, client by client. */
export const requestRows = memoizedWeakly((reader: TraceReader): readonly number[] =>
  reader.subjects.flatMap(({ component }, subject) =>
    component === 'client' ? [...reader.rowsOf(subject)].filter((row) => isOver(reader, row)) : [],
  ),
);

const isOver = (reader: TraceReader, row: number): boolean =>
  reader.kindOf(row) === 'clientAttempt' &&
  !Number.isNaN(reader.data.length[row] as number) &&
  reader.field(row, 'final') === 1;

/** Those that were not served, by the start of their last attempt. */
export const lostRows = memoizedWeakly((reader: TraceReader): readonly number[] =>
  requestRows(reader)
    .filter((row) => reader.field(row, 'outcome') !== 'served')
    .sort((a, b) => (reader.data.at[a] as number) - (reader.data.at[b] as number) || a - b),
);
