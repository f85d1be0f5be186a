import { describe, expect, it } from 'vitest';
import { missedBars } from './bars.ts';
import { percentile, placeHops, summarise } from './compare.ts';
import type { Hop } from './hops.ts';

const MS = 1000;
const hop = (lengthMs: number, key = 'a'): Hop => ({ row: 'row', key, from: 5 * MS, to: (5 + lengthMs) * MS });
/** One run for each length. */
const runs = (lengthsMs: readonly number[]): Hop[][] => lengthsMs.map((length) => [hop(length)]);
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describe('a recorded hop among those of the runs', () => {
  it.each<[name: string, real: number, simulated: readonly number[], rank: number | null, isInside: boolean]>([
    ['in the middle has half of them below it', 2, [1, 2, 3], 0.5, true],
    ['above all of them has rank 1', 10, [1, 2, 3], 1, true],
    ['is inside while it is out of the range by no more than the machine’s noise', 102, [1, 2, 3], 1, true],
    ['is outside beyond that', 104, [1, 2, 3], 1, false],
    ['is outside below that too', 1, upTo(200).map((n) => n + 101), 0, false],
    ['is outside of runs that never had it', 2, [], null, false],
  ])('%s', (_name, real, simulated, rank, isInside) => {
    const [placed] = placeHops([hop(real)], runs(simulated));
    expect(placed).toMatchObject({ rank, isInside });
  });

  it('counts the runs that have it, and no others', () => {
    const [placed] = placeHops([hop(2)], [...runs([1, 3]), [hop(9, 'b')], []]);
    expect(placed?.simulated).toEqual([1 * MS, 3 * MS]);
  });

  it('is not compared with fewer than one run in fifty', () => {
    const others = Array.from({ length: 50 }, (): Hop[] => []);
    expect(placeHops([hop(2)], [[hop(1)], ...others])[0]?.simulated).toEqual([]);
    expect(placeHops([hop(2)], [[hop(1)], ...others.slice(1)])[0]?.simulated).toEqual([1 * MS]);
  });
});

it('a percentile lies straight between its neighbours', () => {
  expect([0, 0.25, 0.5, 1].map((u) => percentile([0, 10, 20], u))).toEqual([0, 5, 10, 20]);
});

describe('a row of the table', () => {
  const row = (reals: readonly number[], simulated: readonly number[]) => {
    const placed = reals.flatMap((real) => placeHops([hop(real)], runs(simulated)));
    const [summary] = summarise(placed);
    return summary as NonNullable<typeof summary>;
  };

  it('sums up its occurrences', () => {
    expect(row([1, 2, 3], [2, 2, 2])).toMatchObject({ row: 'row', n: 3, inside: 3, medianRank: 0.5, medianError: 0 });
  });

  it.each<[name: string, reals: number[], simulated: number[], missed: RegExp[]]>([
    ['holds where both are alike', upTo(20), upTo(20), []],
    ['misses a bar where the runs are always later', upTo(20), upTo(20).map((n) => n + 50), [/median rank/]],
    ['misses a bar where the runs are spread too widely', upTo(20), upTo(20).map((n) => 5 * n - 42), [/wider than/]],
    ['is no measure of ranks with fewer than twenty', upTo(19), upTo(19).map((n) => n + 50), []],
  ])('%s', (_name, reals, simulated, missed) => {
    const found = missedBars(row(reals, simulated));
    expect(found.map((bar, i) => missed[i]?.test(bar))).toEqual(missed.map(() => true));
  });
});
