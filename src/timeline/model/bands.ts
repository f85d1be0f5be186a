/** Bands from a list of changes. */
import type { Micros } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { Band, Pattern, Tone } from './marks.ts';

/** From `at` on the lane is in this state. */
export interface Change {
  readonly at: Micros;
  readonly tone: Tone;
  readonly pattern: Pattern;
  readonly word: string;
  readonly note: string;
  readonly ref: EventRef | null;
}

/**
 * Changes (sorted) → bands that reach to the next change, the last one to `end`. A change that says the same as the
 * band before it makes no new band.
 *
 *     0 ─ False ─ 11.3 ─ True ─ end
 */
export function bandsFrom(changes: readonly Change[], end: Micros): readonly Band[] {
  const bands: Band[] = [];
  for (const change of changes) {
    const last = bands.at(-1);
    if (last !== undefined && sameLook(last, change)) continue;
    if (last !== undefined) bands[bands.length - 1] = { ...last, to: change.at };
    const { at, ...look } = change;
    bands.push({ from: at, to: end, ...look });
  }
  return bands.filter((band) => band.to > band.from);
}

const sameLook = (band: Band, change: Change): boolean =>
  band.word === change.word &&
  band.note === change.note &&
  band.tone === change.tone &&
  band.pattern === change.pattern;
