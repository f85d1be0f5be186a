import { describe, expect, it } from 'vitest';
import { partsOf, type Stretch, ticksOf, timeScale, windowOf } from './timeScale.ts';

const s = (seconds: number): number => seconds * 1e6;
const lens = (from: number, to: number, times = 8): Stretch => ({ from: s(from), to: s(to), times });
const scale = (from: number, to: number, width: number, ...stretches: readonly Stretch[]) =>
  timeScale({ from: s(from), to: s(to) }, width, stretches);

describe('timeScale', () => {
  it('maps the window onto the width', () => {
    const x = scale(10, 20, 800);
    expect([x(s(10)), x(s(15)), x.invert(800)]).toEqual([0, 400, s(20)]);
  });

  // 9 s at 1 and 1 s at 8 share 850 px: 50 px for each second outside.
  it.each<[name: string, at: number, px: number]>([
    ['before the lens time runs at the scale of the rest', 2, 100],
    ['at its edge', 4, 200],
    ['within it eight times as long', 4.5, 400],
    ['at its end', 5, 600],
    ['behind it at the scale of the rest again', 6, 650],
    ['to the edge of the window', 10, 850],
  ])('%s, and back', (_name, at, px) => {
    const x = scale(0, 10, 850, lens(4, 5));
    expect(x(s(at))).toBeCloseTo(px, 9);
    expect(x.invert(px)).toBeCloseTo(s(at), 3);
  });

  it.each<[name: string, stretch: Stretch, at: number, px: number]>([
    ['a lens that reaches out of the window counts as far as it is in view', lens(9, 11), 9, 450],
    ['a lens out of view changes nothing', lens(20, 21), 5, 425],
    ['a lens that fills the window changes nothing', lens(-5, 30), 5, 425],
  ])('%s', (_name, stretch, at, px) => {
    const x = scale(0, 10, 850, stretch);
    expect(x(s(at))).toBeCloseTo(px, 9);
    expect(windowOf(x)).toEqual({ from: 0, to: s(10) });
  });

  // 4 s of 10 are folded into 30 px: 100 px for each other second.
  const fold: Stretch = { from: s(4), to: s(8), width: 30 };
  it.each<[name: string, at: number, px: number]>([
    ['before a fold time runs at one scale', 2, 200],
    ['in it all the time shares its px', 6, 415],
    ['behind it time runs at that scale again', 9, 530],
  ])('%s, and back', (_name, at, px) => {
    const x = scale(0, 10, 630, fold);
    expect(x(s(at))).toBeCloseTo(px, 9);
    expect(x.invert(px)).toBeCloseTo(s(at), 3);
  });

  it('a fold has its px however near one looks, a part of it a part of them', () => {
    const near = scale(3, 9, 630, fold);
    expect(near(s(8)) - near(s(4))).toBeCloseTo(30, 9);
    const half = scale(6, 10, 630, fold);
    expect(half(s(8))).toBeCloseTo(15, 9);
  });

  it('a window in the middle of a fold is not folded', () => {
    expect(scale(5, 7, 600, fold)(s(6))).toBe(300);
  });

  it('is gapless: each part begins where the one before it ends', () => {
    const parts = partsOf(scale(0, 10, 850, lens(2, 3), lens(4, 5)));
    expect(parts.map(({ from, to }) => [from / 1e6, to / 1e6])).toEqual([
      [0, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 10],
    ]);
    for (const [i, { left }] of parts.entries()) expect(left).toBe(i === 0 ? 0 : parts[i - 1]?.right);
  });

  it.each<[name: string, stretches: readonly Stretch[], ticks: readonly number[]]>([
    ['one scale has one step', [], [0, 2, 4, 6, 8, 10]],
    ['a lens has a step of its own', [lens(4, 5)], [0, 2, 4, 4.2, 4.4, 4.6, 4.8, 6, 8, 10]],
    ['a fold has no ticks', [fold], [0, 1, 2, 3, 8, 9, 10]],
  ])('%s on the ruler, of 1, 2 or 5', (_name, stretches, ticks) => {
    const got = ticksOf(scale(0, 10, 850, ...stretches), 120, stretches);
    expect(got.map(({ at }) => at / 1e6)).toEqual(ticks);
  });
});
