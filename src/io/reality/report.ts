import * as z from 'zod';
import { MEDIAN_RANK, missedBars } from './bars.ts';
import { LOWEST, type Placed, percentile, type RowSummary } from './compare.ts';

/** What docs/fidelity.md shows of a comparison: `docs/reality.json`. Lengths are ms. */
export const realityReport = z.object({
  seeds: z.number(),
  recordings: z.array(z.object({ name: z.string(), hops: z.number(), inside: z.number() })),
  rows: z.array(
    z.object({
      row: z.string(),
      n: z.number(),
      inside: z.number(),
      medianRank: z.number().nullable(),
      medianError: z.number().nullable(),
      real: z.array(z.number()).length(3),
      simulated: z.array(z.number()).length(3),
      missed: z.array(z.string()),
      /** Which of the two is wrong, and why, where a bar is missed: written by hand, kept when the report is written anew. */
      why: z.string(),
    }),
  ),
  exceptions: z.array(
    z.object({
      recording: z.string(),
      key: z.string(),
      real: z.number(),
      /** Lowest, middle and highest of what counts; null when hardly any run has the occurrence. */
      simulated: z.array(z.number()).length(3).nullable(),
      why: z.string(),
    }),
  ),
});
export type RealityReport = z.output<typeof realityReport>;

/** One recording's placed hops. */
export interface CheckedRecording {
  readonly name: string;
  readonly placed: readonly Placed[];
}

/** The report of a comparison; explanations of the same rows and occurrences in `before` are kept. */
export function reportOf(
  checked: readonly CheckedRecording[],
  rows: readonly RowSummary[],
  seeds: number,
  before: RealityReport | null,
): RealityReport {
  return {
    seeds,
    recordings: checked.map(({ name, placed }) => ({
      name,
      hops: placed.length,
      inside: placed.filter(({ isInside }) => isInside).length,
    })),
    rows: rows.map((summary) => ({
      row: summary.row,
      n: summary.n,
      inside: summary.inside,
      medianRank: summary.medianRank === null ? null : Number(summary.medianRank.toFixed(2)),
      medianError: summary.medianError === null ? null : ms(summary.medianError),
      real: spread(summary.real),
      simulated: spread(summary.simulated),
      missed: [...missedBars(summary)],
      why: before?.rows.find(({ row }) => row === summary.row)?.why ?? '',
    })),
    exceptions: checked.flatMap(({ name, placed }) =>
      placed
        .filter(({ isInside }) => !isInside)
        .map(({ key, real, simulated }) => ({
          recording: name,
          key,
          real: ms(real),
          simulated: simulated.length === 0 ? null : [LOWEST, 0.5, 1 - LOWEST].map((u) => ms(percentile(simulated, u))),
          why: before?.exceptions.find((one) => one.recording === name && one.key === key)?.why ?? '',
        })),
    ),
  };
}

const ms = (us: number): number => Number((us / 1000).toFixed(1));
const spread = ({ p10, p50, p90 }: RowSummary['real']): number[] => [ms(p10), ms(p50), ms(p90)];

/** A row in one line of text. */
export function rowLine({ row, n, inside, medianRank, medianError, real, simulated }: RowSummary): string {
  const rank = medianRank === null ? '-' : medianRank.toFixed(2);
  const error = medianError === null ? '-' : `${ms(medianError)} ms`;
  const three = (of: RowSummary['real']): string => spread(of).join(' / ');
  return `${row}: ${inside} of ${n} inside, median rank ${rank} (bar ${MEDIAN_RANK.from} to ${MEDIAN_RANK.to}), median error ${error}; p10 / p50 / p90 ${three(real)} ms, simulated ${three(simulated)} ms`;
}
