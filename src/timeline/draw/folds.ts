/** Quiet time that is folded: one band over all lanes, with the time that it leaves out written along it. */
import { least } from 'd3-array';
import type { CssPx } from '../../base/units.ts';
import { type Fold, foldsOf } from '../scale/timeScale.ts';
import type { Frame } from './frame.ts';
import { Occupancy, type TextWidths } from './labels.ts';

/** Above and below the text. */
const PADDING: CssPx = 12;
/** Half of the room that the text takes across the fold. */
const HALF_LINE: CssPx = 8;
/** Between the text and a mark that reaches under it. */
const BESIDE_MARK: CssPx = 6;
/** Narrower ones leave out the room beside the run: nothing of it is to be told. */
const LEAST_BAND: CssPx = 16;
/** The playhead keeps so far away from the text, or the text from it. */
const BESIDE_PLAYHEAD: CssPx = 8;

/** What a mark takes on the screen, px. */
export interface MarkBox {
  readonly left: CssPx;
  readonly right: CssPx;
  readonly top: CssPx;
  readonly bottom: CssPx;
}

const bandsOf = ({ stretches }: Frame): readonly Fold[] =>
  foldsOf(stretches).filter(({ width }) => width >= LEAST_BAND);

/** Above bands, below the playhead and all links. */
export function drawFolds(frame: Frame, height: CssPx): void {
  const { ctx, palette, x, width } = frame;
  for (const { from, to } of bandsOf(frame)) {
    const [left, right] = [Math.max(0, x(from)), Math.min(width, x(to))];
    if (right <= left) continue;
    ctx.fillStyle = palette.sunken;
    ctx.fillRect(left, 0, right - left, height);
    ctx.strokeStyle = palette.tone.idle;
    ctx.lineWidth = 1;
    ctx.setLineDash([2, 3]);
    ctx.beginPath();
    for (const px of [x(from), x(to)]) {
      ctx.moveTo(px, 0);
      ctx.lineTo(px, height);
    }
    ctx.stroke();
    ctx.setLineDash([]);
  }
}

/** How long each fold is, along it: as near to the middle as no mark reaches under the text. */
export function drawFoldTexts(frame: Frame, height: CssPx, widths: TextWidths, marks: readonly MarkBox[]): void {
  const { ctx, palette, fonts, words, x, width } = frame;
  for (const { from, to } of bandsOf(frame)) {
    const text = words.folded(to - from);
    const length = widths.of(ctx, fonts.label, text);
    const across = placeOfText((x(from) + x(to)) / 2, frame.playhead);
    const along = placeAlong(
      marks.filter(({ left, right }) => right > across - HALF_LINE && left < across + HALF_LINE),
      length,
      height,
    );
    if (x(from) < 0 || x(to) > width || along === null) continue;
    ctx.save();
    ctx.translate(across, along);
    ctx.rotate(-Math.PI / 2);
    ctx.font = fonts.label;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = palette.text2;
    ctx.fillText(text, 0, 0);
    ctx.restore();
  }
}

/** In the middle, or beside the playhead. */
function placeOfText(middle: CssPx, playhead: CssPx): CssPx {
  if (Math.abs(playhead - middle) >= BESIDE_PLAYHEAD) return middle;
  return playhead < middle ? playhead + BESIDE_PLAYHEAD : playhead - BESIDE_PLAYHEAD;
}

/** The middle of a text of `length` px, clear of the marks; null where there is no room. */
function placeAlong(marks: readonly MarkBox[], length: CssPx, height: CssPx): CssPx | null {
  const line = new Occupancy();
  for (const { top, bottom } of marks) line.take(top, bottom);
  const middle = height / 2;
  const half = length / 2;
  const places = [
    middle,
    ...marks.flatMap(({ top, bottom }) => [top - BESIDE_MARK - half, bottom + BESIDE_MARK + half]),
  ].filter((at) => at - half >= PADDING && at + half <= height - PADDING && line.isFree(at - half, at + half));
  return least(places, (at) => Math.abs(at - middle)) ?? null;
}

/** No label stands on a fold. */
export function takeFolds({ stretches, x }: Frame, line: Occupancy): void {
  for (const { from, to } of foldsOf(stretches)) line.take(x(from), x(to));
}

/** What is left of [left, right] px beside the folds. */
export function besideFolds(
  { stretches, x }: Frame,
  left: CssPx,
  right: CssPx,
): readonly (readonly [left: CssPx, right: CssPx])[] {
  const parts: [CssPx, CssPx][] = [];
  let from = left;
  for (const fold of foldsOf(stretches)) {
    if (x(fold.to) <= from || x(fold.from) >= right) continue;
    if (x(fold.from) > from) parts.push([from, x(fold.from)]);
    from = x(fold.to);
  }
  if (right > from) parts.push([from, right]);
  return parts;
}
