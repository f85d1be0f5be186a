import type { RecordedEvent } from './recording.ts';

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

/** Fields that hold generated identity; they compare up to a one-to-one renaming over the whole file. */
const GENERATED = new Set(['id', 'sandbox', 'ip', 'podIP']);

/**
 * Compares event lists as the recordings' README says: exact times and fields; within one instant a sequence for each
 * (lane, object, container, probe), and no order where goroutines write that do not know each other; generated
 * identities up to a one-to-one renaming. Null when they are equal.
 */
export function firstDifference(expected: readonly RecordedEvent[], got: readonly RecordedEvent[]): Difference | null {
  const renaming = new Renaming();
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

/**
 * Each probe worker is a goroutine of its own: two that leave, or that report a failure, at one instant do so in any
 * order, and the two kinds of event name no container that would tell them apart.
 */
const hasNoOrder = ({ lane, type, ...event }: RecordedEvent): boolean =>
  (lane === 'results' && type === 'remove') ||
  (lane === 'events' && (event as { readonly reason?: unknown }).reason === 'Unhealthy');

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

/** Events of one instant have an order only within one of these. */
function objectOf(event: RecordedEvent): string {
  const { lane, type, pod, pods, name, container, probe, source } = event as Readonly<Record<string, unknown>> &
    RecordedEvent;
  const object = pod ?? name ?? (Array.isArray(pods) ? pods.join(',') : '');
  if (hasNoOrder(event)) return [lane, type, object, probe, 'in any order'].filter((part) => part).join(' ');
  return [lane, object, container, probe, source].filter((part) => typeof part === 'string').join(' ');
}

class Renaming {
  private readonly to = new Map<unknown, unknown>();
  private readonly from = new Map<unknown, unknown>();

  /** Deep equality with generated fields paired one to one. */
  equal(a: unknown, b: unknown, field = ''): boolean {
    if (GENERATED.has(field) && typeof a === 'string' && typeof b === 'string') return this.pair(a, b);
    if (Array.isArray(a))
      return Array.isArray(b) && a.length === b.length && a.every((item, i) => this.equal(item, b[i]));
    if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
    const left = a as Readonly<Record<string, unknown>>;
    const right = b as Readonly<Record<string, unknown>>;
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...keys].every((key) => this.equal(left[key], right[key], key));
  }

  /** As `equal`, without deciding on a pair that is still open. */
  couldEqual(a: unknown, b: unknown): boolean {
    const trial = new Renaming();
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
