/** Text on lanes. A label that does not fit is dropped, never cut, and none touches another or a glyph. */
import type { CssPx } from '../../base/units.ts';
import type { Ctx, Frame } from './frame.ts';

const HALO: CssPx = 4;
const GAP: CssPx = 4;

/** What is already taken on one line of text. */
export class Occupancy {
  readonly #taken: { readonly left: CssPx; readonly right: CssPx }[] = [];

  take(left: CssPx, right: CssPx): void {
    this.#taken.push({ left: left - GAP, right: right + GAP });
  }

  /** The first place at or right of `from` where `width` fits before `limit`; null when there is none. */
  firstFree(from: CssPx, width: CssPx, limit: CssPx): CssPx | null {
    let left = from;
    for (let moved = true; moved; ) {
      moved = false;
      for (const taken of this.#taken) {
        if (left >= taken.right || left + width <= taken.left) continue;
        left = taken.right;
        moved = true;
      }
    }
    return left + width <= limit ? left : null;
  }

  isFree = (left: CssPx, right: CssPx): boolean => this.firstFree(left, right - left, right) === left;
}

/** Widths of texts in a font; measuring is the slow part of drawing text. */
export class TextWidths {
  readonly #widths = new Map<string, CssPx>();

  of(ctx: Ctx, font: string, text: string): CssPx {
    const key = `${font}|${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    ctx.font = font;
    const { width } = ctx.measureText(text);
    this.#widths.set(key, width);
    return width;
  }

  /** To be called when fonts or language change. */
  clear(): void {
    this.#widths.clear();
  }
}

export interface LabelStyle {
  readonly font: string;
  readonly colour: string;
  /** Colour behind the text; lines and hatching stay away from it. */
  readonly halo: string;
}

/** Writes `text` with its middle at `y`. */
export function drawText(
  { ctx }: Frame,
  text: string,
  left: CssPx,
  y: CssPx,
  { font, colour, halo }: LabelStyle,
): void {
  ctx.font = font;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.strokeStyle = halo;
  ctx.lineWidth = HALO;
  ctx.lineJoin = 'round';
  ctx.strokeText(text, left, y + 0.5);
  ctx.fillStyle = colour;
  ctx.fillText(text, left, y + 0.5);
}
