import { namedFraction } from '../../base/hash.ts';
import type { Micros } from '../../base/units.ts';
import type { Pins } from '../scenario.ts';

/** A pin that was not consumed as the recording says. */
export interface DrawDifference {
  readonly name: string;
  readonly index: number;
  /** Where the pin says that it is consumed; null when there is no such pin. */
  readonly expectedAt: Micros | null;
  /** Where the run consumed it; null when it never did. */
  readonly actualAt: Micros | null;
  readonly note: string;
}

/** A draw that was made. */
export interface DrawRecord {
  readonly name: string;
  readonly index: number;
  readonly at: Micros;
  readonly value: number | string;
  readonly pinned: boolean;
}

/**
 * Chance, named: each draw is (seed, name, index) → fraction, unless the scenario pins its result.
 * The index counts the draws of that name; a pin whose instant has passed is left behind, so that one difference does not
 * shift all that follow. Nothing else in the simulator is random.
 */
export class Draws {
  private readonly seed: number;
  private readonly pins: Pins;
  private readonly used = new Map<string, number>();
  /** How many of them left a pin for a later instant where it is. */
  private readonly unrecorded = new Map<string, number>();
  private readonly differences: DrawDifference[] = [];
  /** Every draw in order, if asked for. */
  readonly taken: DrawRecord[] | null;

  /** `record` keeps a list of all draws. */
  constructor(seed: number, pins: Pins, record = false) {
    this.seed = seed;
    this.pins = pins;
    this.taken = record ? [] : null;
  }

  /** The next number of that name: the pinned one, else what `fromFraction` makes of a fraction in [0, 1). */
  number(name: string, at: Micros, fromFraction: (u: number) => number): number {
    const { index, value: pinned } = this.take(name, at);
    const isPinned = typeof pinned === 'number';
    const value = isPinned ? pinned : fromFraction(namedFraction(this.seed, name, index));
    this.taken?.push({ name, index, at, value, pinned: isPinned });
    return value;
  }

  /** One of `options` (at least one), each as likely as the next. A pin must name one of them. */
  choice<T extends string>(name: string, at: Micros, options: readonly T[]): T {
    const { index, value: pinned } = this.take(name, at);
    const named = options.find((option) => option === pinned);
    if (pinned !== null && named === undefined) {
      const note = `${pinned} is not one of ${options.join(', ')}`;
      this.differences.push({ name, index, expectedAt: at, actualAt: at, note });
    }
    const u = options.length === 1 ? 0 : namedFraction(this.seed, name, index);
    const value = named ?? (options[Math.floor(u * options.length)] as T);
    this.taken?.push({ name, index, at, value, pinned: named !== undefined });
    return value;
  }

  /**
   * `labels`, each once, in a drawn order. A pin lists them, joined by ', '; those that it leaves out come last. A pin for
   * a later instant waits for it: recordings know no orders before t = 0, nor of things of which only the first was done.
   */
  order(name: string, at: Micros, labels: readonly string[]): readonly string[] {
    const { index, value: pinned } = this.take(name, at, true);
    const isPinned = typeof pinned === 'string';
    const listed = isPinned ? pinned.split(', ') : [];
    const strange = listed.find((label) => !labels.includes(label));
    if (strange !== undefined) {
      const note = `${strange} is not one of ${labels.join(', ')}`;
      this.differences.push({ name, index, expectedAt: at, actualAt: at, note });
    }
    const placeOf = (label: string): number => {
      if (!isPinned) return namedFraction(this.seed, `${name}/${label}`, index);
      const place = listed.indexOf(label);
      return place < 0 ? listed.length : place;
    };
    const ordered = labels.toSorted((a, b) => placeOf(a) - placeOf(b));
    this.taken?.push({ name, index, at, value: ordered.join(', '), pinned: isPinned });
    return ordered;
  }

  /** Everything that was not consumed as pinned, in the order of discovery; unused pins before `until` come last. */
  differencesUntil(until: Micros): readonly DrawDifference[] {
    const unused = Object.keys(this.pins)
      .sort()
      .flatMap((name) => {
        const consumed = (this.used.get(name) ?? 0) - (this.unrecorded.get(name) ?? 0);
        return (this.pins[name] ?? []).flatMap((pin, index): DrawDifference[] =>
          index < consumed || pin.at === null || pin.at >= until
            ? []
            : [{ name, index, expectedAt: pin.at, actualAt: null, note: 'never consumed' }],
        );
      });
    return [...this.differences, ...unused];
  }

  private take(name: string, at: Micros, waits = false): { index: number; value: number | string | null } {
    const pins = this.pins[name] ?? [];
    const unrecorded = this.unrecorded.get(name) ?? 0;
    let index = this.used.get(name) ?? 0;
    for (let pin = pins[index - unrecorded]; pin && pin.at !== null && pin.at < at; pin = pins[index - unrecorded]) {
      this.differences.push({ name, index, expectedAt: pin.at, actualAt: null, note: 'never consumed' });
      index++;
    }
    this.used.set(name, index + 1);
    const pin = pins[index - unrecorded];
    if (!pin) return { index, value: null };
    if (waits && pin.at !== null && pin.at > at) {
      this.unrecorded.set(name, unrecorded + 1);
      return { index, value: null };
    }
    if (pin.at !== null && pin.at !== at) {
      this.differences.push({ name, index, expectedAt: pin.at, actualAt: at, note: 'consumed at another instant' });
    }
    return { index, value: pin.value };
  }
}
