/** A stretch of time that is drawn larger than the rest: tinted, between dotted edges. */
import type { CssPx } from '../../base/units.ts';
import type { TimeWindow } from '../model/window.ts';
import type { Frame } from './frame.ts';

const TINT = 0.55;
const EDGE: CssPx = 1.4;

/** Below all marks. */
export function drawStretchGround({ ctx, palette, x, width }: Frame, { from, to }: TimeWindow, height: CssPx): void {
  const [left, right] = [Math.max(0, x(from)), Math.min(width, x(to))];
  if (right <= left) return;
  ctx.globalAlpha = TINT;
  ctx.fillStyle = palette.accentSoft;
  ctx.fillRect(left, 0, right - left, height);
  ctx.globalAlpha = 1;
}

/** Above bands: the axis is altered here, whatever goes on. */
export function drawStretchEdges({ ctx, palette, x, width }: Frame, { from, to }: TimeWindow, height: CssPx): void {
  ctx.strokeStyle = palette.accent;
  ctx.lineWidth = EDGE;
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  for (const px of [x(from), x(to)]) {
    if (px < 0 || px > width) continue;
    ctx.moveTo(px, 0);
    ctx.lineTo(px, height);
  }
  ctx.stroke();
  ctx.setLineDash([]);
}
