/** The whole picture of the lanes in paint order: band, grid, playhead, chain, glyph, label. */
import type { CssPx } from '../../base/units.ts';
import { type Density, HEIGHTS, type Layout, type LayoutRow, rowOfLane, rowsWithin } from '../model/layout.ts';
import type { Band } from '../model/marks.ts';
import { isMagnified, ticksOf } from '../scale/timeScale.ts';
import { drawBands } from './bands.ts';
import { drawChain, type LaneSpan, type Link } from './chain.ts';
import { drawFolds, drawFoldTexts } from './folds.ts';
import type { Frame } from './frame.ts';
import { drawGhost } from './ghost.ts';
import { drawHopNumbers, hopNumbers } from './hopNumbers.ts';
import type { TextWidths } from './labels.ts';
import { drawLaneBase, drawLaneTop, laneBox } from './laneInk.ts';
import { drawStretchEdges, drawStretchGround } from './stretches.ts';

export interface Scene {
  readonly layout: Layout;
  readonly scrollTop: CssPx;
  readonly height: CssPx;
  readonly links: readonly Link[];
  /** Bands of another run by the id of their lane or folded group; null for none. */
  readonly ghost: ReadonlyMap<string, readonly Band[]> | null;
  /** The mark that is selected: a ring around it; null for none. */
  readonly marked: { readonly at: number; readonly laneId: string } | null;
}

const PLAYHEAD: CssPx = 1.5;
const SUMMARY: CssPx = 10;
/** Ticks of the grid are about so far apart. */
export const TICK_PITCH: CssPx = 90;

/** Draws what is in view; the work does not grow with the length of the trace. */
export function drawScene(frame: Frame, scene: Scene, widths: TextWidths): void {
  const { layout, scrollTop, height } = scene;
  const rows = rowsWithin(layout, scrollTop, scrollTop + height);
  frame.ctx.fillStyle = frame.palette.canvas;
  frame.ctx.fillRect(0, 0, frame.width, height);
  const magnified = frame.stretches.filter(isMagnified);
  for (const stretch of magnified) drawStretchGround(frame, stretch, height);
  for (const row of rows) drawRowBase(frame, row, row.top - scrollTop, layout);
  drawGrid(frame, rows, scrollTop);
  for (const stretch of magnified) drawStretchEdges(frame, stretch, height);
  drawGhosts(frame, rows, scene);
  drawFolds(frame, height);
  drawPlayhead(frame, height);
  const span = (laneId: string): LaneSpan | null => spanOf(layout, laneId, scrollTop);
  drawChain(frame, scene.links, span);
  const numbers = hopNumbers(frame, scene.links, span);
  const marks = rows.flatMap((row) => {
    if (row.kind !== 'lane') return [];
    const taken = numbers.filter(({ laneId }) => laneId === row.lane.id).map(({ x }) => x);
    const box = laneBox(row.lane, row.top - scrollTop, row.height, layout.density);
    return drawLaneTop(frame, row.lane, box, widths, taken);
  });
  drawFoldTexts(frame, height, widths, marks);
  drawHopNumbers(frame, numbers);
  drawMarked(frame, scene);
}

function drawRowBase(frame: Frame, row: LayoutRow, top: CssPx, layout: Layout): void {
  const { ctx, palette } = frame;
  if (row.kind === 'lane') {
    drawLaneBase(frame, row.lane, laneBox(row.lane, top, row.height, layout.density));
    return;
  }
  ctx.fillStyle = palette.sunken;
  ctx.fillRect(0, top, frame.width, row.height);
  if (row.folded) drawBands(frame, row.group.summary(), summaryTop(top, row.height, layout.density), SUMMARY);
}

/** In the middle of the row; where the name stands above it, in the rest of the row. */
function summaryTop(top: CssPx, height: CssPx, density: Density): CssPx {
  const above = HEIGHTS[density].groupBand === 0 ? 0 : HEIGHTS[density].groupHeader - 4;
  return top + above + (height - above - SUMMARY) / 2;
}

function drawGhosts(frame: Frame, rows: readonly LayoutRow[], { ghost, layout, scrollTop }: Scene): void {
  if (ghost === null) return;
  for (const row of rows) {
    const top = row.top - scrollTop;
    if (row.kind === 'lane') {
      const { bandTop, band } = laneBox(row.lane, top, row.height, layout.density);
      drawGhost(frame, ghost.get(row.lane.id) ?? [], row.lane.bands, bandTop, band);
    } else if (row.folded) {
      const bandTop = summaryTop(top, row.height, layout.density);
      drawGhost(frame, ghost.get(row.group.id) ?? [], row.group.summary(), bandTop, SUMMARY);
    }
  }
}

function drawGrid(frame: Frame, rows: readonly LayoutRow[], scrollTop: CssPx): void {
  const { ctx, palette, x } = frame;
  ctx.fillStyle = palette.grid;
  const ticks = ticksOf(x, TICK_PITCH, frame.stretches);
  for (const row of rows) {
    const top = row.top - scrollTop;
    if (row.kind === 'lane') for (const { at } of ticks) ctx.fillRect(Math.round(x(at)), top, 1, row.height);
  }
  ctx.fillStyle = palette.line;
  for (const row of rows) ctx.fillRect(0, row.top - scrollTop + row.height - 1, frame.width, 1);
}

function drawPlayhead({ ctx, palette, playhead: at, width }: Frame, height: CssPx): void {
  if (at < -1 || at > width + 1) return;
  ctx.fillStyle = palette.playhead;
  ctx.fillRect(at - PLAYHEAD / 2, 0, PLAYHEAD, height);
}

function drawMarked(frame: Frame, { marked, layout, scrollTop }: Scene): void {
  const span = marked === null ? null : spanOf(layout, marked.laneId, scrollTop);
  if (marked === null || span === null) return;
  const { ctx, palette, x } = frame;
  ctx.strokeStyle = palette.accent;
  ctx.lineWidth = 1.6;
  ctx.beginPath();
  ctx.arc(x(marked.at), span.middle, 11, 0, 2 * Math.PI);
  ctx.stroke();
}

function spanOf(layout: Layout, laneId: string, scrollTop: CssPx): LaneSpan | null {
  const row = rowOfLane(layout, laneId);
  if (row?.kind !== 'lane') return null;
  const top = row.top - scrollTop;
  return { top, bottom: top + row.height, middle: laneBox(row.lane, top, row.height, layout.density).glyphY };
}
