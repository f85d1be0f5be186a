import { namedFractions } from '../../base/hash.ts';
import type { Micros } from '../../base/units.ts';
import type { Pin, Pins } from '../scenario.ts';

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

/** All draws of one name. Kept by those who draw often, so that the name is looked up once. */
export class DrawStream {
  private readonly name: string;
  private readonly seed: number;
  private readonly pins: readonly Pin[];
  /** Its pins, of which there may be none, are from a recording, and with them all that it writes down. */
  private readonly isWhole: boolean;
  private readonly fraction: (index: number) => number;
  private readonly differences: DrawDifference[];
  private readonly taken: DrawRecord[] | null;
  /** Index of the next draw. */
  private next = 0;
  /** How many draws left a pin for a later instant where it is. */
  private unrecorded = 0;

  constructor(
    name: string,
    seed: number,
    pins: readonly Pin[] | undefined,
    differences: DrawDifference[],
    taken: DrawRecord[] | null,
  ) {
    this.name = name;
    this.seed = seed;
    this.pins = pins ?? [];
    this.isWhole = pins?.every(({ at }) => at !== null) ?? false;
    this.fraction = namedFractions(seed, name);
    this.differences = differences;
    this.taken = taken;
  }

  /** The next number: the pinned one, else what `fromFraction` makes of a fraction in [0, 1). */
  number(at: Micros, fromFraction: (u: number) => number): number {
    if (this.pins.length === 0 && this.taken === null) return fromFraction(this.fraction(this.next++));
    const { index, value: pinned } = this.take(at);
    const isPinned = typeof pinned === 'number';
    const value = isPinned ? pinned : fromFraction(this.fraction(index));
    this.taken?.push({ name: this.name, index, at, value, pinned: isPinned });
    return value;
  }

  /**
   * One of `options` (at least one), each as likely as the next. A pin must name one of them. `unwritten`: the option that
   * no recording writes down, and so the one that was taken where a recording says nothing.
   */
  choice<T extends string>(at: Micros, options: readonly T[], unwritten: T | null = null): T {
    if (unwritten !== null && this.isWhole && (this.pins[this.consumed]?.at ?? Number.POSITIVE_INFINITY) > at) {
      const index = this.next++;
      this.unrecorded++;
      this.taken?.push({ name: this.name, index, at, value: unwritten, pinned: true });
      return unwritten;
    }
    const { index, value: pinned } = this.take(at);
    const named = options.find((option) => option === pinned);
    if (pinned !== null && named === undefined)
      this.differ(index, at, at, `${pinned} is not one of ${options.join(', ')}`);
    const u = options.length === 1 ? 0 : this.fraction(index);
    const value = named ?? (options[Math.floor(u * options.length)] as T);
    this.taken?.push({ name: this.name, index, at, value, pinned: named !== undefined });
    return value;
  }

  /**
   * `labels`, each once, in a drawn order. A pin lists them, joined by ', '; those that it leaves out come last. A pin for
   * a later instant waits for it: recordings know no orders before t = 0, nor of things of which only the first was done.
   */
  order(at: Micros, labels: readonly string[]): readonly string[] {
    const { index, value: pinned } = this.take(at, true);
    const isPinned = typeof pinned === 'string';
    const listed = isPinned ? pinned.split(', ') : [];
    const strange = listed.find((label) => !labels.includes(label));
    if (strange !== undefined) this.differ(index, at, at, `${strange} is not one of ${labels.join(', ')}`);
    const placeOf = (label: string): number => {
      if (!isPinned) return namedFractions(this.seed, `${this.name}/${label}`)(index);
      const place = listed.indexOf(label);
      return place < 0 ? listed.length : place;
    };
    const ordered = labels.toSorted((a, b) => placeOf(a) - placeOf(b));
    this.taken?.push({ name: this.name, index, at, value: ordered.join(', '), pinned: isPinned });
    return ordered;
  }

  /** How many pins have had their turn. */
  get consumed(): number {
    return this.next - this.unrecorded;
  }

  /** The pinned text of the next draw; null without pins, and then nothing is drawn. */
  told(at: Micros): string | null {
    if (this.pins.length === 0) return null;
    const { value } = this.take(at);
    return typeof value === 'string' ? value : null;
  }

  private take(at: Micros, waits = false): { readonly index: number; readonly value: number | string | null } {
    for (let pin = this.pins[this.consumed]; pin && pin.at !== null && pin.at < at; pin = this.pins[this.consumed]) {
      this.differ(this.next++, pin.at, null, 'never consumed');
    }
    const pin = this.pins[this.consumed];
    const index = this.next++;
    if (!pin) return { index, value: null };
    if (waits && pin.at !== null && pin.at > at) {
      this.unrecorded++;
      return { index, value: null };
    }
    if (pin.at !== null && pin.at !== at) this.differ(index, pin.at, at, 'consumed at another instant');
    return { index, value: pin.value };
  }

  private differ(index: number, expectedAt: Micros, actualAt: Micros | null, note: string): void {
    this.differences.push({ name: this.name, index, expectedAt, actualAt, note });
  }
}

/**
 * Chance, named: each draw is (seed, name, index) → fraction, unless the scenario pins its result.
 * The index counts the draws of that name; a pin whose instant has passed is left behind, so that one difference does not
 * shift all that follow. Nothing else in the simulator is random.
 */
export class Draws {
  private readonly seed: number;
  private readonly pins: Pins;
  private readonly streams = new Map<string, DrawStream>();
  private readonly differences: DrawDifference[] = [];
  /** Every draw in order, if asked for. */
  readonly taken: DrawRecord[] | null;

  /** `record` keeps a list of all draws. */
  constructor(seed: number, pins: Pins, record = false) {
    this.seed = seed;
    this.pins = pins;
    this.taken = record ? [] : null;
  }

  /** The draws of that name. The same stream for each call. */
  stream(name: string): DrawStream {
    let stream = this.streams.get(name);
    if (!stream) {
      stream = new DrawStream(name, this.seed, this.pins[name], this.differences, this.taken);
      this.streams.set(name, stream);
    }
    return stream;
  }

  /** The next number of that name (see DrawStream). */
  number(name: string, at: Micros, fromFraction: (u: number) => number): number {
    return this.stream(name).number(at, fromFraction);
  }

  /** The next choice of that name (see DrawStream). */
  choice<T extends string>(name: string, at: Micros, options: readonly T[], unwritten: T | null = null): T {
    return this.stream(name).choice(at, options, unwritten);
  }

  /** The next order of that name (see DrawStream). */
  order(name: string, at: Micros, labels: readonly string[]): readonly string[] {
    return this.stream(name).order(at, labels);
  }

  /** The pinned text of the next draw of that name (see DrawStream). */
  told(name: string, at: Micros): string | null {
    return this.stream(name).told(at);
  }

  /** Everything that was not consumed as pinned, in the order of discovery; unused pins before `until` come last. */
  differencesUntil(until: Micros): readonly DrawDifference[] {
    const unused = Object.keys(this.pins)
      .sort()
      .flatMap((name) =>
        (this.pins[name] ?? []).flatMap((pin, index): DrawDifference[] =>
          index < (this.streams.get(name)?.consumed ?? 0) || pin.at === null || pin.at >= until
            ? []
            : [{ name, index, expectedAt: pin.at, actualAt: null, note: 'never consumed' }],
        ),
      );
    return [...this.differences, ...unused];
  }
}
