/** Links between causes and effects: orthogonal, turning only between lanes. */
import type { CssPx } from '../../base/units.ts';
import type { Frame } from './frame.ts';

/** One end of a link: µs and the lane it stands on. */
export interface LinkEnd {
  readonly at: number;
  readonly laneId: string;
}
export interface Link {
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  /** An arming timer: dashed. */
  readonly armed: boolean;
  /** Of the hop on a path; null for none. */
  readonly number?: number | null;
  /** A thin line: of a path that nobody has asked for. */
  readonly isThin?: boolean;
}
/** Where a lane stands on the canvas. */
export interface LaneSpan {
  readonly top: CssPx;
  readonly bottom: CssPx;
  readonly middle: CssPx;
}

const SELECTED: CssPx = 2.2;
const THIN: CssPx = 1.6;

/** Draws all links whose two lanes are laid out. */
export function drawChain(frame: Frame, links: readonly Link[], spanOf: (laneId: string) => LaneSpan | null): void {
  const { ctx, palette } = frame;
  ctx.strokeStyle = palette.accent;
  ctx.lineJoin = 'round';
  for (const link of links) {
    const path = linkPath(frame, link, spanOf);
    if (path.length === 0) continue;
    ctx.lineWidth = link.isThin ? THIN : SELECTED;
    ctx.setLineDash(link.armed ? [5, 4] : []);
    ctx.beginPath();
    path.forEach(([x, y], i) => {
      if (i === 0) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    });
    ctx.stroke();
  }
  ctx.setLineDash([]);
}

/**
 * Down (or up) to the edge of the lane it starts on, along that edge, then to the effect:
 *
 *     cause ┐
 *           └──────┐
 *                effect
 */
export function linkPath(
  { x, width }: Pick<Frame, 'x' | 'width'>,
  { from, to }: Link,
  spanOf: (laneId: string) => LaneSpan | null,
): readonly (readonly [CssPx, CssPx])[] {
  const start = spanOf(from.laneId);
  const end = spanOf(to.laneId);
  if (start === null || end === null) return [];
  const inReach = (px: CssPx): CssPx => Math.min(width + 50, Math.max(-50, px));
  const [left, right] = [inReach(x(from.at)), inReach(x(to.at))];
  if (start === end)
    return [
      [left, start.middle],
      [right, start.middle],
    ];
  const edge = end.middle > start.middle ? start.bottom : start.top;
  return [
    [left, start.middle],
    [left, edge],
    [right, edge],
    [right, end.middle],
  ];
}
