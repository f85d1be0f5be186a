/** Numbers of the hops of a path: on the link where its turn has room, else left of the mark that the hop ends with. */
import type { CssPx } from '../../base/units.ts';
import { type LaneSpan, type Link, linkPath } from './chain.ts';
import type { Frame } from './frame.ts';

/** Where a number stands. On a lane its labels keep away from it. */
export interface HopNumberMark {
  readonly x: CssPx;
  readonly y: CssPx;
  readonly text: string;
  /** The lane that it stands on; null for one on a link. */
  readonly laneId: string | null;
}

/** Radius of a number's circle, and half the room that it takes. */
const RADIUS: CssPx = 7.5;
export const HOP_NUMBER_HALF: CssPx = 9;
/** A turn shorter than this has no room for a number. */
const ROOM: CssPx = 24;
/** From a mark to the number left of it. */
const BESIDE: CssPx = 20;

export function hopNumbers(
  frame: Frame,
  links: readonly Link[],
  spanOf: (laneId: string) => LaneSpan | null,
): readonly HopNumberMark[] {
  const marks: HopNumberMark[] = [];
  for (const link of links) {
    const path = link.number ? linkPath(frame, link, spanOf) : [];
    const [a, b] = path.length === 4 ? path.slice(1, 3) : path;
    const end = path.at(-1);
    if (a === undefined || b === undefined || end === undefined) continue;
    const text = `${link.number}`;
    if (Math.abs(b[0] - a[0]) >= ROOM) marks.push({ x: (a[0] + b[0]) / 2, y: a[1], text, laneId: null });
    else {
      const { laneId } = link.to;
      const beside = marks.filter((mark) => mark.laneId === laneId).map(({ x }) => x - 2 * HOP_NUMBER_HALF);
      const x = Math.min(end[0] - BESIDE, ...beside);
      if (x >= HOP_NUMBER_HALF && x <= frame.width) marks.push({ x, y: end[1], text, laneId });
    }
  }
  return marks;
}

/** Filled on a link, hollow beside a mark. */
export function drawHopNumbers({ ctx, fonts, palette }: Frame, marks: readonly HopNumberMark[]): void {
  ctx.font = fonts.small;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.strokeStyle = palette.accent;
  ctx.lineWidth = 1.5;
  for (const { x, y, text, laneId } of marks) {
    ctx.beginPath();
    ctx.arc(x, y, RADIUS, 0, 2 * Math.PI);
    ctx.fillStyle = laneId === null ? palette.accent : palette.canvas;
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = laneId === null ? palette.canvas : palette.accent;
    ctx.fillText(text, x, y + 0.5);
  }
}
