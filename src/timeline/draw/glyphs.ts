/** Ink of one glyph. Circle against square, so that ok and fail differ without colour. */
import type { CssPx } from '../../base/units.ts';
import type { GlyphMark, Histogram } from './clusters.ts';
import { COLUMN } from './clusters.ts';
import { type Ctx, type Frame, strengthOf } from './frame.ts';
import { BOX, FAIL_SIDE, LETTER, OK_RADIUS, RING_RADIUS } from './glyphSizes.ts';

const TICK: CssPx = 5;
const MANUAL = { width: 10, height: 7 } as const;
const HISTOGRAM_HEIGHT: CssPx = 14;

/** Draws a glyph with its centre at `y`; ticks hang from `bottom`. */
export function drawGlyph(frame: Frame, mark: GlyphMark, y: CssPx, bottom: CssPx): void {
  const { ctx, palette } = frame;
  const { x, run } = mark;
  const colour = palette.tone[run.tone];
  ctx.globalAlpha = strengthOf(frame, mark.ref);
  switch (run.shape) {
    case 'success':
      disc(ctx, x, y, OK_RADIUS, colour);
      tickMark(ctx, x, y, palette.onTone[run.tone]);
      break;
    case 'failure':
    case 'error':
      failBox(ctx, x, y, colour, palette.soft[run.tone]);
      if (run.shape === 'failure') cross(ctx, x, y, colour);
      else letter(frame, '!', x, y, colour);
      break;
    case 'ring':
      ring(ctx, x, y, colour);
      break;
    case 'pause':
      ctx.fillStyle = colour;
      ctx.fillRect(x - 3, y - 4, 2, 8);
      ctx.fillRect(x + 1, y - 4, 2, 8);
      break;
    case 'letter':
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.roundRect(x - BOX / 2, y - BOX / 2, BOX + LETTER * (mark.letters.length - 1), BOX, 3);
      ctx.fill();
      [...mark.letters].forEach((text, i) => {
        letter(frame, text, x + i * LETTER, y, palette.onTone[run.tone]);
      });
      break;
    case 'tick':
      ctx.fillStyle = colour;
      ctx.fillRect(x - 0.5, bottom - TICK, 1, TICK);
      break;
    case 'arrow':
      arrow(ctx, x, y, colour, palette.canvas);
      break;
    case 'page':
      page(ctx, x, y, colour, palette.canvas);
  }
  if (run.manual) triangle(ctx, x, y - OK_RADIUS - MANUAL.height - 2, palette.tone.mech);
  ctx.globalAlpha = 1;
}

/** Columns of a crowd of glyphs; hatched lines across say "many". */
export function drawHistogram(frame: Frame, { columns, many, ref }: Histogram, y: CssPx): void {
  const { ctx, palette } = frame;
  const most = Math.max(1, ...columns.map(({ count }) => count));
  const bottom = y + HISTOGRAM_HEIGHT / 2;
  ctx.globalAlpha = strengthOf(frame, ref);
  for (const { x, count, tone } of columns) {
    const height = Math.max(3, (HISTOGRAM_HEIGHT * count) / most);
    ctx.fillStyle = palette.tone[tone];
    ctx.fillRect(x, bottom - height, COLUMN - (many ? 0 : 1), height);
  }
  if (many) {
    ctx.strokeStyle = palette.canvas;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const { x } of columns.filter((_, i) => i % 2 === 0)) {
      ctx.moveTo(x, bottom);
      ctx.lineTo(x + COLUMN * 2, bottom - HISTOGRAM_HEIGHT);
    }
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

function disc(ctx: Ctx, x: CssPx, y: CssPx, radius: CssPx, colour: string): void {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fill();
}

function ring(ctx: Ctx, x: CssPx, y: CssPx, colour: string): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.2;
  ctx.setLineDash([2, 1.6]);
  ctx.beginPath();
  ctx.arc(x, y, RING_RADIUS, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.setLineDash([]);
}

function tickMark(ctx: Ctx, x: CssPx, y: CssPx, colour: string): void {
  line(ctx, colour, 1.7, [
    [x - 3, y + 0.2],
    [x - 0.9, y + 2.4],
    [x + 3.1, y - 2.3],
  ]);
}

function failBox(ctx: Ctx, x: CssPx, y: CssPx, colour: string, soft: string): void {
  ctx.beginPath();
  ctx.roundRect(x - FAIL_SIDE / 2, y - FAIL_SIDE / 2, FAIL_SIDE, FAIL_SIDE, 2);
  ctx.fillStyle = soft;
  ctx.fill();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function cross(ctx: Ctx, x: CssPx, y: CssPx, colour: string): void {
  const reach = 2.6;
  line(ctx, colour, 1.6, [
    [x - reach, y - reach],
    [x + reach, y + reach],
  ]);
  line(ctx, colour, 1.6, [
    [x - reach, y + reach],
    [x + reach, y - reach],
  ]);
}

function letter({ ctx, fonts }: Frame, text: string, x: CssPx, y: CssPx, colour: string): void {
  ctx.font = fonts.strong;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y + 0.5);
}

function arrow(ctx: Ctx, x: CssPx, y: CssPx, colour: string, halo: string): void {
  ctx.beginPath();
  ctx.moveTo(x, y - 8);
  ctx.lineTo(x + 5.5, y - 1.5);
  ctx.lineTo(x + 2, y - 1.5);
  ctx.lineTo(x + 2, y + 7);
  ctx.lineTo(x - 2, y + 7);
  ctx.lineTo(x - 2, y - 1.5);
  ctx.lineTo(x - 5.5, y - 1.5);
  ctx.closePath();
  ctx.strokeStyle = halo;
  ctx.lineWidth = 4;
  ctx.lineJoin = 'round';
  ctx.stroke();
  ctx.fillStyle = colour;
  ctx.fill();
}

/** A sheet with a folded corner. */
function page(ctx: Ctx, x: CssPx, y: CssPx, colour: string, inside: string): void {
  const [width, height, fold] = [4.5, 6, 3.5];
  ctx.beginPath();
  ctx.moveTo(x - width, y - height);
  ctx.lineTo(x + width - fold, y - height);
  ctx.lineTo(x + width, y - height + fold);
  ctx.lineTo(x + width, y + height);
  ctx.lineTo(x - width, y + height);
  ctx.closePath();
  ctx.fillStyle = inside;
  ctx.fill();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.4;
  ctx.stroke();
  line(ctx, colour, 1.2, [
    [x - 2, y],
    [x + 2, y],
  ]);
}

function triangle(ctx: Ctx, x: CssPx, top: CssPx, colour: string): void {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x - MANUAL.width / 2, top);
  ctx.lineTo(x + MANUAL.width / 2, top);
  ctx.lineTo(x, top + MANUAL.height);
  ctx.closePath();
  ctx.fill();
}

function line(ctx: Ctx, colour: string, width: CssPx, points: readonly (readonly [CssPx, CssPx])[]): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  points.forEach(([x, y], i) => {
    if (i === 0) ctx.moveTo(x, y);
    else ctx.lineTo(x, y);
  });
  ctx.stroke();
}
