import type { SparseArray } from '../../base/sparse.ts';
import type { Micros } from '../../base/units.ts';
import type { EventKind } from './kinds.ts';

/**
 * A finished (or running) simulation as typed arrays and one string table: what crosses the worker boundary.
 *
 *     row   kind      at      length  count  period   subject   slot ──▶ payload columns of that kind
 *     17    probeRun  2.0 s   5 ms    6      10 s      3         4        cause[4], outcome[4], …
 *
 * Row 17 stands for six events (17, 0) … (17, 5), one every `period`.
 */
export interface TraceData {
  readonly schema: 1;
  /** The run covers [0, horizon) µs; kubelets may have events before 0. */
  readonly horizon: Micros;
  /** Wall clock at t = 0, µs since the Unix epoch. */
  readonly wallClock: number;
  readonly strings: readonly string[];

  readonly rows: number;
  /** Index into KIND_NAMES. */
  readonly kind: Uint8Array;
  /** Start of the row's first event, µs. */
  readonly at: Float64Array;
  /** Length of each event of the row, µs; 0 for an instant, NaN while not ended at the horizon. */
  readonly length: Float64Array;
  /** How many events the row stands for. */
  readonly count: Uint32Array;
  /** By row: the distance of its events, µs; 0 when count is 1. */
  readonly period: SparseArray;
  readonly subject: Uint32Array;
  /** Steps from the first cause at the same instant; orders simultaneous events so that causes come first. */
  readonly depth: Uint16Array;
  /** Index into the payload columns of the row's kind. */
  readonly slot: Uint32Array;

  /** Causes of event (row, 0): entries [causeStart[row], causeStart[row + 1]) of the flat lists. */
  readonly causeStart: Uint32Array;
  readonly causeRow: Uint32Array;
  /** By place in causeRow. */
  readonly causeOrdinal: SparseArray;
  /** The event that armed the timer behind (row, 0); row -1 when none. (row, n) is armed by (row, n - 1). */
  readonly armedRow: Int32Array;
  readonly armedOrdinal: SparseArray;

  readonly payload: Readonly<Record<EventKind, Readonly<Record<string, Float64Array | Uint32Array | Int32Array>>>>;
  readonly subjects: SubjectColumns;
  readonly objects: ObjectColumns;
}

/** String-table indices, one entry a subject; component is an index into COMPONENTS. */
export interface SubjectColumns {
  readonly component: Uint8Array;
  readonly node: Uint32Array;
  readonly pod: Uint32Array;
  readonly container: Uint32Array;
  readonly probe: Uint32Array;
  readonly object: Uint32Array;
}

/**
 * Every version of every object as text (JSON). `pool` holds full texts at intervals and edits between. A version is made
 * from the one before it by edits [firstEdit, firstEdit + edits), in order; versions that change alike share them.
 */
export interface ObjectColumns {
  /** UTF-8. */
  readonly pool: Uint8Array;
  /** Per edit: where in the text before it begins, and how many UTF-16 code units of it give way. */
  readonly editAt: Uint32Array;
  readonly editRemoved: Uint32Array;
  /** Per edit: where what comes instead lies in the pool, in bytes. */
  readonly editOffset: Uint32Array;
  readonly editSize: Uint32Array;
  readonly firstEdit: Uint32Array;
  readonly edits: Uint32Array;
  /** The version that is edited; -1 for a full text. */
  readonly base: Int32Array;
  /** String-table index of the object's key, for example `api/Pod/default/web-0` or `status/Pod/default/web-0`. */
  readonly key: Uint32Array;
  /** Since when the version holds, µs. */
  readonly since: Float64Array;
  /** The event that made it. */
  readonly row: Uint32Array;
}
