/** One lane in its two layers: bands and bars below the chain, glyphs and labels above it. */
import type { CssPx } from '../../base/units.ts';
import { type Density, HEIGHTS } from '../model/layout.ts';
import type { Band, Bar, Lane, LaneKind } from '../model/marks.ts';
import { foldsOf, windowOf } from '../scale/timeScale.ts';
import { barBox, boxOf, drawBands, drawBars, firstEndingAfter } from './bands.ts';
import { clusterGlyphs, type GlyphMark } from './clusters.ts';
import { type MarkBox, takeFolds } from './folds.ts';
import { type Frame, strengthOf } from './frame.ts';
import { BOX, extentOf, OK_RADIUS } from './glyphSizes.ts';
import { drawGlyph, drawHistogram } from './glyphs.ts';
import { HOP_NUMBER_HALF } from './hopNumbers.ts';
import { drawText, type LabelStyle, Occupancy, type TextWidths } from './labels.ts';
import { drawRequestLine, drawRequests } from './requestInk.ts';
import { drawWaits } from './waits.ts';

/** Where a lane's marks stand within its row. */
export interface LaneBox {
  readonly top: CssPx;
  readonly height: CssPx;
  /** Height of bands and bars. */
  readonly band: CssPx;
  /** Top of the bands. */
  readonly bandTop: CssPx;
  /** Steps of bars: below them. */
  readonly step: CssPx;
  readonly stepTop: CssPx;
  /** Middle of the glyphs. */
  readonly glyphY: CssPx;
  readonly density: Density;
}

const PADDING: CssPx = 7;
const STEP_GAP: CssPx = 2;
/** A text below a glyph may stand so far right of it, but not under the next one. */
const BESIDE: CssPx = 26;

/** Lanes whose bars have a thinner row below them. */
const HAS_STEPS: ReadonlySet<LaneKind> = new Set([
  'podWorker',
  'endpointsController',
  'endpointSliceController',
  'mirroringController',
  'ruleSync',
]);

export function laneBox(lane: Lane, top: CssPx, height: CssPx, density: Density): LaneBox {
  const { band, step, labelAbove } = HEIGHTS[density];
  const inner = height - labelAbove;
  const middle = top + labelAbove + inner / 2;
  const raised = lane.kind === 'worker' ? Math.min(10, inner * 0.16) : 0;
  const bandTop = HAS_STEPS.has(lane.kind) ? middle - (band + STEP_GAP + step) / 2 : middle - band / 2;
  return { top, height, band, bandTop, step, stepTop: bandTop + band + STEP_GAP, glyphY: middle - raised, density };
}

/** Layer `band`. */
export function drawLaneBase(frame: Frame, lane: Lane, box: LaneBox): void {
  if (lane.kind === 'client') drawRequestLine(frame, box);
  drawBands(frame, lane.bands, box.bandTop, box.band);
  drawBars(frame, lane.bars, box.bandTop, box.band);
  drawBars(frame, lane.steps, box.stepTop, box.step);
}

/** Layers `glyph` and `label`. `taken`: middles of the hop numbers that stand on the lane. Returns what both marks and numbers take. */
export function drawLaneTop(
  frame: Frame,
  lane: Lane,
  box: LaneBox,
  widths: TextWidths,
  taken: readonly CssPx[],
): readonly MarkBox[] {
  if (lane.kind === 'client') {
    drawRequests(frame, lane, box, widths);
    return [];
  }
  const marks = clusterGlyphs(lane.glyphs, frame.x, frame.width, foldsOf(frame.stretches));
  const line = new Occupancy();
  takeFolds(frame, line);
  line.take(frame.playhead, frame.playhead);
  const boxes: MarkBox[] = [];
  const take = (left: CssPx, right: CssPx): void => {
    line.take(left, right);
    boxes.push({ left, right, top: box.glyphY - BOX / 2, bottom: box.glyphY + BOX / 2 });
  };
  for (const x of taken) take(x - HOP_NUMBER_HALF, x + HOP_NUMBER_HALF);
  for (const mark of marks) {
    if (mark.kind === 'histogram') take(mark.left, mark.right);
    else if (mark.run.shape !== 'tick') take(mark.x - extentOf(mark).left, mark.x + extentOf(mark).right);
  }
  drawWaits(frame, lane.waits, box.glyphY, line, widths);
  for (const mark of marks) {
    if (mark.kind === 'histogram') drawHistogram(frame, mark, box.glyphY);
    else drawGlyph(frame, mark, box.glyphY, box.top + box.height - 3);
  }
  const glyphs = marks.filter((mark) => mark.kind === 'glyph');
  drawGlyphTexts(frame, lane.kind, glyphs, box, line, widths);
  drawBandTexts(frame, lane.bands, box, line, widths);
  drawBarTexts(frame, lane.bars, box.bandTop, box.band, line, widths);
  const steps = new Occupancy();
  takeFolds(frame, steps);
  drawBarTexts(frame, lane.steps, box.stepTop, box.step, steps, widths);
  return boxes;
}

