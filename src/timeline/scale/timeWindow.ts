/** The visible stretch of time and what zoom and pan make of it. Pure; µs unless a name says otherwise. */
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import type { CssPx } from '../../base/units.ts';
import type { TimeWindow } from '../model/window.ts';

/** µs to px: domain is the window, range is [0, width]. */
export type TimeScale = ScaleLinear<CssPx, CssPx>;

/** Closest view: 50 µs over the whole width. */
export const MIN_WINDOW = 50;

export const timeScale = ({ from, to }: TimeWindow, width: CssPx): TimeScale =>
  scaleLinear().domain([from, to]).range([0, width]);

export const lengthOf = ({ from, to }: TimeWindow): number => to - from;

/** The nearest window inside `bounds`: the length is kept when it fits. */
export function clampWindow({ from, to }: TimeWindow, bounds: TimeWindow): TimeWindow {
  const length = Math.min(lengthOf(bounds), Math.max(MIN_WINDOW, to - from));
  const start = Math.min(Math.max(from, bounds.from), bounds.to - length);
  return { from: start, to: start + length };
}

/** Scales the length by `factor` (< 1 zooms in) so that the instant `at` stays where it is. */
export function zoomAt(window: TimeWindow, at: number, factor: number, bounds: TimeWindow): TimeWindow {
  const length = Math.min(lengthOf(bounds), Math.max(MIN_WINDOW, lengthOf(window) * factor));
  const share = lengthOf(window) === 0 ? 0 : (at - window.from) / lengthOf(window);
  const from = at - share * length;
  return clampWindow({ from, to: from + length }, bounds);
}

/** Moves by `share` of the window's length; positive goes later. */
export function panBy(window: TimeWindow, share: number, bounds: TimeWindow): TimeWindow {
  const by = share * lengthOf(window);
  return clampWindow({ from: window.from + by, to: window.to + by }, bounds);
}

/** The same window when `at` is well inside, else one of equal length around it. */
export function reveal(window: TimeWindow, at: number, bounds: TimeWindow): TimeWindow {
  const margin = lengthOf(window) * 0.05;
  if (at >= window.from + margin && at <= window.to - margin) return window;
  const from = at - lengthOf(window) / 2;
  return clampWindow({ from, to: from + lengthOf(window) }, bounds);
}
