import { GrowingColumn } from '../../base/growing.ts';
import type { Micros } from '../../base/units.ts';
import {
  COMPONENTS,
  EVENT_KINDS,
  type EventKind,
  type FieldType,
  KIND_NAMES,
  type Payload,
  type Subject,
} from './kinds.ts';
import { ObjectPool } from './objectPool.ts';
import { NO_REF, ordinalOf, packRef, type Ref, rowOf } from './ref.ts';
import type { SubjectColumns, TraceData } from './trace.ts';

type Column = GrowingColumn<Float64Array> | GrowingColumn<Uint32Array> | GrowingColumn<Int32Array>;
/** What an event says: numbers as they are, strings as strings. */
type AnyPayload = Readonly<Record<string, string | number>>;

const KIND_INDEX = new Map(KIND_NAMES.map((name, index) => [name, index]));

/** What a Uint16 holds. */
const DEEPEST = 0xffff;

/** Events that repeat: what the writer compares before it extends a row. */
interface OpenRow {
  readonly row: number;
  readonly kind: EventKind;
  last: Micros;
}

/**
 * Appends events to the columns of a trace.
 *
 * A subject's repeating event shares the row of the one before it while all its payload and its length are the same,
 * it comes exactly one period later, has no cause but the timer that its predecessor armed, and nothing of that subject
 * lies between: memory follows changes, not time.
 */
export class TraceWriter {
  private readonly kind = new GrowingColumn(Uint16Array);
  private readonly startAt = new GrowingColumn(Float64Array);
  private readonly length = new GrowingColumn(Float64Array);
  private readonly count = new GrowingColumn(Uint32Array);
  private readonly period = new GrowingColumn(Float64Array);
  private readonly subject = new GrowingColumn(Uint32Array);
  private readonly depth = new GrowingColumn(Uint16Array);
  private readonly slot = new GrowingColumn(Uint32Array);
  private readonly causeStart = new GrowingColumn(Uint32Array);
  private readonly causeRow = new GrowingColumn(Uint32Array);
  private readonly causeOrdinal = new GrowingColumn(Uint32Array);
  private readonly armedRow = new GrowingColumn(Int32Array);
  private readonly armedOrdinal = new GrowingColumn(Uint32Array);
  private readonly payload = makePayloadColumns();

  private readonly strings: string[] = [];
  private readonly stringIndex = new Map<string, number>();
  private readonly subjects: Subject[] = [];
  private readonly subjectIndex = new Map<string, number>();
  private readonly lastRow: number[] = [];
  private readonly open: (OpenRow | undefined)[] = [];
  private readonly objects = new ObjectPool();
  private readonly packing: boolean;

  /** `packing: false` gives every event a row of its own; the tests compare the two. */
  constructor(options: { readonly packing: boolean } = { packing: true }) {
    this.packing = options.packing;
    this.string('');
  }

  /** The subject's number; made on first use. */
  subjectOf(subject: Subject): number {
    const key = `${subject.component}|${subject.node}|${subject.pod}|${subject.container}|${subject.probe}|${subject.object}`;
    const known = this.subjectIndex.get(key);
    if (known !== undefined) return known;
    const index = this.subjects.length;
    this.subjects.push(subject);
    this.subjectIndex.set(key, index);
    this.lastRow.push(-1);
    this.open.push(undefined);
    return index;
  }

  /**
   * Appends an event that lasts `length` µs (0: an instant; NaN: not known yet, see `end`). Returns its identity.
   * `armed` is the event that set the timer behind it.
   */
  event<K extends EventKind>(
    kind: K,
    at: Micros,
    subject: number,
    payload: Payload<K>,
    causes: readonly Ref[] = [],
    armed: Ref = NO_REF,
    length = 0,
  ): Ref {
    const row = this.kind.length;
    this.kind.push(KIND_INDEX.get(kind) as number);
    this.startAt.push(at);
    this.length.push(length);
    this.count.push(1);
    this.period.push(0);
    this.subject.push(subject);
    this.depth.push(this.depthOf(at, subject, causes, armed));
    this.slot.push(this.writePayload(kind, payload as AnyPayload));
    this.causeStart.push(this.causeRow.length);
    for (const cause of causes) {
      if (cause === NO_REF) continue;
      this.causeRow.push(rowOf(cause));
      this.causeOrdinal.push(ordinalOf(cause));
    }
    this.armedRow.push(armed === NO_REF ? -1 : rowOf(armed));
    this.armedOrdinal.push(armed === NO_REF ? 0 : ordinalOf(armed));
    this.lastRow[subject] = row;
    this.open[subject] = undefined;
    return packRef(row, 0);
  }

