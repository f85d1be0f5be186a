/** The visible stretch of time and what zoom and pan make of it. Pure; µs unless a name says otherwise. */
import type { CssPx } from '../../base/units.ts';
import type { TimeWindow } from '../model/window.ts';
import { foldsOf, isWithin, pitchOf, type Stretch, type TimeScale, timeScale, wholeScale } from './timeScale.ts';

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
  const { width, stretches } = stage;
  const at = timeScale(window, width, stretches).invert(before);
  const pitch = Math.min(width / MIN_WINDOW, pitchOf(window, width, stretches) * scale);
  const wanted = windowAround(at, now, pitch, stage);
  // What is drawn larger shows less time at the same pitch.
  return lengthOf(wanted) >= MIN_WINDOW
    ? wanted
    : windowAround(at, now, (pitch * lengthOf(wanted)) / MIN_WINDOW, stage);
}

/** The window in which `at` stands at `px`, as far as the bounds let it, at so many px for each µs outside of the stretches. */
function windowAround(at: number, px: CssPx, pitch: CssPx, { bounds, width, stretches }: Stage): TimeWindow {
  const whole = wholeScale(bounds, pitch, stretches);
  const spare = whole(bounds.to) - width;
  if (spare <= 0) return bounds;
  const left = Math.min(spare, Math.max(0, whole(at) - px));
  return { from: whole.invert(left), to: whole.invert(left + width) };
}

/** More than so many times as near is another view. */
const LITTLE = 3;

/**
 * The window in which `at` stands at `px`: at so many px for each µs outside of the stretches, or as little nearer as the
 * bounds ask for. As far as the bounds let it where that were much nearer.
 */
export function windowWith(at: number, px: CssPx, pitch: CssPx, stage: Stage): TimeWindow {
  const { bounds, width, stretches } = stage;
  const [once, twice] = [1, 2].map((factor) => wholeScale(bounds, factor * pitch, stretches)) as [TimeScale, TimeScale];
  const [left, right] = [once(at), once(bounds.to) - once(at)];
  // Folds are as wide at any pitch; the rest grows with it.
  const [growing, growingRight] = [twice(at) - left, twice(bounds.to) - twice(at) - right];
  const factor = Math.max(1, 1 + (px - left) / growing, 1 + (width - px - right) / growingRight);
  return windowAround(at, px, factor <= LITTLE ? factor * pitch : pitch, stage);
}

/** Scales the length by `factor` (< 1 zooms in) so that the instant `at` stays where it is. */
export function zoomAt(window: TimeWindow, at: number, factor: number, stage: Stage): TimeWindow {
  const px = timeScale(window, stage.width, stage.stretches)(at);
  return gestured(window, { before: px, now: px, scale: 1 / factor }, stage);
}

/** Moves by `share` of the window; positive goes later. */
export const panBy = (window: TimeWindow, share: number, stage: Stage): TimeWindow =>
  gestured(window, { before: share * stage.width, now: 0, scale: 1 }, stage);

/** A window is left alone while an instant is no nearer to its ends than this, a share of its width. */
const MARGIN = 0.05;

/** The same window when `at` stands well inside, else one at the same scale around it. */
export function reveal(window: TimeWindow, at: number, stage: Stage): TimeWindow {
  const { width, stretches } = stage;
  const px = timeScale(window, width, stretches)(at);
  if (px >= MARGIN * width && px <= (1 - MARGIN) * width) return window;
  return windowAround(at, width / 2, pitchOf(window, width, stretches), stage);
}

/** A window in the middle of a fold would show nothing: as much time as it has is shown on both sides of the fold instead. */
export function besideFold(window: TimeWindow, { bounds, stretches }: Pick<Stage, 'bounds' | 'stretches'>): TimeWindow {
  const fold = foldsOf(stretches).find((one) => isWithin(window, [one]));
  if (fold === undefined) return window;
  const beside = lengthOf(window) / 2;
  return clampWindow({ from: fold.from - beside, to: fold.to + beside }, bounds);
}
