/** Attempts of clients that were not served and that no retry follows: found once for each run. */
import { memoizedWeakly } from '../../base/memoized.ts';
import type { Micros } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { TraceReader } from '../../sim/trace/reader.ts';

export interface LostAttempt {
  readonly ref: EventRef;
  /** Its start. */
  readonly at: Micros;
  /** Identity of the Pod that it met; '' for none. */
  readonly pod: string;
}

export const lostAttempts = memoizedWeakly((reader: TraceReader): readonly LostAttempt[] => {
  const rows = reader.subjects.flatMap(({ component }, index) =>
    component === 'client' ? [...reader.rowsOf(index)] : [],
  );
  return rows
    .filter((row) => reader.kindOf(row) === 'clientAttempt' && isLost(String(reader.field(row, 'outcome'))))
    .map((row) => ({
      ref: { row, ordinal: 0 },
      at: reader.data.at[row] as Micros,
      pod: String(reader.field(row, 'pod')),
    }))
    .sort((a, b) => a.at - b.at);
});

const isLost = (outcome: string): boolean => outcome !== '' && outcome !== 'served';
