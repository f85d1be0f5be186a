import { describe, expect, it } from 'vitest';
import type { TimeWindow } from '../model/window.ts';
import { type Stretch, timeScale } from './timeScale.ts';
import {
  besideFold,
  clampWindow,
  gestured,
  lengthOf,
  MIN_WINDOW,
  panBy,
  reveal,
  type Stage,
  windowWith,
  zoomAt,
} from './timeWindow.ts';

const bounds: TimeWindow = { from: 0, to: 60_000_000 };
const stage: Stage = { bounds, width: 800, stretches: [] };
const w = (from: number, to: number): TimeWindow => ({ from: from * 1e6, to: to * 1e6 });

describe('timeWindow', () => {
  it.each<[name: string, got: TimeWindow, expected: TimeWindow]>([
    ['zooming in keeps the instant under the pointer in place', zoomAt(w(0, 60), 15e6, 0.5, stage), w(7.5, 37.5)],
    ['zooming out stops at the whole run', zoomAt(w(10, 50), 20e6, 8, stage), bounds],
    ['zooming at the left edge keeps the left edge', zoomAt(w(20, 40), 20e6, 0.5, stage), w(20, 30)],
    ['panning goes by a share of the window', panBy(w(10, 20), 0.25, stage), w(12.5, 22.5)],
    ['panning stops at the end of the run', panBy(w(45, 55), 2, stage), w(50, 60)],
    ['a window before the run is moved into it', clampWindow(w(-5, 5), bounds), w(0, 10)],
    ['an instant in view does not move the window', reveal(w(10, 20), 15e6, stage), w(10, 20)],
    ['an instant out of view is centred', reveal(w(10, 20), 40e6, stage), w(35, 45)],
    ['one at the very edge is too', reveal(w(10, 20), 19.8e6, stage), w(14.8, 24.8)],
  ])('%s', (_name, got, expected) => {
    expect(got.from).toBeCloseTo(expected.from, 3);
    expect(got.to).toBeCloseTo(expected.to, 3);
  });

  it('never zooms in beyond the closest view', () => {
    const closest = zoomAt(w(1, 2), 1.5e6, 1e-9, stage);
    expect(closest.to - closest.from).toBeCloseTo(MIN_WINDOW, 6);
  });

  describe('while a second is drawn eight times as long', () => {
    const lens: Stretch = { from: 30e6, to: 31e6, times: 8 };
    const altered: Stage = { ...stage, stretches: [lens] };
    const px = (window: TimeWindow, at: number): number => timeScale(window, 800, [lens])(at);

    it.each<[name: string, at: number]>([
      ['left of it', 25e6],
      ['inside of it', 30.4e6],
      ['right of it', 36e6],
    ])('zooming keeps the instant under the pointer in place, %s', (_name, at) => {
      for (const factor of [0.7, 1.3]) {
        const zoomed = zoomAt(w(20, 40), at, factor, altered);
        expect(px(zoomed, at)).toBeCloseTo(px(w(20, 40), at), 6);
      }
    });

    const inFold: Stage = { ...stage, stretches: [{ from: 20e6, to: 40e6, width: 30 }] };
    it.each<[name: string, got: TimeWindow, expected: TimeWindow]>([
      ['a window in the middle of a fold shows both sides of it', besideFold(w(25, 31), inFold), w(17, 43)],
      ['one that has an end of it stays', besideFold(w(25, 41), inFold), w(25, 41)],
      ['one beside it stays', besideFold(w(2, 4), inFold), w(2, 4)],
      [
        'near the end of the run it shows what there is',
        besideFold(w(25, 31), { ...inFold, bounds: w(0, 41) }),
        w(15, 41),
      ],
      [
        'an instant that a fold brings near to the edge is not near in time',
        reveal(w(15, 50), 19e6, inFold),
        w(15, 50),
      ],
    ])('%s', (_name, got, expected) => {
      expect(got).toEqual(expected);
    });

    it.each<[name: string, at: number, px: number, pitch: number, stays: boolean]>([
      ['where all has room, at that scale', 45e6, 300, 40, true],
      ['as little nearer as it takes, where all would be in view', 45e6, 400, 19.25, false],
      ['also nearer to the begin', 12e6, 300, 19.25, false],
    ])('an instant is put at a place, with a fold between: %s', (_name, at, px, pitch, stays) => {
      const window = windowWith(at, px, pitch / 1e6, inFold);
      const x = timeScale(window, 800, inFold.stretches);
      expect(x(at)).toBeCloseTo(px, 6);
      const drawn = x(at + 1e6) - x(at);
      if (stays) expect(drawn).toBeCloseTo(pitch, 6);
      else expect([drawn > pitch, drawn < 3 * pitch]).toEqual([true, true]);
    });

    it('an instant that cannot stand there at nearly that scale leaves all in view', () => {
      expect(windowWith(1e6, 700, 19.25 / 1e6, inFold)).toEqual(bounds);
    });

    it('an instant out of view is shown at the same scale, with a fold between or not', () => {
      const before = w(5, 15);
      const after = reveal(before, 45e6, inFold);
      const px = (window: TimeWindow, at: number): number => timeScale(window, 800, inFold.stretches)(at);
      expect(px(after, 45e6)).toBeCloseTo(400, 6);
      expect(px(after, 46e6) - px(after, 45e6)).toBeCloseTo(px(before, 7e6) - px(before, 6e6), 6);
    });

    it('a drag past a fold takes all marks along, also those behind it', () => {
      const fold: Stretch = { from: 33e6, to: 39e6, width: 30 };
      const folded: Stage = { ...stage, stretches: [lens, fold] };
      const at = (window: TimeWindow, instant: number): number => timeScale(window, 800, folded.stretches)(instant);
      const moved = gestured(w(20, 40), { before: 400, now: 300, scale: 1 }, folded);
      for (const instant of [28e6, 32e6, 39.5e6])
        expect(at(moved, instant)).toBeCloseTo(at(w(20, 40), instant) - 100, 6);
      const zoomed = zoomAt(w(20, 40), 39.5e6, 0.8, folded);
      expect(at(zoomed, 39.5e6)).toBeCloseTo(at(w(20, 40), 39.5e6), 6);
    });

    it.each<[name: string, at: number]>([
      ['inside of it', 30.4e6],
      ['at its edge', 30e6],
    ])('nobody comes nearer than to the closest view, %s', (_name, at) => {
      let window = w(20, 40);
      for (let i = 0; i < 60; i++) window = zoomAt(window, at, 0.7, altered);
      expect(lengthOf(window)).toBeGreaterThan(MIN_WINDOW - 0.01);
      expect(lengthOf(window)).toBeLessThan(2 * MIN_WINDOW);
      expect(px(window, at)).toBeCloseTo(px(w(20, 40), at), 0);
    });

    it('a drag takes all marks along, whatever part of the time comes into view', () => {
      const moved = gestured(w(20, 40), { before: 400, now: 300, scale: 1 }, altered);
      for (const at of [28e6, 30.5e6, 33e6]) expect(px(moved, at)).toBeCloseTo(px(w(20, 40), at) - 100, 6);
    });
  });
});
