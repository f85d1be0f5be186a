import type { Hop } from './hops.ts';

/** Where the instant of a recorded hop lies among those of the simulated runs. Lengths are µs. */
export interface Placed {
  readonly row: string;
  readonly key: string;
  readonly real: number;
  /** Of the runs that have the same occurrence, in order; empty when hardly any has it. */
  readonly simulated: readonly number[];
  /** Share of the simulated ones below the real one, half of the equal ones included; null without any. */
  readonly rank: number | null;
  /** Between the 0.5th and the 99.5th percentile, with the allowance for the machine's noise on both sides. */
  readonly isInside: boolean;
}

/** Allowance for what the machine did beside, µs. */
const NOISE = 100_000;
/** The range ends at this fraction from below and from above. */
export const LOWEST = 0.005;
/** An occurrence that fewer than this share of the runs have is no part of what the model expects. */
const ENOUGH = 0.02;

/** Places each hop of a recording among the hops of its simulations. */
export function placeHops(recorded: readonly Hop[], simulations: readonly (readonly Hop[])[]): readonly Placed[] {
  const lengths = new Map<string, number[]>();
  for (const { key, from, to } of simulations.flat()) {
    const known = lengths.get(key);
    if (known) known.push(to - from);
    else lengths.set(key, [to - from]);
  }
  return recorded.map((hop) => {
    const found = lengths.get(hop.key) ?? [];
    return placed(hop, found.length >= ENOUGH * simulations.length ? found.toSorted((a, b) => a - b) : []);
  });
}

function placed({ row, key, from, to }: Hop, simulated: readonly number[]): Placed {
  const real = to - from;
  const named = { row, key, real, simulated };
  if (simulated.length === 0) return { ...named, rank: null, isInside: false };
  const below = simulated.filter((length) => length < real).length;
  const equal = simulated.filter((length) => length === real).length;
  const isInside = real >= percentile(simulated, LOWEST) - NOISE && real <= percentile(simulated, 1 - LOWEST) + NOISE;
  return { ...named, rank: (below + equal / 2) / simulated.length, isInside };
}

/** The value of a sorted list at a fraction, straight between its neighbours (the usual estimate, R's type 7). */
export function percentile(sorted: readonly number[], fraction: number): number {
  const place = (sorted.length - 1) * fraction;
  const low = Math.floor(place);
  const [below = 0, above = below] = [sorted[low], sorted[low + 1]];
  return below + (place - low) * (above - below);
}

/** One row of the table: all occurrences of a hop. Lengths are µs. */
export interface RowSummary {
  readonly row: string;
  readonly n: number;
  readonly inside: number;
  /** Occurrences that fewer than half of the runs have. */
  readonly missing: number;
  readonly medianRank: number | null;
  /** Median of the real length less the median of its simulations. */
  readonly medianError: number | null;
  readonly real: Spread;
  readonly simulated: Spread;
}
export interface Spread {
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
}

/** Sums up placed hops row by row, in order of the rows. */
export function summarise(all: readonly Placed[]): readonly RowSummary[] {
  const rows = [...new Set(all.map(({ row }) => row))].sort();
  return rows.map((row) => {
    const own = all.filter((one) => one.row === row);
    const ranks = own.flatMap(({ rank }) => rank ?? []).sort((a, b) => a - b);
    const errors = own
      .flatMap(({ real, simulated }) => (simulated.length > 0 ? [real - percentile(simulated, 0.5)] : []))
      .sort((a, b) => a - b);
    return {
      row,
      n: own.length,
      inside: own.filter(({ isInside }) => isInside).length,
      missing: own.filter(({ rank }) => rank === null).length,
      medianRank: ranks.length > 0 ? percentile(ranks, 0.5) : null,
      medianError: errors.length > 0 ? percentile(errors, 0.5) : null,
      real: spreadOf(own.map(({ real }) => real)),
      simulated: spreadOf(own.flatMap(({ simulated }) => simulated)),
    };
  });
}

function spreadOf(lengths: readonly number[]): Spread {
  const sorted = lengths.toSorted((a, b) => a - b);
  return { p10: percentile(sorted, 0.1), p50: percentile(sorted, 0.5), p90: percentile(sorted, 0.9) };
}
