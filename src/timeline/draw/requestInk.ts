/** Ink of a client's attempts: stems with a shape for the outcome, or mirrored columns, on a line through the lane. */
import type { CssPx } from '../../base/units.ts';
import type { Lane } from '../model/marks.ts';
import { foldsOf } from '../scale/timeScale.ts';
import { takeFolds } from './folds.ts';
import { type Ctx, type Frame, strengthOf } from './frame.ts';
import { drawText, Occupancy, type TextWidths } from './labels.ts';
import type { LaneBox } from './laneInk.ts';
import { COLUMN, type Columns, type Requests, requestsInView, type Stem } from './requests.ts';

const DOT: CssPx = 4;
const CROSS: CssPx = 3.2;
/** From the line to the middle of a shape. */
const STEM: CssPx = 11;
/** Height of the fullest column. */
const HIGHEST: CssPx = 16;
const LEAST: CssPx = 3;
/** From the line to the middle of a text below it. */
const TEXT: CssPx = 12;
/** A rate is worth saying from so wide a crowd on. */
const WORTH_A_RATE: CssPx = 60;

/** Layer `band`: the line that attempts stand on. */
export function drawRequestLine({ ctx, palette, width }: Frame, { glyphY }: LaneBox): void {
  ctx.fillStyle = palette.line;
  ctx.fillRect(0, Math.round(glyphY), width, 1);
}

/** Layers `glyph` and `label`. */
export function drawRequests(frame: Frame, lane: Lane, box: LaneBox, widths: TextWidths): void {
  const requests = requestsInView(lane.glyphs, frame.x, frame.width, foldsOf(frame.stretches));
  const below = new Occupancy();
  takeFolds(frame, below);
  below.take(frame.playhead, frame.playhead);
  for (const mark of requests.marks) {
    if (mark.kind === 'stem') drawStem(frame, mark, box.glyphY);
    else drawColumns(frame, mark, requests.most, box.glyphY);
    takeBelow(below, mark);
  }
  frame.ctx.globalAlpha = 1;
  drawTexts(frame, requests, below, box.glyphY + TEXT, widths);
}

function takeBelow(below: Occupancy, mark: Stem | Columns): void {
  if (mark.kind === 'columns') {
    for (const { x, lost } of mark.columns) if (lost > 0) below.take(x, x + COLUMN);
  } else if (mark.run.tone !== 'ok') below.take(mark.x - CROSS, mark.x + CROSS);
}

function drawStem(frame: Frame, { x, run, ref }: Stem, line: CssPx): void {
  const { ctx, palette } = frame;
  const colour = palette.tone[run.tone];
  ctx.globalAlpha = strengthOf(frame, ref);
  ctx.fillStyle = colour;
  if (run.shape === 'served') {
    ctx.fillRect(x - 0.75, line - STEM, 1.5, STEM);
    circle(ctx, x, line - STEM, DOT);
    ctx.fill();
    return;
  }
  const reach = run.shape === 'tick' ? 5 : STEM - CROSS;
  ctx.fillRect(x - 0.6, line, 1.2, reach);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  if (run.shape === 'refused') cross(ctx, x, line + STEM);
  if (run.shape === 'errorAnswer') ctx.strokeRect(x - CROSS, line + STEM - CROSS, 2 * CROSS, 2 * CROSS);
  if (run.shape === 'silent') {
    circle(ctx, x, line + STEM, CROSS);
    ctx.stroke();
  }
}

function drawColumns(frame: Frame, { columns }: Columns, most: number, line: CssPx): void {
  const { ctx, palette } = frame;
  const heightOf = (count: number): CssPx => (count === 0 ? 0 : Math.max(LEAST, (HIGHEST * count) / most));
  ctx.globalAlpha = columns.some(({ ref }) => strengthOf(frame, ref) === 1) ? 1 : strengthOf(frame, null);
  ctx.fillStyle = palette.tone.ok;
  for (const { x, served } of columns) {
    if (served > 0) ctx.fillRect(x, line - heightOf(served), COLUMN - 0.75, heightOf(served));
  }
  ctx.fillStyle = palette.tone.fail;
  for (const { x, lost } of columns) {
    if (lost > 0) ctx.fillRect(x, line + 1, COLUMN - 0.75, heightOf(lost));
  }
}

/** The code below a 5xx that stands alone; of a crowd its rate and the share that is lost, where there is room. */
function drawTexts(frame: Frame, requests: Requests, below: Occupancy, y: CssPx, widths: TextWidths): void {
  const { ctx, fonts, palette, x, width, words } = frame;
  for (const mark of requests.marks) {
    if (mark.kind !== 'stem' || mark.run.text === '') continue;
    const left = mark.x + CROSS + 5;
    const length = widths.of(ctx, fonts.small, mark.run.text);
    if (left + length > width || !below.isFree(left, left + length)) continue;
    below.take(left, left + length);
    drawText(frame, mark.run.text, left, y, { font: fonts.small, colour: palette.tone.fail, halo: palette.canvas });
  }
  const crowds = requests.marks.filter((mark) => mark.kind === 'columns');
  const [first] = crowds;
  const last = crowds.at(-1);
  if (first === undefined || last === undefined || last.right - first.left < WORTH_A_RATE) return;
  const ends = requests.marks.map((mark) => (mark.kind === 'stem' ? mark.x : mark.right));
  const starts = requests.marks.map((mark) => (mark.kind === 'stem' ? mark.x : mark.left));
  const length = x.invert(Math.min(width, ends.at(-1) ?? 0)) - x.invert(Math.max(0, starts[0] ?? 0));
  const text = words.requests(requests.known / (length / 1e6), requests.lost / Math.max(1, requests.known));
  const textWidth = widths.of(ctx, fonts.small, text);
  const left = below.firstFree(Math.max(0, first.left) + 4, textWidth, width);
  if (left !== null) drawText(frame, text, left, y, { font: fonts.small, colour: palette.text2, halo: palette.canvas });
}

function circle(ctx: Ctx, x: CssPx, y: CssPx, radius: CssPx): void {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
}

function cross(ctx: Ctx, x: CssPx, y: CssPx): void {
  ctx.beginPath();
  for (const side of [-1, 1]) {
    ctx.moveTo(x - CROSS, y - side * CROSS);
    ctx.lineTo(x + CROSS, y + side * CROSS);
  }
  ctx.stroke();
}
