import type { Observation } from './observation.ts';

/** Collects what an invariant finds in one run. */
export class Findings {
  /** How often the invariant had something to say; one that never has proves nothing. */
  checked = 0;
  readonly violations: string[] = [];

  /** Something that must hold; `what` is asked for only when it does not. */
  that(holds: boolean, what: () => string): void {
    this.checked++;
    if (!holds) this.violations.push(what());
  }
}

/** Something that is true of every run. */
export interface Invariant<R = Observation> {
  /** A sentence that ends with the rules it follows from. */
  readonly name: string;
  readonly check: (run: R, find: Findings) => void;
}

/** Each two neighbours of a list. */
export const pairs = <T>(list: readonly T[]): readonly (readonly [T, T])[] =>
  list.slice(1).map((second, i) => [list[i] as T, second] as const);
