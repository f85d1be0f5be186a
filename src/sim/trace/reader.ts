/** Typed accessors over a finished trace. Nothing here simulates: everything is a look-up. */
import { Chains } from '../../base/chains.ts';
import { memoized } from '../../base/memoized.ts';
import { SparseColumn } from '../../base/sparse.ts';
import type { Micros, MicrosSpan } from '../../base/units.ts';
import {
  COMPONENTS,
  EVENT_KINDS,
  type EventKind,
  type EventRef,
  KIND_NAMES,
  type Payload,
  type Subject,
} from './kinds.ts';
import { decodeVersion } from './objectPool.ts';
import { packRef, type Ref } from './ref.ts';
import type { TraceData } from './trace.ts';

/** One event as a plain object. */
export type TraceEvent<K extends EventKind = EventKind> = K extends EventKind
  ? {
      readonly ref: EventRef;
      readonly kind: K;
      /** µs. */
      readonly at: Micros;
      /** µs; equals `at` for an instant, NaN when the event had not ended at the horizon. */
      readonly end: Micros;
      readonly subject: Subject;
      readonly subjectIndex: number;
      readonly payload: Payload<K>;
    }
  : never;

/** One stored version of an object. */
export interface ObjectVersion {
  readonly index: number;
  readonly since: Micros;
  readonly row: number;
}

interface Field {
  readonly name: string;
  readonly isText: boolean;
  readonly column: TraceData['payload'][EventKind][string];
}

/** The kind of event that may share rows. */
const REPEATING: EventKind = 'probeRun';
/** How many decoded object versions are kept. */
const TEXT_CACHE = 256;

/** Reads a trace. Indexes are built on first use and kept; all methods are pure look-ups otherwise. */
export class TraceReader {
  readonly data: TraceData;
  readonly subjects: readonly Subject[];
  private rowsBySubject: Chains | null = null;
  private effects: ReadonlyMap<Ref, readonly EventRef[]> | null = null;
  private versions: ReadonlyMap<string, readonly ObjectVersion[]> | null = null;
  private readonly period: SparseColumn;
  private readonly causeOrdinal: SparseColumn;
  private readonly armedOrdinal: SparseColumn;
  private readonly texts = new Map<number, string>();
  /** By place in KIND_NAMES. */
  private readonly fieldsOf = memoized((kind: number): readonly Field[] => {
    const name = KIND_NAMES[kind] as EventKind;
    const columns = this.data.payload[name];
    return Object.entries(EVENT_KINDS[name]).map(([field, type]) => ({
      name: field,
      isText: type === 'string',
      column: columns[field] as Field['column'],
    }));
  });

  constructor(data: TraceData) {
    this.data = data;
    this.period = new SparseColumn(data.period);
    this.causeOrdinal = new SparseColumn(data.causeOrdinal);
    this.armedOrdinal = new SparseColumn(data.armedOrdinal);
    const { subjects, strings } = data;
    const text = (index: number | undefined): string => strings[index as number] as string;
    this.subjects = Array.from(subjects.component, (component, i) => ({
      component: COMPONENTS[component] as Subject['component'],
      node: text(subjects.node[i]),
      pod: text(subjects.pod[i]),
      container: text(subjects.container[i]),
      probe: text(subjects.probe[i]) as Subject['probe'],
      object: text(subjects.object[i]),
    }));
  }

  /** Number of events, repetitions of packed rows counted each. */
  get eventCount(): number {
    return this.data.count.reduce((sum, count) => sum + count, 0);
  }

  kindOf(row: number): EventKind {
    return KIND_NAMES[this.data.kind[row] as number] as EventKind;
  }

  /** Start of an event, µs. */
  startOf({ row, ordinal }: EventRef): Micros {
    return ((this.data.at[row] as number) + (ordinal === 0 ? 0 : ordinal * this.periodOf(row))) as Micros;
  }

  /** Distance of a row's events, µs; 0 where it is one. */
  periodOf(row: number): MicrosSpan {
    return this.period.at(row) as MicrosSpan;
  }

