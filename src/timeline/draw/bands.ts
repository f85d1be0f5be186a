/** Bands and bars: stretches of time with a state. The pattern says the state without colour. */
import { bisector } from 'd3-array';
import type { CssPx } from '../../base/units.ts';
import type { Band, Bar } from '../model/marks.ts';
import { windowOf } from '../scale/timeScale.ts';
import { type Ctx, type Frame, strengthOf } from './frame.ts';

const EDGE: CssPx = 2.5;
/** From line to line along x; 7 px across. */
const HATCH_PITCH: CssPx = 7 * Math.SQRT2;
const HATCH_LINE: CssPx = 1.1;
const MIN_BAR: CssPx = 3;
/** Neighbours narrower than this are drawn as one hatched box: many. */
const MIN_BAND: CssPx = 1;
/** So far outside the view nothing is drawn. */
const MARGIN: CssPx = 4;

export interface Box {
  readonly left: CssPx;
  readonly top: CssPx;
  readonly width: CssPx;
  readonly height: CssPx;
}

/** Where the part of [from, to) that is in view stands; null when none is. */
export function boxOf(frame: Frame, from: number, to: number, top: CssPx, height: CssPx): Box | null {
  const left = Math.max(-MARGIN, frame.x(from));
  const right = Math.min(frame.width + MARGIN, frame.x(to));
  return right <= -MARGIN || left >= frame.width + MARGIN || right < left
    ? null
    : { left, top, width: right - left, height };
}

const byEnd = bisector((mark: { readonly to: number }) => mark.to);
/** First index whose stretch ends after `at`: the work grows with what is on screen. */
export const firstEndingAfter = (marks: readonly { readonly to: number }[], at: number): number =>
  byEnd.right(marks, at);

/** Draws the visible bands of a lane. Bands are sorted and do not overlap. */
export function drawBands(frame: Frame, bands: readonly Band[], top: CssPx, height: CssPx): void {
  const { from, to } = windowOf(frame.x);
  let many: Box | null = null;
  for (let i = firstEndingAfter(bands, from); i < bands.length; i++) {
    const band = bands[i];
    if (band === undefined || band.from >= to) break;
    const box = boxOf(frame, band.from, band.to, top, height);
    if (box === null) continue;
    if (box.width < MIN_BAND) {
      many = join(many, box);
      continue;
    }
    if (many !== null) drawMany(frame, many);
    many = null;
    frame.ctx.globalAlpha = strengthOf(frame, band.ref);
    drawBand(frame, band, box, frame.x(band.from) >= -MARGIN);
  }
  if (many !== null) drawMany(frame, many);
  frame.ctx.globalAlpha = 1;
}

const join = (before: Box | null, box: Box): Box =>
  before === null ? box : { ...before, width: box.left + box.width - before.left };

function drawMany(frame: Frame, box: Box): void {
  const wide = { ...box, width: Math.max(MIN_BAND, box.width) };
  fill(frame.ctx, wide, frame.palette.soft.mech);
  hatch(frame.ctx, wide, frame.palette.tone.mech, 'both');
}

function drawBand({ ctx, palette }: Frame, { tone, pattern }: Band, box: Box, edge: boolean): void {
  switch (pattern) {
    case 'absent':
      return dashed(ctx, box, palette.tone.idle);
    case 'unknown':
      fill(ctx, box, palette.sunken);
      return dashed(ctx, box, palette.tone.idle);
    case 'plain':
    case 'ready':
      fill(ctx, box, palette.soft[tone]);
      break;
    case 'notYet':
      fill(ctx, box, palette.soft[tone]);
      hatch(ctx, box, palette.tone[tone], 'up');
      break;
    case 'terminating':
      fill(ctx, box, palette.soft[tone]);
      hatch(ctx, box, palette.tone[tone], 'both');
      break;
    case 'servingTerminating':
      fill(ctx, box, palette.soft[tone]);
      hatch(ctx, box, palette.tone[tone], 'upright');
  }
  if (edge) fill(ctx, { ...box, width: Math.min(EDGE, box.width) }, palette.tone[tone]);
}

/** Draws the visible bars of a lane. A bar is never under 3 px; a failed one is hatched. */
export function drawBars(frame: Frame, bars: readonly Bar[], top: CssPx, height: CssPx): void {
  const { ctx, palette } = frame;
  const { to } = windowOf(frame.x);
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (const bar of bars) {
    if (bar.from >= to) break;
    const box = barBox(frame, bar, top, height);
    if (box === null || box.left + box.width <= drawnTo) continue;
    drawnTo = box.left + box.width;
    ctx.globalAlpha = strengthOf(frame, bar.ref);
    fill(ctx, box, palette.soft[bar.tone]);
    if (bar.tone === 'fail') hatch(ctx, box, palette.tone[bar.tone], 'up');
    fill(ctx, { ...box, width: Math.min(EDGE, box.width) }, palette.tone[bar.tone]);
  }
  ctx.globalAlpha = 1;
}

/** Where a bar stands; an instant one still has its least width. */
export function barBox(frame: Frame, bar: Bar, top: CssPx, height: CssPx): Box | null {
  const box = boxOf(frame, bar.from, bar.to, top, height);
  return box === null ? null : { ...box, width: Math.max(MIN_BAR, box.width) };
}

function fill(ctx: Ctx, { left, top, width, height }: Box, colour: string): void {
  ctx.fillStyle = colour;
  ctx.fillRect(left, top, width, height);
}

function dashed(ctx: Ctx, { left, top, width, height }: Box, colour: string): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.setLineDash([4, 3]);
  ctx.strokeRect(left + 0.5, top + 0.5, Math.max(0, width - 1), height - 1);
  ctx.setLineDash([]);
}

/** Lines at 45°, or upright ones, in step with the box's left edge so that they do not swim while the window moves. */
function hatch(
  ctx: Ctx,
  { left, top, width, height }: Box,
  colour: string,
  direction: 'up' | 'both' | 'upright',
): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += HATCH_PITCH) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(direction === 'upright' ? x : x + height, top);
    if (direction === 'both') {
      ctx.moveTo(x, top);
      ctx.lineTo(x + height, top + height);
    }
  }
  ctx.strokeStyle = colour;
  ctx.lineWidth = HATCH_LINE;
  ctx.globalAlpha *= 0.4;
  ctx.stroke();
  ctx.restore();
}
