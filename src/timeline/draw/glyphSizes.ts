/** Sizes of glyphs: what is drawn, and what room it takes. */
import type { CssPx } from '../../base/units.ts';
import type { GlyphMark } from './clusters.ts';

export const OK_RADIUS: CssPx = 6.5;
export const FAIL_SIDE: CssPx = 12;
export const RING_RADIUS: CssPx = 3.5;
/** Side of a letter's box. */
export const BOX: CssPx = 15;
/** Each further letter of a pill. */
export const LETTER: CssPx = 10;

/** What a glyph takes left and right of its place, px; a pill grows to the right. */
export function extentOf({ run, letters }: Pick<GlyphMark, 'run' | 'letters'>): {
  readonly left: CssPx;
  readonly right: CssPx;
} {
  if (run.shape === 'tick') return { left: 1, right: 1 };
  if (run.shape === 'ring' || run.shape === 'pause') return { left: RING_RADIUS + 1, right: RING_RADIUS + 1 };
  return { left: BOX / 2, right: BOX / 2 + LETTER * Math.max(0, letters.length - 1) };
}