  /** The event as a plain object. A ref outside the trace is a RangeError. */
  event(ref: EventRef): TraceEvent {
    const { row, ordinal } = ref;
    if (!(row < this.data.rows && ordinal < (this.data.count[row] as number))) {
      throw new RangeError(`no event (${row}, ${ordinal}) in a trace of ${this.data.rows} rows`);
    }
    const at = this.startOf(ref);
    const subjectIndex = this.data.subject[row] as number;
    return {
      ref,
      kind: this.kindOf(row),
      at,
      end: (at + (this.data.length[row] as number)) as Micros,
      subject: this.subjects[subjectIndex] as Subject,
      subjectIndex,
      payload: this.payloadOf(row),
    } as TraceEvent;
  }

  /** One payload field of a row, without making an object of the rest. */
  field(row: number, name: string): string | number {
    const kind = this.kindOf(row);
    const value = this.data.payload[kind][name]?.[this.data.slot[row] as number] as number;
    const type = (EVENT_KINDS[kind] as Readonly<Record<string, string>>)[name];
    return type === 'string' ? (this.data.strings[value] as string) : value;
  }

  /** Rows of a subject in order. The same array for each call. */
  rowsOf(subjectIndex: number): Uint32Array {
    this.rowsBySubject ??= new Chains(this.data.subject, this.subjects.length);
    return this.rowsBySubject.of(subjectIndex);
  }

  /** All events that begin in [from, to), packed rows expanded, by time and then causes before effects. */
  events(from: Micros = -Infinity as Micros, to: Micros = Infinity as Micros): readonly TraceEvent[] {
    return this.refs(from, to).map((ref) => this.event(ref));
  }

  /** The identities of `events`, in the same order. */
  refs(from: Micros = -Infinity as Micros, to: Micros = Infinity as Micros): readonly EventRef[] {
    const { rows, at, count } = this.data;
    const found: Placed[] = [];
    for (let row = 0; row < rows; row++) {
      const start = at[row] as number;
      const step = this.periodOf(row);
      const first = step > 0 && from > start ? Math.ceil((from - start) / step) : 0;
      for (let ordinal = first; ordinal < (count[row] as number); ordinal++) {
        const when = start + ordinal * step;
        if (when >= to) break;
        if (when >= from) found.push({ row, ordinal, at: when });
      }
    }
    return found.sort((a, b) => this.comparePlaced(a, b)).map(({ row, ordinal }) => ({ row, ordinal }));
  }

