import type { RecordedEvent } from './event.ts';

/** The first thing in which a run differs from a recording. */
export interface Difference {
  /** µs. */
  readonly t: number;
  /** Lane and object, as events of one instant are compared. */
  readonly where: string;
  /** Null: the run has an event too many. */
  readonly expected: RecordedEvent | null;
  /** Null: the run lacks an event. */
  readonly got: RecordedEvent | null;
}

/** What a folder's README leaves open. */
export interface CompareRules {
  /** Events of one instant have an order only within one of these; it is shown to people. */
  readonly objectOf: (event: RecordedEvent) => string;
  /** Events without an order even there. */
  readonly hasNoOrder: (event: RecordedEvent) => boolean;
  /** Fields that hold generated identity; they compare up to a one-to-one renaming over the whole file. */
  readonly generated: ReadonlySet<string>;
  /** How far apart two numbers may be, by the path of their field such as `write.lines`; 0 without it. */
  readonly tolerance?: (path: string) => number;
}

/** Compares event lists: exact times and fields but for what `rules` leave open. Null when they are equal. */
export function firstDifference(
  expected: readonly RecordedEvent[],
  got: readonly RecordedEvent[],
  { objectOf, hasNoOrder, generated, tolerance = () => 0 }: CompareRules,
): Difference | null {
  const renaming = new Renaming(generated, tolerance);
  const times = [...new Set([...expected, ...got].map(({ t }) => t))].sort((a, b) => a - b);
  const left = groupBy(expected, ({ t }) => t);
  const right = groupBy(got, ({ t }) => t);
  for (const t of times) {
    const leftKeys = groupBy(left.get(t) ?? [], objectOf);
    const rightKeys = groupBy(right.get(t) ?? [], objectOf);
    for (const where of new Set([...leftKeys.keys(), ...rightKeys.keys()])) {
      const a = leftKeys.get(where) ?? [];
      const given = rightKeys.get(where) ?? [];
      const b = a.some(hasNoOrder) ? inOrderOf(a, given, renaming) : given;
      for (let i = 0; i < Math.max(a.length, b.length); i++) {
        const one = a[i] ?? null;
        const other = b[i] ?? null;
        if (!one || !other || !renaming.equal(one, other)) return { t, where, expected: one, got: other };
      }
    }
  }
  return null;
}

/** `given`, arranged like `wanted` as far as its events equal those; the others last. */
function inOrderOf(
  wanted: readonly RecordedEvent[],
  given: readonly RecordedEvent[],
  renaming: Renaming,
): readonly RecordedEvent[] {
  const left = [...given];
  const found = wanted.map((event) => {
    const at = left.findIndex((other) => renaming.couldEqual(event, other));
    return at < 0 ? [] : left.splice(at, 1);
  });
  // A hole would shift those behind it: the first that has no equal is the difference.
  const hole = found.findIndex((one) => one.length === 0);
  return hole < 0 ? [...found.flat(), ...left] : [...found.slice(0, hole).flat(), ...left];
}

class Renaming {
  private readonly generated: ReadonlySet<string>;
  private readonly tolerance: (path: string) => number;
  private readonly to = new Map<unknown, unknown>();
  private readonly from = new Map<unknown, unknown>();

  constructor(generated: ReadonlySet<string>, tolerance: (path: string) => number) {
    this.generated = generated;
    this.tolerance = tolerance;
  }

  /** Deep equality with generated fields paired one to one. */
  equal(a: unknown, b: unknown, field = '', path = ''): boolean {
    if (this.generated.has(field) && typeof a === 'string' && typeof b === 'string') return this.pair(a, b);
    if (Array.isArray(a))
      return Array.isArray(b) && a.length === b.length && a.every((item, i) => this.equal(item, b[i], '', path));
    if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= this.tolerance(path);
    if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
    const left = a as Readonly<Record<string, unknown>>;
    const right = b as Readonly<Record<string, unknown>>;
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...keys].every((key) => this.equal(left[key], right[key], key, path ? `${path}.${key}` : key));
  }

  /** As `equal`, without deciding on a pair that is still open. */
  couldEqual(a: unknown, b: unknown): boolean {
    const trial = new Renaming(this.generated, this.tolerance);
    for (const [key, value] of this.to) trial.to.set(key, value);
    for (const [key, value] of this.from) trial.from.set(key, value);
    return trial.equal(a, b);
  }

  private pair(a: string, b: string): boolean {
    if (!this.to.has(a) && !this.from.has(b)) {
      this.to.set(a, b);
      this.from.set(b, a);
    }
    return this.to.get(a) === b && this.from.get(b) === a;
  }
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
