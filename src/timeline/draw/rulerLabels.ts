/** Which numbers of the ruler are shown. */
import type { CssPx } from '../../base/units.ts';

/** Half of the playhead's flag. */
export const FLAG_HALF: CssPx = 34;
/** A label stands so far right of its tick. */
export const LABEL_GAP: CssPx = 5;
const CHARACTER: CssPx = 6.5;

/** Whether the label of a tick at `px` ends before the right edge and touches no flag at `flagAt` (NaN: there is none). */
export function isClear(px: CssPx, label: string, width: CssPx, flagAt: CssPx): boolean {
  const right = px + LABEL_GAP + CHARACTER * label.length;
  const underFlag = right > flagAt - FLAG_HALF && px < flagAt + FLAG_HALF;
  return right <= width && !underFlag;
}