  /** The subject's last event that begins at or before `t`; null when there is none. */
  lastAt(subjectIndex: number, t: Micros): EventRef | null {
    const rows = this.rowsOf(subjectIndex);
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.data.at[rows[middle] as number] as number) <= t) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return null;
    const row = rows[low - 1] as number;
    const step = this.periodOf(row);
    const last = (this.data.count[row] as number) - 1;
    const ordinal = step > 0 ? Math.min(last, Math.floor((t - (this.data.at[row] as number)) / step)) : 0;
    return { row, ordinal };
  }

  causesOf({ row, ordinal }: EventRef): readonly EventRef[] {
    if (ordinal > 0) return [];
    const { causeStart, causeRow } = this.data;
    const causes: EventRef[] = [];
    for (let i = causeStart[row] as number; i < (causeStart[row + 1] as number); i++) {
      causes.push({ row: causeRow[i] as number, ordinal: this.causeOrdinal.at(i) });
    }
    return causes;
  }

  /** The event that armed the timer behind `ref`; null when it had none. */
  armedBy({ row, ordinal }: EventRef): EventRef | null {
    if (ordinal > 0) return { row, ordinal: ordinal - 1 };
    const armed = this.data.armedRow[row] as number;
    return armed < 0 ? null : { row: armed, ordinal: this.armedOrdinal.at(row) };
  }

  /** Events that `ref` caused or whose timer it armed, in row order. */
  effectsOf(ref: EventRef): readonly EventRef[] {
    this.effects ??= this.indexEffects();
    const found = this.effects.get(packRef(ref.row, ref.ordinal)) ?? [];
    const repeated = ref.ordinal + 1 < (this.data.count[ref.row] as number);
    return repeated ? [{ row: ref.row, ordinal: ref.ordinal + 1 }, ...found] : found;
  }

  /** Keys of all objects, in the order of their first version. */
  get objectKeys(): readonly string[] {
    return [...this.versionsByKey().keys()];
  }

  /** The object's versions in order; empty when there is no such object. */
  versionsOf(key: string): readonly ObjectVersion[] {
    return this.versionsByKey().get(key) ?? [];
  }

  /** The version of an object that holds at `t`; null when it does not exist yet. */
  versionAt(key: string, t: Micros): ObjectVersion | null {
    return this.versionsOf(key).findLast((version) => version.since <= t) ?? null;
  }

  /** Text (JSON) of a version by its index. */
  versionText(index: number): string {
    const known = this.texts.get(index);
    if (known !== undefined) return known;
    const text = decodeVersion(this.data.objects, index, (i) => this.texts.get(i));
    if (this.texts.size >= TEXT_CACHE) this.texts.clear();
    this.texts.set(index, text);
    return text;
  }

  private payloadOf(row: number): Readonly<Record<string, string | number>> {
    const { strings, slot } = this.data;
    const place = slot[row] as number;
    const payload: Record<string, string | number> = {};
    for (const { name, isText, column } of this.fieldsOf(this.data.kind[row] as number)) {
      const value = column[place] as number;
      payload[name] = isText ? (strings[value] as string) : value;
    }
    return payload;
  }

  /** Ticks are depth 0 of their instant, but for the first of a row. */
  private depthOf({ row, ordinal }: EventRef): number {
    return ordinal === 0 ? (this.data.depth[row] as number) : 0;
  }

  /**
   * By time, then depth. Equals of a kind that repeats go by subject, as their rows may be older than they are, and
   * before the others, which go as they were written.
   */
  private comparePlaced(a: Placed, b: Placed): number {
    const byDepth = a.at - b.at || this.depthOf(a) - this.depthOf(b);
    if (byDepth !== 0) return byDepth;
    const repeatsA = this.kindOf(a.row) === REPEATING;
    const repeatsB = this.kindOf(b.row) === REPEATING;
    if (repeatsA !== repeatsB) return repeatsA ? -1 : 1;
    const bySubject = repeatsA ? (this.data.subject[a.row] as number) - (this.data.subject[b.row] as number) : 0;
    return bySubject || a.row - b.row || a.ordinal - b.ordinal;
  }

  private indexEffects(): ReadonlyMap<Ref, readonly EventRef[]> {
    const effects = new Map<Ref, EventRef[]>();
    const add = (cause: Ref, row: number): void => {
      const list = effects.get(cause);
      if (list) list.push({ row, ordinal: 0 });
      else effects.set(cause, [{ row, ordinal: 0 }]);
    };
    const { rows, armedRow } = this.data;
    for (let row = 0; row < rows; row++) {
      for (const cause of this.causesOf({ row, ordinal: 0 })) add(packRef(cause.row, cause.ordinal), row);
      if ((armedRow[row] as number) >= 0) add(packRef(armedRow[row] as number, this.armedOrdinal.at(row)), row);
    }
    return effects;
  }

  private versionsByKey(): ReadonlyMap<string, readonly ObjectVersion[]> {
    if (this.versions) return this.versions;
    const byKey = new Map<string, ObjectVersion[]>();
    const { key, since, row } = this.data.objects;
    for (let index = 0; index < key.length; index++) {
      const name = this.data.strings[key[index] as number] as string;
      const version = { index, since: since[index] as Micros, row: row[index] as number };
      const list = byKey.get(name);
      if (list) list.push(version);
      else byKey.set(name, [version]);
    }
    this.versions = byKey;
    return byKey;
  }
}

interface Placed {
  readonly row: number;
  readonly ordinal: number;
  readonly at: number;
}
