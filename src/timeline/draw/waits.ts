/** Dotted lines between the turns of a probe worker: the wait is the lesson, so the wait is drawn. */
import type { CssPx } from '../../base/units.ts';
import type { Wait } from '../model/marks.ts';
import { besideFolds } from './folds.ts';
import type { Frame } from './frame.ts';
import { drawText, type Occupancy, type TextWidths } from './labels.ts';

/** Room for the glyphs at both ends. */
const CLEAR: CssPx = 11;
const SHORTEST: CssPx = 12;

export function drawWaits(frame: Frame, waits: readonly Wait[], y: CssPx, line: Occupancy, widths: TextWidths): void {
  const { ctx, fonts, palette, words, x, width } = frame;
  for (const wait of waits) {
    const left = Math.max(-CLEAR, x(wait.from)) + CLEAR;
    const right = Math.min(width + CLEAR, x(wait.to)) - CLEAR;
    if (right - left < SHORTEST) continue;
    const colour = wait.named ? palette.tone.wait : palette.tone.idle;
    ctx.globalAlpha = frame.lit === null ? 1 : 0.6;
    ctx.strokeStyle = colour;
    ctx.lineWidth = wait.named ? 1.6 : 1;
    ctx.setLineDash([1.5, 4]);
    ctx.beginPath();
    for (const [from, to] of besideFolds(frame, left, right)) {
      ctx.moveTo(from, y);
      ctx.lineTo(to, y);
    }
    ctx.stroke();
    ctx.setLineDash([]);
    if (!wait.named) continue;
    const text = words.noProbeFor(wait.to - wait.from);
    const textWidth = widths.of(ctx, fonts.label, text);
    const middle = (left + right - textWidth) / 2;
    if (middle - left < CLEAR) continue;
    const limit = right - CLEAR;
    const start = line.firstFree(middle, textWidth, limit) ?? line.firstFree(left + CLEAR, textWidth, limit);
    if (start === null) continue;
    line.take(start, start + textWidth);
    ctx.fillStyle = palette.canvas;
    ctx.fillRect(start - 6, y - 8, textWidth + 12, 16);
    drawText(frame, text, start, y, { font: fonts.label, colour, halo: palette.canvas });
  }
  ctx.globalAlpha = 1;
}
