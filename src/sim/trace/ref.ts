/** An EventRef (kinds.ts) packed into one number, as the simulator hands causes about: row + ordinal · 2³². */
export type Ref = number;
/** No event: the start of the world. */
export const NO_REF: Ref = -1;
/** For what nothing caused but the timer behind it. */
export const NO_CAUSES: readonly Ref[] = [];
const ROWS = 0x1_0000_0000;

export const packRef = (row: number, ordinal: number): Ref => row + ordinal * ROWS;
export const rowOf = (ref: Ref): number => (ref < ROWS ? ref : ref % ROWS);
export const ordinalOf = (ref: Ref): number => (ref < ROWS ? 0 : Math.floor(ref / ROWS));
