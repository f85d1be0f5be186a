import { describe, expect, it } from 'vitest';
import type { TimeWindow } from '../model/window.ts';
import { clampWindow, MIN_WINDOW, panBy, reveal, timeScale, zoomAt } from './timeWindow.ts';

const bounds: TimeWindow = { from: 0, to: 60_000_000 };
const w = (from: number, to: number): TimeWindow => ({ from: from * 1e6, to: to * 1e6 });

describe('timeWindow', () => {
  it.each<[name: string, got: TimeWindow, expected: TimeWindow]>([
    ['zooming in keeps the instant under the pointer in place', zoomAt(w(0, 60), 15e6, 0.5, bounds), w(7.5, 37.5)],
    ['zooming out stops at the whole run', zoomAt(w(10, 50), 20e6, 8, bounds), bounds],
    ['zooming at the left edge keeps the left edge', zoomAt(w(20, 40), 20e6, 0.5, bounds), w(20, 30)],
    ['panning goes by a share of the window', panBy(w(10, 20), 0.25, bounds), w(12.5, 22.5)],
    ['panning stops at the end of the run', panBy(w(45, 55), 2, bounds), w(50, 60)],
    ['a window before the run is moved into it', clampWindow(w(-5, 5), bounds), w(0, 10)],
    ['an instant in view does not move the window', reveal(w(10, 20), 15e6, bounds), w(10, 20)],
    ['an instant out of view is centred', reveal(w(10, 20), 40e6, bounds), w(35, 45)],
  ])('%s', (_name, got, expected) => {
    expect(got).toEqual(expected);
  });

  it('never zooms in beyond the closest view', () => {
    const closest = zoomAt(w(1, 2), 1.5e6, 1e-9, bounds);
    expect(closest.to - closest.from).toBeCloseTo(MIN_WINDOW, 6);
  });

  it('maps the window onto the width', () => {
    const x = timeScale(w(10, 20), 800);
    expect([x(10e6), x(15e6), x.invert(800)]).toEqual([0, 400, 20e6]);
  });
});