/** `×3` right of a cluster; `fail 2/3` below the glyph of a worker, other texts and notes right of theirs. */
function drawGlyphTexts(
  frame: Frame,
  kind: LaneKind,
  marks: readonly GlyphMark[],
  box: LaneBox,
  line: Occupancy,
  widths: TextWidths,
): void {
  const { ctx, fonts, palette } = frame;
  const below = new Occupancy();
  takeFolds(frame, below);
  below.take(frame.playhead, frame.playhead);
  for (const [i, mark] of marks.entries()) {
    const { run, x, count } = mark;
    ctx.globalAlpha = strengthOf(frame, mark.ref);
    const style = {
      font: fonts.small,
      colour: run.tone === 'idle' ? palette.text3 : palette.tone[run.tone],
      halo: palette.canvas,
    };
    const many = count > Math.max(1, mark.letters.length) && run.shape !== 'tick';
    if (many) placeOn(line, `×${count}`, x + extentOf(mark).right + 5, box.glyphY, style);
    const beside = run.shape !== 'letter' ? run.text : count > 1 ? '' : run.note;
    if (beside === '') continue;
    if (kind !== 'worker') placeOn(line, beside, x + extentOf(mark).right + 4, box.glyphY, style);
    else {
      const width = widths.of(ctx, fonts.small, run.text);
      const own = Math.max(2, x - 7);
      const beforeNext = (marks[i + 1]?.x ?? Number.POSITIVE_INFINITY) - OK_RADIUS;
      const most = Math.max(own + width, Math.min(own + width + BESIDE, beforeNext));
      const left = below.firstFree(own, width, Math.min(frame.width, most));
      if (left === null) continue;
      below.take(left, left + width);
      drawText(frame, run.text, left, box.glyphY + 17, style);
    }
  }
  ctx.globalAlpha = 1;

  function placeOn(on: Occupancy, text: string, left: CssPx, y: CssPx, style: LabelStyle): void {
    const width = widths.of(ctx, style.font, text);
    if (left + width > frame.width || !on.isFree(left, left + width)) return;
    on.take(left, left + width);
    drawText(frame, text, left, y, style);
  }
}

/** State word, then its note, each only where it fits whole inside the band. */
function drawBandTexts(frame: Frame, bands: readonly Band[], box: LaneBox, line: Occupancy, widths: TextWidths): void {
  const { ctx, fonts, palette, words, x } = frame;
  const { from, to } = windowOf(x);
  const y = box.bandTop + box.band / 2;
  for (let i = firstEndingAfter(bands, from); i < bands.length; i++) {
    const band = bands[i];
    if (band === undefined || band.from >= to) break;
    const area = boxOf(frame, band.from, band.to, box.bandTop, box.band);
    if (area === null || area.width < 2 * PADDING) continue;
    const limit = area.left + area.width - PADDING;
    const drawn = band.pattern === 'absent' || band.pattern === 'unknown';
    const halo = drawn ? palette.canvas : palette.soft[band.tone];
    const colour = drawn ? palette.text2 : palette.tone[band.tone];
    ctx.globalAlpha = strengthOf(frame, band.ref);
    const end = write(words.state(band.word), Math.max(0, area.left) + PADDING, { font: fonts.strong, colour, halo });
    if (end !== null && band.note !== '')
      write(words.state(band.note), end + 8, { font: fonts.label, colour: palette.text2, halo });

    function write(text: string, left: CssPx, style: LabelStyle): CssPx | null {
      const width = widths.of(ctx, style.font, text);
      const free = line.firstFree(left, width, limit);
      if (free === null) return null;
      line.take(free, free + width);
      drawText(frame, text, free, y, style);
      return free + width;
    }
  }
  ctx.globalAlpha = 1;
}

function drawBarTexts(
  frame: Frame,
  bars: readonly Bar[],
  top: CssPx,
  height: CssPx,
  line: Occupancy,
  widths: TextWidths,
): void {
  const { ctx, fonts, palette, words } = frame;
  const { from, to } = windowOf(frame.x);
  for (let i = firstEndingAfter(bars, from); i < bars.length; i++) {
    const bar = bars[i];
    if (bar === undefined || bar.from >= to) break;
    const area = barBox(frame, bar, top, height);
    if (area === null) continue;
    const word = words.state(bar.word);
    const width = widths.of(ctx, fonts.small, word);
    const left = Math.max(0, area.left) + PADDING - 1;
    if (left + width > area.left + area.width - 4 || !line.isFree(left, left + width)) continue;
    line.take(left, left + width);
    ctx.globalAlpha = strengthOf(frame, bar.ref);
    const style = { font: fonts.small, colour: palette.tone[bar.tone], halo: palette.soft[bar.tone] };
    drawText(frame, word, left, top + height / 2, style);
  }
  ctx.globalAlpha = 1;
}
