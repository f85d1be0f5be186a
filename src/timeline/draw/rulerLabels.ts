/** Which numbers of the ruler are shown. */
import type { CssPx } from '../../base/units.ts';

/** Half of the playhead's flag. */
export const FLAG_HALF: CssPx = 34;
/** Width of the button that ends a magnification. */
export const LENS_BUTTON: CssPx = 26;
/** A label stands so far right of its tick. */
export const LABEL_GAP: CssPx = 5;
const CHARACTER: CssPx = 6.5;

/** What stands on the ruler beside its labels. */
export interface Room {
  readonly left: CssPx;
  readonly right: CssPx;
}

/** Whether the label of a tick at `px` ends before `limit` and touches nothing of what is taken. */
export function isClear(px: CssPx, label: string, limit: CssPx, taken: readonly Room[]): boolean {
  const end = px + LABEL_GAP + CHARACTER * label.length;
  return end <= limit && taken.every(({ left, right }) => end <= left || px >= right);
}
