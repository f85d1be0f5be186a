/**
 * Where instants stand on the screen. Linear in parts: a stretch may be drawn larger than the rest, or folded.
 *
 *     0 s              11 s         12 s   13 s 19 s  20 s
 *     |─────────────────┊─────────────┊──────|  |──────|
 *                            8×             30 px
 */
import { range, tickStep } from 'd3-array';
import type { CssPx } from '../../base/units.ts';
import type { TimeWindow } from '../model/window.ts';
import { type LinearScale, linearInParts } from './linearInParts.ts';

/** µs to px. The domain begins and ends with the window and has the ends of all parts; the range is [0, …, width]. */
export type TimeScale = LinearScale;

/** A stretch of time that is drawn so many times as long as the rest. */
export interface Magnified extends TimeWindow {
  readonly times: number;
}
/** A stretch of time that has so many px in all, however long it is and however near one looks. */
export interface Fold extends TimeWindow {
  readonly width: CssPx;
}
export type Stretch = Magnified | Fold;

const isFold = (stretch: Stretch): stretch is Fold => 'width' in stretch;
export const isMagnified = (stretch: Stretch): stretch is Magnified => !isFold(stretch);
export const foldsOf = (stretches: readonly Stretch[]): readonly Fold[] => stretches.filter(isFold);

/** A part of a scale that is linear. */
export interface Part extends TimeWindow {
  readonly left: CssPx;
  readonly right: CssPx;
}

/** The window over [0, width] px. `stretches` are sorted and do not overlap. */
export function timeScale(window: TimeWindow, width: CssPx, stretches: readonly Stretch[] = []): TimeScale {
  const [domain, places] = edgesOf(cut(window, stretches), pitchOf(window, width, stretches));
  return linearInParts(domain, [...places.slice(0, -1), width]);
}

/** The same over all of `bounds`, from 0 px on, at so many px for each µs outside of the stretches. */
export const wholeScale = (bounds: TimeWindow, pitch: CssPx, stretches: readonly Stretch[]): TimeScale =>
  linearInParts(...edgesOf(cut(bounds, stretches), pitch));

/** Px of each µs outside of the stretches. */
export function pitchOf(window: TimeWindow, width: CssPx, stretches: readonly Stretch[]): CssPx {
  const parts = cut(window, stretches);
  const folded = foldsOf(parts).reduce((sum, fold) => sum + fold.width, 0);
  const weight = parts.reduce((sum, part) => sum + (isFold(part) ? 0 : part.times * (part.to - part.from)), 0);
  return (width - folded) / weight;
}

export function windowOf(x: TimeScale): TimeWindow {
  const domain = x.domain();
  return { from: domain[0] ?? 0, to: domain.at(-1) ?? 0 };
}

/** The linear parts, left to right. */
export function partsOf(x: TimeScale): readonly Part[] {
  const [domain, places] = [x.domain(), x.range()];
  return domain.slice(1).map((to, i) => ({
    from: domain[i] ?? to,
    to,
    left: places[i] ?? 0,
    right: places[i + 1] ?? 0,
  }));
}

export interface Tick {
  readonly at: number;
  /** µs from one to the next in its part. */
  readonly step: number;
  /** Px to the end of its part. */
  readonly room: CssPx;
}

/** What is drawn larger than the rest has its ticks so much nearer to each other: it is there to be read closely. */
const NEARER = 2 / 3;

/** In steps of 1, 2 or 5, each part in its own: about `pitch` px from one to the next. */
export function ticksOf(x: TimeScale, pitch: CssPx, stretches: readonly Stretch[] = []): readonly Tick[] {
  const width = x.range().at(-1) ?? 0;
  const all = partsOf(x);
  const lengths = all.map(({ from, to, left, right }) => ((to - from) * width) / (right - left));
  const folds = foldsOf(stretches);
  const magnified = stretches.filter(isMagnified);
  return all.flatMap((part, i, parts) => {
    if (isWithin(part, folds)) return [];
    const { from, to, right } = part;
    const length = lengths[i] ?? 1;
    const own = isWithin(part, magnified) ? pitch * NEARER : pitch;
    const step = tickStep(0, length, Math.max(2, Math.round(width / own)));
    const end = i === parts.length - 1 ? Math.floor(to / step) + 1 : Math.ceil(to / step);
    return range(Math.ceil(from / step), end).map((n): Tick => ({ at: n * step, step, room: right - x(n * step) }));
  });
}

/** Whether a part of a scale is one of those stretches, or in one. */
export const isWithin = ({ from, to }: TimeWindow, stretches: readonly TimeWindow[]): boolean =>
  stretches.some((stretch) => from >= stretch.from && to <= stretch.to);

/** The parts of a window, each with how it is drawn: of a fold in part of its px. A window in the middle of one is not folded. */
function cut(window: TimeWindow, stretches: readonly Stretch[]): readonly Stretch[] {
  const parts: Stretch[] = [];
  let { from } = window;
  const addPlain = (to: number): void => {
    if (to > from) parts.push({ from, to, times: 1 });
    from = Math.max(from, to);
  };
  for (const stretch of stretches) {
    if (stretch.to <= window.from || stretch.from >= window.to) continue;
    if (isFold(stretch) && isWithin(window, [stretch])) continue;
    addPlain(stretch.from);
    const to = Math.min(stretch.to, window.to);
    const share = (to - from) / (stretch.to - stretch.from);
    parts.push(isFold(stretch) ? { from, to, width: stretch.width * share } : { ...stretch, from, to });
    from = to;
  }
  addPlain(window.to);
  return parts;
}

/** Instants and places at which parts begin and end. */
function edgesOf(parts: readonly Stretch[], pitch: CssPx): readonly [domain: number[], places: CssPx[]] {
  const domain = [parts[0]?.from ?? 0];
  const places: CssPx[] = [0];
  for (const part of parts) {
    domain.push(part.to);
    const width = isFold(part) ? part.width : pitch * part.times * (part.to - part.from);
    places.push((places.at(-1) ?? 0) + width);
  }
  return [domain, places];
}
