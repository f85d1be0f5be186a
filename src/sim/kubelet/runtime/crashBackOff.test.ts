import { describe, expect, it } from 'vitest';
import { type Micros, micros } from '../../../base/units.ts';
import { CrashBackOff, crashBackOffLimits, goDuration } from './crashBackOff.ts';

const at = (seconds: number): Micros => micros(seconds * 1_000_000);

const limits = (max: number, gate = false, version = 37) =>
  crashBackOffLimits({ reducesCrashBackOff: gate, hasCrashBackOffMax: version >= 35 }, max);

/** Exits and tries in seconds; the answer of each try, in seconds of back-off. */
function tries(max: number, list: readonly [finished: number, now: number][]): readonly (number | null)[] {
  const backOff = new CrashBackOff(limits(max), at(0));
  return list.map(([finished, now]) => {
    const value = backOff.tryStart('web/app', at(finished), at(now));
    return value === null ? null : value / 1e6;
  });
}

describe('crash back-off (K-076, K-077)', () => {
  it.each<[string, number, readonly [number, number][], readonly (number | null)[]]>([
    [
      'the first restart is free, the next one waits 10 s',
      300,
      [
        [6, 6],
        [12, 12],
        [12, 21.9],
        [12, 22],
      ],
      [null, 10, 10, null],
    ],
    [
      'the value doubles with each start up to the maximum',
      300,
      [
        [0, 0],
        [10, 20],
        [30, 50],
        [60, 100],
        [110, 190],
        [200, 360],
        [370, 670],
        [700, 900],
      ],
      [null, null, null, null, null, null, null, 300],
    ],
    [
      'a container that ran 600 s since the last start begins anew',
      300,
      [
        [0, 0],
        [5, 15],
        [616, 616],
        [620, 621],
      ],
      [null, null, null, 10],
    ],
    [
      'exactly 600 s is not long enough',
      300,
      [
        [0, 0],
        [600, 601],
      ],
      [null, 10],
    ],
    [
      'a smaller maximum lowers the first wait too',
      4,
      [
        [0, 0],
        [1, 2],
        [1, 5],
        [6, 7],
      ],
      [null, 4, null, 4],
    ],
  ])('%s', (_name, max, list, expected) => {
    expect(tries(max, list)).toEqual(expected);
  });

  it('keeps one entry for each container', () => {
    const backOff = new CrashBackOff(limits(300), at(0));
    backOff.tryStart('web/app', at(0), at(0));
    expect(backOff.tryStart('web/other', at(1), at(1))).toBeNull();
    expect(backOff.tryStart('web/app', at(1), at(1))).toBe(10_000_000);
  });

  it.each([
    [10, '10s'],
    [59, '59s'],
    [60, '1m0s'],
    [80, '1m20s'],
    [160, '2m40s'],
    [300, '5m0s'],
  ])('%d s is printed %s', (seconds, text) => {
    expect(goDuration(seconds * 1e6)).toBe(text);
  });
});

describe('the limits', () => {
  it.each([
    ['by default', limits(300), 10, 300],
    ['of a short configured maximum', limits(5), 5, 5],
    ['before 1.35, where it cannot be configured', limits(5, false, 34), 10, 300],
    ['with the gate, before 1.35', limits(300, true, 34), 1, 60],
    ['with the gate and a configured maximum', limits(120, true), 1, 120],
  ])('%s', (_, found, initialSeconds, maxSeconds) => {
    expect(found).toEqual({ initialSeconds, maxSeconds });
  });
});
