import { GrowingColumn } from '../../base/growing.ts';
import { SparseColumn } from '../../base/sparse.ts';
import type { Micros } from '../../base/units.ts';
import { COMPONENTS, type EventKind, KIND_NAMES, type Payload, type Subject } from './kinds.ts';
import { ObjectPool } from './objectPool.ts';
import { type AnyPayload, PayloadColumns } from './payloadColumns.ts';
import { NO_CAUSES, NO_REF, ordinalOf, packRef, type Ref, rowOf } from './ref.ts';
import { RowColumns } from './rowColumns.ts';
import { StringTable } from './strings.ts';
import type { ObjectText } from './textEdits.ts';
import type { SubjectColumns, TraceData } from './trace.ts';

const KIND_INDEX: ReadonlyMap<string, number> = new Map(KIND_NAMES.map((name, index) => [name, index]));
const kindIndex = (kind: EventKind): number => KIND_INDEX.get(kind) as number;

/** What a Uint16 holds. */
const DEEPEST = 0xffff;

/** The last row of a subject whose events repeat: what the writer compares before it extends it. */
interface OpenRow {
  readonly row: number;
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
  private readonly rows = new RowColumns();
  private readonly causeRow = new GrowingColumn(Uint32Array);
  private readonly causeOrdinal = new SparseColumn();
  private readonly strings = new StringTable();
  private readonly payload = new PayloadColumns(this.strings);
  private readonly subjects: Subject[] = [];
  private readonly subjectIndex = new Map<string, number>();
  private readonly lastRow: number[] = [];
  private readonly open: (OpenRow | undefined)[] = [];
  private readonly objects = new ObjectPool();
  private readonly packing: boolean;

  /** `packing: false` gives every event a row of its own; the tests compare the two. */
  constructor(options: { readonly packing: boolean } = { packing: true }) {
    this.packing = options.packing;
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
    causes: readonly Ref[] = NO_CAUSES,
    armed: Ref = NO_REF,
    length = 0,
  ): Ref {
    const kindNumber = kindIndex(kind);
    return this.append(kindNumber, this.payload.add(kindNumber, payload), at, subject, causes, armed, length);
  }

  /** An instant of the kind of `like` that says the same: its payload is stored once, so neither may be changed later. */
  eventLike(like: Ref, at: Micros, subject: number, causes: readonly Ref[]): Ref {
    const { kind, slot } = this.rows;
    const row = rowOf(like);
    return this.append(kind[row] as number, slot[row] as number, at, subject, causes, NO_REF, 0);
  }

  private append(
    kind: number,
    slot: number,
    at: Micros,
    subject: number,
    causes: readonly Ref[],
    armed: Ref,
    length: number,
  ): Ref {
    const { rows } = this;
    const row = rows.add();
    rows.kind[row] = kind;
    rows.at[row] = at;
    rows.length[row] = length;
    rows.count[row] = 1;
    rows.subject[row] = subject;
    rows.slot[row] = slot;
    rows.armedRow[row] = armed === NO_REF ? -1 : rowOf(armed);
    if (armed !== NO_REF && ordinalOf(armed) > 0) rows.armedOrdinal.set(row, ordinalOf(armed));
    rows.causeStart[row] = this.causeRow.length;
    let depth = Math.max(this.depthAfterLast(at, subject), this.depthAfter(armed, at));
    // By index: an iterator over lists of several kinds is made anew for each, and so is each of its answers.
    for (let i = 0; i < causes.length; i++) {
      const cause = causes[i] as Ref;
      if (cause === NO_REF) continue;
      this.causeRow.push(rowOf(cause));
      if (ordinalOf(cause) > 0) this.causeOrdinal.set(this.causeRow.length - 1, ordinalOf(cause));
      depth = Math.max(depth, this.depthAfter(cause, at));
    }
    rows.depth[row] = Math.min(depth, DEEPEST);
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
    const continues =
      open !== undefined &&
      period > 0 &&
      at - open.last === period &&
      causes.length === 0 &&
      this.continues(open.row, kind, payload, armed, length, period);
    if (continues) return this.extend(open, 1, period);
    const ref = this.event(kind, at, subject, payload, causes, armed, length);
    if (this.packing) this.open[subject] = { row: rowOf(ref), last: at };
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
    return times === 1 ? first : this.extend(this.open[subject] as OpenRow, times - 1, period);
  }

