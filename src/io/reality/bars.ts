import { milliseconds } from '../../base/units.ts';
import type { Placed, RowSummary } from './compare.ts';
import { MEASURED_SPREADS } from './measuredSpreads.ts';

/** Of the real instants, this share lies within the simulated range. */
const INSIDE_SHARE = 0.98;
/** From so many occurrences on, the median rank lies in the middle. */
const RANK_FROM = 20;
export const MEDIAN_RANK = { from: 0.35, to: 0.65 } as const;
/** No p10 to p90 is wider than this many times the real one, and this much more, µs: wide latencies buy nothing. */
const WIDTH_FACTOR = 1.5;
const WIDTH_EXTRA = 10_000;

/** How many instants may lie outside: 2 %, rounded up, so that one of a few does not fail a whole recording. */
const mayMiss = (n: number): number => Math.ceil(n * (1 - INSIDE_SHARE));

export const isInRange = (placed: readonly Placed[]): boolean =>
  placed.filter(({ isInside }) => !isInside).length <= mayMiss(placed.length);

/** Which bars a row misses, in words; none when it holds. */
export function missedBars(summary: RowSummary): readonly string[] {
  const { n, medianRank, simulated } = summary;
  const missed: string[] = [];
  if (n >= RANK_FROM && (medianRank === null || medianRank < MEDIAN_RANK.from || medianRank > MEDIAN_RANK.to))
    missed.push(`median rank not between ${MEDIAN_RANK.from} and ${MEDIAN_RANK.to}`);
  const width = realWidth(summary);
  const most = width === null ? Number.POSITIVE_INFINITY : WIDTH_FACTOR * width + WIDTH_EXTRA;
  if (simulated.p90 - simulated.p10 > most) missed.push(`p10 to p90 wider than ${(most / 1000).toFixed(1)} ms`);
  return missed;
}

/** p90 less p10, µs: of a few occurrences that of the README's row, where that is wider; null when neither says anything. */
function realWidth({ row, n, real }: RowSummary): number | null {
  const own = real.p90 - real.p10;
  if (n >= RANK_FROM) return own;
  const measured = MEASURED_SPREADS[row];
  return measured ? Math.max(own, milliseconds(measured[1] - measured[0])) : null;
}
