import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/units.ts';
import type { Budget, Hop } from '../../explain/hops.ts';
import type { PodPath } from '../../explain/path.ts';
import { burstOf } from './burst.ts';

const s = (seconds: number): Micros => (seconds * 1e6) as Micros;
/** A path whose parts end at these seconds, from the first on. */
function budget(from: number, ...ends: readonly number[]): Budget {
  const ref = { row: 0, ordinal: 0 };
  const hops = ends.map((to, i): Hop => {
    const start = ends[i - 1] ?? from;
    return { hop: 1, from: s(start), to: s(to), start: ref, end: ref, share: 0 };
  });
  const last = s(ends.at(-1) ?? from);
  return {
    direction: 'joining',
    path: {} as PodPath,
    node: '',
    from: s(from),
    to: last,
    waitingFor: null,
    end: last,
    leftBefore: false,
    hops,
    longest: 1,
  };
}

describe('burstOf', () => {
  it.each<[name: string, path: Budget, window: number, burst: readonly [from: number, to: number] | null]>([
    ['a long wait, then all within a second: around that second', budget(3, 11.2, 11.21, 11.3, 11.6), 40, [10.9, 11.9]],
    ['in a nearer window less than a second', budget(3, 3.9, 3.91, 3.95, 4), 6, [3.575, 4.325]],
    ['what is far from the others does not count', budget(3, 11.2, 11.21, 11.4, 25), 40, [10.8, 11.8]],
    ['a path that the window shows well has none', budget(3, 3.1, 3.2, 3.4), 1.2, null],
    ['two ends are none', budget(3, 11, 25), 40, null],
    ['nobody sees what is magnified out of view', budget(3, 51.2, 51.21, 51.3, 51.6), 40, null],
    ['of two the one in view', budget(3, 11.2, 11.21, 11.3, 51.2, 51.21, 51.22, 51.3, 51.6), 40, [10.75, 11.75]],
  ])('%s', (_name, path, window, burst) => {
    const got = burstOf(path, { from: 0, to: s(window) }, Math.min(1e6, s(window) / 8));
    expect(got && [got.from / 1e6, got.to / 1e6]).toEqual(burst);
  });
});
