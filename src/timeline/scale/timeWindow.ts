/** The visible stretch of time and what zoom and pan make of it. Pure; µs unless a name says otherwise. */
import type { CssPx } from '../../base/units.ts';
import type { TimeWindow } from '../model/window.ts';
import { pitchOf, type Stretch, timeScale, wholeScale } from './timeScale.ts';

/** Closest view: 50 µs over the whole width. */
export const MIN_WINDOW = 50;

export const lengthOf = ({ from, to }: TimeWindow): number => to - from;

/** The nearest window inside `bounds`: the length is kept when it fits. */
export function clampWindow({ from, to }: TimeWindow, bounds: TimeWindow): TimeWindow {
  const length = Math.min(lengthOf(bounds), Math.max(MIN_WINDOW, to - from));
  const start = Math.min(Math.max(from, bounds.from), bounds.to - length);
  return { from: start, to: start + length };
}

/** What can be looked at, and how it is drawn. */
export interface Stage {
  readonly bounds: TimeWindow;
  readonly width: CssPx;
  readonly stretches: readonly Stretch[];
}

/** What stood at `before` px is drawn at `now` px, and all is drawn `scale` times as long (> 1 zooms in). */
export interface Gesture {
  readonly before: CssPx;
  readonly now: CssPx;
  readonly scale: number;
}

/** The window after a gesture, inside the bounds. */
export function gestured(window: TimeWindow, { before, now, scale }: Gesture, stage: Stage): TimeWindow {
  const { bounds, width, stretches } = stage;
  const at = timeScale(window, width, stretches).invert(before);
  const pitch = Math.min(width / MIN_WINDOW, pitchOf(window, width, stretches) * scale);
  const whole = wholeScale(bounds, pitch, stretches);
  const spare = whole(bounds.to) - width;
  if (spare <= 0) return bounds;
  const left = Math.min(spare, Math.max(0, whole(at) - now));
  return { from: whole.invert(left), to: whole.invert(left + width) };
}

/** Scales the length by `factor` (< 1 zooms in) so that the instant `at` stays where it is. */
export function zoomAt(window: TimeWindow, at: number, factor: number, stage: Stage): TimeWindow {
  const px = timeScale(window, stage.width, stage.stretches)(at);
  return gestured(window, { before: px, now: px, scale: 1 / factor }, stage);
}

/** Moves by `share` of the window; positive goes later. */
export const panBy = (window: TimeWindow, share: number, stage: Stage): TimeWindow =>
  gestured(window, { before: share * stage.width, now: 0, scale: 1 }, stage);

/** The same window when `at` is well inside, else one of equal length around it. */
export function reveal(window: TimeWindow, at: number, bounds: TimeWindow): TimeWindow {
  const margin = lengthOf(window) * 0.05;
  if (at >= window.from + margin && at <= window.to - margin) return window;
  const from = at - lengthOf(window) / 2;
  return clampWindow({ from, to: from + lengthOf(window) }, bounds);
}
