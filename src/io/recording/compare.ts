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
 * (lane, object, container, probe); generated identities up to a one-to-one renaming. Null when they are equal.
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
      const b = rightKeys.get(where) ?? [];
      for (let i = 0; i < Math.max(a.length, b.length); i++) {
        const one = a[i] ?? null;
        const other = b[i] ?? null;
        if (!one || !other || !renaming.equal(one, other)) return { t, where, expected: one, got: other };
      }
    }
  }
  return null;
}

/** Events of one instant have an order only within one of these. */
function objectOf(event: RecordedEvent): string {
  const { lane, pod, pods, name, container, probe, source } = event as Readonly<Record<string, unknown>> &
    RecordedEvent;
  const object = pod ?? name ?? (Array.isArray(pods) ? pods.join(',') : '');
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
