/** Quiet time that is folded: one band over all lanes, with the time that it leaves out written along it. */
import type { CssPx } from '../../base/units.ts';
import { foldsOf } from '../scale/timeScale.ts';
import type { Frame } from './frame.ts';
import type { Occupancy, TextWidths } from './labels.ts';

/** Above and below the text. */
const PADDING: CssPx = 12;
/** Narrower ones leave out the room beside the run: nothing of it is to be told. */
const LEAST_BAND: CssPx = 16;
/** The playhead keeps so far away from the text, or the text from it. */
const BESIDE_PLAYHEAD: CssPx = 8;

/** Above bands, below the playhead and all links. */
export function drawFolds(frame: Frame, height: CssPx, widths: TextWidths): void {
  const { ctx, palette, fonts, words, x, width } = frame;
  for (const { from, to } of foldsOf(frame.stretches).filter((fold) => fold.width >= LEAST_BAND)) {
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
    const text = words.folded(to - from);
    const length = widths.of(ctx, fonts.label, text);
    if (x(from) < 0 || x(to) > width || length + 2 * PADDING > height) continue;
    ctx.save();
    ctx.translate(placeOfText((left + right) / 2, frame.playhead), height / 2);
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