  /** Makes an event written before end at `at`, with what is known of it only now, and lets later ones extend its row. */
  end<K extends EventKind>(ref: Ref, at: Micros, payload: Partial<Payload<K>> | null, repeats: boolean): void {
    const { rows } = this;
    const row = rowOf(ref);
    const began = rows.at[row] as Micros;
    rows.length[row] = at - began;
    if (payload) this.payload.set(rows.kind[row] as number, rows.slot[row] as number, payload);
    const subject = rows.subject[row] as number;
    if (repeats && this.packing && this.lastRow[subject] === row) this.open[subject] = { row, last: began };
  }

  /** The number of an object that has versions, by its key. */
  objectOf(key: string): number {
    return this.strings.add(key);
  }

  /** Stores the version of an object (`objectOf`) that `ref` made, as JSON; the result goes into that event's `version` field. */
  object(object: number, text: ObjectText, since: Micros, ref: Ref): number {
    return this.objects.add(object, text, since, rowOf(ref));
  }

  /** Sets a `version` field that became known after the event was written. */
  setVersion(ref: Ref, field: string, version: number): void {
    const { rows } = this;
    const row = rowOf(ref);
    this.payload.set(rows.kind[row] as number, rows.slot[row] as number, { [field]: version });
  }

  /** The trace so far, as copies: the writer may go on. */
  finish(horizon: Micros, wallClock: number): TraceData {
    return {
      schema: 1,
      horizon,
      wallClock,
      ...this.rows.toColumns(this.causeRow.length),
      causeRow: this.causeRow.toArray(),
      causeOrdinal: this.causeOrdinal.toArray(),
      payload: this.payload.toColumns(),
      subjects: this.subjectColumns(),
      objects: this.objects.toColumns(),
      // Last, as subjects have names too.
      strings: this.strings.toArray(),
    };
  }

  /** Depth of an event that comes after the subject's own last one. */
  private depthAfterLast(at: Micros, subject: number): number {
    const { rows } = this;
    const last = this.lastRow[subject] as number;
    return last >= 0 && rows.at[last] === at && rows.count[last] === 1 ? (rows.depth[last] as number) + 1 : 0;
  }

  /** Depth of an event that comes after `cause`: 0 when that was at another instant. */
  private depthAfter(cause: Ref, at: Micros): number {
    if (cause === NO_REF) return 0;
    const { rows } = this;
    const row = rowOf(cause);
    const ordinal = ordinalOf(cause);
    const began = (rows.at[row] as number) + (ordinal === 0 ? 0 : ordinal * rows.period.at(row));
    if (began !== at) return 0;
    return ordinal === 0 ? (rows.depth[row] as number) + 1 : 1;
  }

  /** Whether an event that comes one period after the last one of `row` is another one of it. */
  private continues(
    row: number,
    kind: EventKind,
    payload: AnyPayload,
    armed: Ref,
    length: number,
    period: number,
  ): boolean {
    const { rows } = this;
    const count = rows.count[row] as number;
    return (
      rows.kind[row] === kindIndex(kind) &&
      rows.length[row] === length &&
      (count === 1 || rows.period.at(row) === period) &&
      armed === packRef(row, count - 1) &&
      this.payload.holds(rows.kind[row], rows.slot[row] as number, payload)
    );
  }

  /** `times` more events in the row. Returns the last one. */
  private extend(open: OpenRow, times: number, period: number): Ref {
    const { rows } = this;
    const before = rows.count[open.row] as number;
    if (before === 1) rows.period.set(open.row, period);
    const ordinal = before + times - 1;
    rows.count[open.row] = ordinal + 1;
    open.last = (open.last + times * period) as Micros;
    return packRef(open.row, ordinal);
  }

  private subjectColumns(): SubjectColumns {
    const strings = (part: 'node' | 'pod' | 'container' | 'probe' | 'object'): Uint32Array =>
      Uint32Array.from(this.subjects, (subject) => this.strings.add(subject[part]));
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
