/** Where a run is worth looking at first. */

import type { Micros } from '../base/units.ts';
import { readyChanges } from '../explain/readySince.ts';
import { lostRows } from '../explain/requestRows.ts';
import { boundsOf } from '../panels/shared/index.ts';
import type { TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';

export interface Opening {
  readonly playhead: number;
  readonly window: { readonly from: number; readonly to: number };
  /** Identity of the Pod to look at; null for the first one. */
  readonly pod: string | null;
}

/** Least window that a run opens with, µs. */
const LEAST = 4_000_000;
/** Room left of 0 in the first window, a share of it. */
const LEFT_ROOM = 0.02;
/** What is shown before and after a lost request, µs. */
const BEFORE_LOSS = 5_000_000;
const AFTER_LOSS = 10_000_000;

/**
 * At the first lost request that the rules had sent to a Pod, with that Pod. Else at the first Pod's
 * Ready, from a little before 0; the whole run when there is neither.
 */
export function opening(run: FinishedRun): Opening {
  const { horizon } = run.reader.data;
  const loss = firstLossAtPod(run.reader);
  if (loss !== undefined) {
    const window = { from: loss.at - BEFORE_LOSS, to: loss.at + AFTER_LOSS };
    return { playhead: loss.at, window, pod: loss.pod };
  }
  const [pod] = run.scenario.pods;
  const ready = pod === undefined ? undefined : readyChanges(run, pod).find((change) => change.ready);
  if (ready === undefined) return { playhead: horizon / 2, window: boundsOf(run), pod: null };
  const to = Math.min(horizon, Math.max(LEAST, ready.at * 1.25));
  return { playhead: ready.at, window: { from: -LEFT_ROOM * to, to }, pod: null };
}

function firstLossAtPod(reader: TraceReader): { readonly at: Micros; readonly pod: string } | undefined {
  const row = lostRows(reader).find((candidate) => reader.field(candidate, 'pod') !== '');
  return row === undefined ? undefined : { at: reader.data.at[row] as Micros, pod: String(reader.field(row, 'pod')) };
}
