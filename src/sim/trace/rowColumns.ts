import { GROWTH } from '../../base/growing.ts';
import { SparseColumn } from '../../base/sparse.ts';
import type { TraceData } from './trace.ts';

const FIRST_CAPACITY = 64;

/**
 * The columns that every row of a trace has (see TraceData for what they hold). They grow together, so that a new row
 * costs one check and a plain store for each column.
 */
export class RowColumns {
  /** Number of rows. */
  size = 0;
  kind = new Uint8Array(FIRST_CAPACITY);
  at = new Float64Array(FIRST_CAPACITY);
  length = new Float64Array(FIRST_CAPACITY);
  count = new Uint32Array(FIRST_CAPACITY);
  subject = new Uint32Array(FIRST_CAPACITY);
  depth = new Uint16Array(FIRST_CAPACITY);
  slot = new Uint32Array(FIRST_CAPACITY);
  causeStart = new Uint32Array(FIRST_CAPACITY);
  armedRow = new Int32Array(FIRST_CAPACITY);
  /** Most rows stand for one event, and are armed by the first of another. */
  readonly period = new SparseColumn();
  readonly armedOrdinal = new SparseColumn();

  /** Makes room for one more row and returns its number; every column of it is 0. */
  add(): number {
    if (this.size === this.kind.length) this.grow(Math.ceil(this.size * GROWTH));
    return this.size++;
  }

  /** Views of exactly the rows written: none is added after it; `causes` is the length of the lists of causes. */
  toColumns(
    causes: number,
  ): Omit<
    TraceData,
    'schema' | 'horizon' | 'wallClock' | 'strings' | 'causeRow' | 'causeOrdinal' | 'payload' | 'subjects' | 'objects'
  > {
    const { size } = this;
    const causeStart = new Uint32Array(size + 1);
    causeStart.set(this.causeStart.subarray(0, size));
    causeStart[size] = causes;
    return {
      rows: size,
      kind: this.kind.subarray(0, size),
      at: this.at.subarray(0, size),
      length: this.length.subarray(0, size),
      count: this.count.subarray(0, size),
      period: this.period.toArray(),
      subject: this.subject.subarray(0, size),
      depth: this.depth.subarray(0, size),
      slot: this.slot.subarray(0, size),
      causeStart,
      armedRow: this.armedRow.subarray(0, size),
      armedOrdinal: this.armedOrdinal.toArray(),
    };
  }

  private grow(capacity: number): void {
    this.kind = filled(new Uint8Array(capacity), this.kind);
    this.at = filled(new Float64Array(capacity), this.at);
    this.length = filled(new Float64Array(capacity), this.length);
    this.count = filled(new Uint32Array(capacity), this.count);
    this.subject = filled(new Uint32Array(capacity), this.subject);
    this.depth = filled(new Uint16Array(capacity), this.depth);
    this.slot = filled(new Uint32Array(capacity), this.slot);
    this.causeStart = filled(new Uint32Array(capacity), this.causeStart);
    this.armedRow = filled(new Int32Array(capacity), this.armedRow);
  }
}

function filled<T extends { set(values: T): void }>(column: T, values: T): T {
  column.set(values);
  return column;
}