  /**
   * Appends a whole event of a kind that repeats, or extends the row of its predecessor, which must be the event that
   * armed it and have come `period` µs before. `period` 0: this one followed no tick, and has a row of its own.
   */
  repeating<K extends EventKind>(
    kind: K,
    at: Micros,
    subject: number,
    payload: Payload<K>,
    causes: readonly Ref[],
    armed: Ref,
    length: number,
    period: number,
  ): Ref {
    const open = this.open[subject];
    if (
      open &&
      period > 0 &&
      causes.length === 0 &&
      this.continues(open, kind, at, payload as AnyPayload, length, period, armed)
    ) {
      const ordinal = this.count.at(open.row);
      this.count.set(open.row, ordinal + 1);
      this.period.set(open.row, period);
      open.last = at;
      return packRef(open.row, ordinal);
    }
    const ref = this.event(kind, at, subject, payload, causes, armed, length);
    if (this.packing) this.open[subject] = { row: rowOf(ref), kind, last: at };
    return ref;
  }

  /** `repeating` for `times` events, each `period` µs after the last; all but the first follow from it. Returns the last one. */
  repeatingMany<K extends EventKind>(
    kind: K,
    at: Micros,
    subject: number,
    payload: Payload<K>,
    armed: Ref,
    length: number,
    period: number,
    times: number,
  ): Ref {
    const first = this.repeating(kind, at, subject, payload, [], armed, length, period);
    if (!this.packing) {
      let last = first;
      for (let i = 1; i < times; i++) {
        last = this.repeating(kind, (at + i * period) as Micros, subject, payload, [], last, length, period);
      }
      return last;
    }
    if (times === 1) return first;
    const row = rowOf(first);
    this.count.set(row, this.count.at(row) + times - 1);
    this.period.set(row, period);
    (this.open[subject] as OpenRow).last = (at + (times - 1) * period) as Micros;
    return packRef(row, ordinalOf(first) + times - 1);
  }

  /** Makes an event written before end at `at`, and lets later ones extend its row. */
  end<K extends EventKind>(ref: Ref, at: Micros, payload: Partial<Payload<K>>, repeats: boolean): void {
    const row = rowOf(ref);
    const kind = KIND_NAMES[this.kind.at(row)] as EventKind;
    this.length.set(row, at - this.startAt.at(row));
    const slot = this.slot.at(row);
    for (const [field, value] of Object.entries(payload as AnyPayload)) {
      const column = this.payload[kind][field] as Column;
      column.set(slot, typeof value === 'string' ? this.string(value) : value);
    }
    const subject = this.subject.at(row);
    if (repeats && this.packing && this.lastRow[subject] === row) {
      this.open[subject] = { row, kind, last: this.startAt.at(row) as Micros };
    }
  }

  /** Stores the version of an object (JSON text) that `ref` made; the result goes into that event's `version` field. */
  object(key: string, text: string, since: Micros, ref: Ref): number {
    return this.objects.add(this.string(key), text, since, rowOf(ref));
  }

  /** Sets a `version` field that became known after the event was written. */
  setVersion(ref: Ref, field: string, version: number): void {
    const row = rowOf(ref);
    const kind = KIND_NAMES[this.kind.at(row)] as EventKind;
    (this.payload[kind][field] as Column).set(this.slot.at(row), version);
  }

  /** The trace so far, as copies: the writer may go on. */
  finish(horizon: Micros, wallClock: number): TraceData {
    this.causeStart.push(this.causeRow.length);
    const causeStart = this.causeStart.toArray();
    this.causeStart.length--;
    return {
      schema: 1,
      horizon,
      wallClock,
      rows: this.kind.length,
      kind: Uint8Array.from(this.kind.toArray()),
      at: this.startAt.toArray(),
      length: this.length.toArray(),
      count: this.count.toArray(),
      period: this.period.toArray(),
      subject: this.subject.toArray(),
      depth: this.depth.toArray(),
      slot: this.slot.toArray(),
      causeStart,
      causeRow: this.causeRow.toArray(),
      causeOrdinal: this.causeOrdinal.toArray(),
      armedRow: this.armedRow.toArray(),
      armedOrdinal: this.armedOrdinal.toArray(),
      payload: this.payloadArrays(),
      subjects: this.subjectColumns(),
      objects: this.objects.toColumns(),
      strings: this.strings.slice(),
    };
  }

