/** Which event is under the pointer, and which instants the playhead snaps to. */
import { least } from 'd3-array';
import type { CssPx } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import { type Layout, rowsWithin } from '../model/layout.ts';
import { type Bar, type GlyphRun, glyphAt, type Lane } from '../model/marks.ts';
import type { TimeWindow } from '../model/window.ts';
import type { TimeScale } from '../scale/timeScale.ts';
import { clusterGlyphs } from './clusters.ts';
import { laneBox } from './laneInk.ts';
import { COLUMN, requestsInView } from './requests.ts';

export interface Hit {
  readonly lane: Lane;
  readonly ref: EventRef;
  /** µs: where the mark stands. */
  readonly at: number;
  /** How many events the mark stands for. */
  readonly count: number;
}

/** Half of the hit target of a mouse, px. */
const REACH: CssPx = 10;
const SNAP: CssPx = 6;

/** The mark at (px, y) in layout coordinates: the nearest glyph in reach, else the bar, else the band there. */
export function hitTest(
  layout: Layout,
  x: TimeScale,
  width: CssPx,
  px: CssPx,
  y: CssPx,
  folds: readonly TimeWindow[] = [],
): Hit | null {
  const [row] = rowsWithin(layout, y, y + 1);
  if (row?.kind !== 'lane') return null;
  const { lane } = row;
  const onSteps = y >= laneBox(lane, row.top, row.height, layout.density).stepTop;
  const bars = onSteps ? [...lane.bars, ...lane.steps] : lane.bars;
  return glyphHit(lane, x, width, px, folds) ?? barHit(lane, bars, x, px) ?? bandHit(lane, x, px);
}

function glyphHit(lane: Lane, x: TimeScale, width: CssPx, px: CssPx, folds: readonly TimeWindow[]): Hit | null {
  if (lane.kind === 'client') return requestHit(lane, x, width, px, folds);
  let best: { hit: Hit; distance: number } | null = null;
  for (const mark of clusterGlyphs(lane.glyphs, x, width, folds)) {
    const inside = mark.kind === 'histogram' && px >= mark.left && px <= mark.right + 3;
    if (inside)
      return { lane, ref: mark.ref, at: x.invert(px), count: mark.columns.reduce((sum, c) => sum + c.count, 0) };
    if (mark.kind === 'histogram') continue;
    const distance = Math.abs(mark.x - px);
    if (distance <= REACH && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { hit: { lane, ref: mark.ref, at: mark.at, count: mark.count }, distance };
    }
  }
  return best?.hit ?? null;
}

/** The nearest attempt, or column of attempts; of a column that lost some the first lost one. */
function requestHit(lane: Lane, x: TimeScale, width: CssPx, px: CssPx, folds: readonly TimeWindow[]): Hit | null {
  const places = requestsInView(lane.glyphs, x, width, folds).marks.flatMap((mark) =>
    mark.kind === 'stem'
      ? [{ middle: mark.x, ref: mark.ref, at: mark.run.at, count: 1 }]
      : mark.columns.map((column) => ({
          middle: column.x + COLUMN / 2,
          ref: column.ref,
          at: column.at,
          count: column.served + column.lost,
        })),
  );
  const near = places.filter(({ middle }) => Math.abs(middle - px) <= REACH);
  const best = least(near, ({ middle }) => Math.abs(middle - px));
  return best === undefined ? null : { lane, ref: best.ref, at: best.at, count: best.count };
}

/** The last one that reaches there. */
function barHit(lane: Lane, bars: readonly Bar[], x: TimeScale, px: CssPx): Hit | null {
  const near = bars.filter((bar) => px >= x(bar.from) - 3 && px <= Math.max(x(bar.to), x(bar.from) + 3) + 1);
  const bar = near.at(-1);
  return bar === undefined ? null : { lane, ref: bar.ref, at: bar.from, count: 1 };
}

function bandHit(lane: Lane, x: TimeScale, px: CssPx): Hit | null {
  const band = lane.bands.find((candidate) => px >= x(candidate.from) && px < x(candidate.to));
  return band?.ref ? { lane, ref: band.ref, at: band.from, count: 1 } : null;
}

/** The instant within SNAP px of `px` at which something on these lanes happens; else the instant at `px`. */
export function snap(lanes: readonly Lane[], x: TimeScale, px: CssPx): number {
  const at = x.invert(px);
  const [from, to] = [x.invert(px - SNAP), x.invert(px + SNAP)];
  let best = at;
  let distance = SNAP;
  for (const candidate of lanes.flatMap((lane) => [...instantsNear(lane, at)])) {
    if (candidate < from || candidate > to) continue;
    const away = Math.abs(x(candidate) - px);
    if (away > distance) continue;
    best = candidate;
    distance = away;
  }
  return Math.round(best);
}

function* instantsNear(lane: Lane, at: number): Iterable<number> {
  for (const { from } of lane.bands) yield from;
  for (const { from, to } of [...lane.bars, ...lane.steps]) {
    yield from;
    yield to;
  }
  for (const run of lane.glyphs) {
    const nearest = nearestOf(run, at);
    yield nearest;
    yield nearest + run.length;
  }
}

const nearestOf = (run: GlyphRun, at: number): number =>
  run.count === 1 ? run.at : glyphAt(run, Math.min(run.count - 1, Math.max(0, Math.round((at - run.at) / run.period))));
