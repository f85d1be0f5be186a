/** Where the bands of another run stand: dashed outlines over the bands that differ from them. */
import type { CssPx } from '../../base/units.ts';
import type { Band } from '../model/marks.ts';
import { windowOf } from '../scale/timeScale.ts';
import { boxOf, firstEndingAfter } from './bands.ts';
import type { Frame } from './frame.ts';

/** An outline stands so far out of its band. */
const OUT: CssPx = 2.5;

/** Draws the visible ones of `ghost` that are not among `bands`. */
export function drawGhost(
  frame: Frame,
  ghost: readonly Band[],
  bands: readonly Band[],
  top: CssPx,
  height: CssPx,
): void {
  const { ctx, palette, x } = frame;
  const { from, to } = windowOf(x);
  const now = new Set(bands.map(keyOf));
  ctx.strokeStyle = palette.text2;
  ctx.lineWidth = 1.2;
  ctx.setLineDash([3, 3]);
  for (let i = firstEndingAfter(ghost, from); i < ghost.length; i++) {
    const band = ghost[i];
    if (band === undefined || band.from >= to) break;
    const box = now.has(keyOf(band)) ? null : boxOf(frame, band.from, band.to, top - OUT, height + 2 * OUT);
    if (box !== null && box.width >= 1) ctx.strokeRect(box.left, box.top, box.width, box.height);
  }
  ctx.setLineDash([]);
}

const keyOf = ({ from, to, pattern, word }: Band): string => `${from} ${to} ${pattern} ${word}`;