  private string(text: string): number {
    const known = this.stringIndex.get(text);
    if (known !== undefined) return known;
    const index = this.strings.length;
    this.strings.push(text);
    this.stringIndex.set(text, index);
    return index;
  }

  /** After every cause of the same instant, and after the subject's own last event of that instant. */
  private depthOf(at: Micros, subject: number, causes: readonly Ref[], armed: Ref): number {
    const last = this.lastRow[subject] as number;
    const isSameInstant = last >= 0 && this.startAt.at(last) === at && this.count.at(last) === 1;
    let depth = isSameInstant ? this.depth.at(last) + 1 : 0;
    for (const cause of causes) depth = Math.max(depth, this.depthAfter(at, cause));
    return Math.min(Math.max(depth, this.depthAfter(at, armed)), DEEPEST);
  }

  /** The least depth of an event at `at` that follows from `cause`. */
  private depthAfter(at: Micros, cause: Ref): number {
    if (cause === NO_REF) return 0;
    const row = rowOf(cause);
    const ordinal = ordinalOf(cause);
    if (ordinal === 0) return this.startAt.at(row) === at ? this.depth.at(row) + 1 : 0;
    return this.startAt.at(row) + ordinal * this.period.at(row) === at ? 1 : 0;
  }

  private continues(
    open: OpenRow,
    kind: EventKind,
    at: Micros,
    payload: AnyPayload,
    length: number,
    period: number,
    armed: Ref,
  ): boolean {
    const { row } = open;
    const count = this.count.at(row);
    if (open.kind !== kind || at - open.last !== period || this.length.at(row) !== length) return false;
    if (armed !== packRef(row, count - 1)) return false;
    if (count > 1 && this.period.at(row) !== period) return false;
    const slot = this.slot.at(row);
    const columns = this.payload[kind];
    for (const field in payload) {
      const value = payload[field] as string | number;
      const stored = typeof value === 'string' ? (this.stringIndex.get(value) ?? -1) : value;
      if ((columns[field] as Column).at(slot) !== stored) return false;
    }
    return true;
  }

  private writePayload(kind: EventKind, payload: AnyPayload): number {
    const columns = this.payload[kind];
    let slot = 0;
    for (const field in columns) {
      const column = columns[field] as Column;
      const value = payload[field] as string | number;
      slot = column.length;
      column.push(typeof value === 'string' ? this.string(value) : value);
    }
    return slot;
  }

  private payloadArrays(): TraceData['payload'] {
    const entries = KIND_NAMES.map((kind) => [
      kind,
      Object.fromEntries(Object.entries(this.payload[kind]).map(([field, column]) => [field, column.toArray()])),
    ]);
    return Object.fromEntries(entries) as TraceData['payload'];
  }

  private subjectColumns(): SubjectColumns {
    const strings = (part: 'node' | 'pod' | 'container' | 'probe' | 'object'): Uint32Array =>
      Uint32Array.from(this.subjects, (subject) => this.string(subject[part]));
    return {
      component: Uint8Array.from(this.subjects, (subject) => COMPONENTS.indexOf(subject.component)),
      node: strings('node'),
      pod: strings('pod'),
      container: strings('container'),
      probe: strings('probe'),
      object: strings('object'),
    };
  }
}

function makePayloadColumns(): Record<EventKind, Record<string, Column>> {
  const columnFor = (type: FieldType): Column => {
    if (type === 'string') return new GrowingColumn(Uint32Array, 16);
    return type === 'version' ? new GrowingColumn(Int32Array, 16) : new GrowingColumn(Float64Array, 16);
  };
  const entries = KIND_NAMES.map((kind) => [
    kind,
    Object.fromEntries(Object.entries(EVENT_KINDS[kind]).map(([field, type]) => [field, columnFor(type)])),
  ]);
  return Object.fromEntries(entries) as Record<EventKind, Record<string, Column>>;
}
