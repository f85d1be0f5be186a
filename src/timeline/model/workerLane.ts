/** The lane of one probe worker: its turns, what they counted, and the waits between. */
import type { Micros } from '../../base/units.ts';
import type { ProbeKind, ProbeSpec } from '../../sim/scenario.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import { emptyLane, type LaneOwner } from './lane.ts';
import { type GlyphRun, type GlyphShape, type Lane, lastGlyphAt, type Tone, type Wait } from './marks.ts';
import { isKind, type Row } from './rows.ts';

const NAMED_WAIT = 1_000_000;

/** Turns of the worker of `probe` in `container`. */
export function workerLane(
  owner: LaneOwner,
  rows: readonly Row[],
  container: string,
  probe: ProbeKind,
  spec: ProbeSpec,
  horizon: Micros,
): Lane {
  const turns = rows.filter(
    (row): row is Row & { readonly event: TraceEvent<'probeRun'> } =>
      isKind(row, 'probeRun') && row.event.subject.container === container && row.event.subject.probe === probe,
  );
  const glyphs = turns.map((turn): GlyphRun => {
    const { at, end, ref, payload } = turn.event;
    const [shape, tone] = turnLook(payload);
    return {
      row: ref.row,
      at,
      period: turn.period,
      count: turn.count,
      length: Number.isNaN(end) ? horizon - at : end - at,
      shape,
      tone,
      text: counterText(payload, spec),
      note: '',
      manual: payload.cause === 'manual',
    };
  });
  return { ...emptyLane(owner, 'worker', container, probe), glyphs, waits: waitsBetween(glyphs) };
}

function turnLook({ outcome, result }: TraceEvent<'probeRun'>['payload']): readonly [GlyphShape, Tone] {
  if (outcome === 'onHold') return ['pause', 'idle'];
  if (outcome !== 'attempt') return ['ring', 'idle'];
  if (result === 'success') return ['success', 'ok'];
  return [result === 'failure' ? 'failure' : 'error', 'fail'];
}

/**
 * `fail 2/3` or `ok 1/1` while the run of equal results grows to its threshold, '' beyond it and without an attempt.
 * A worker on hold has set its counter back (K-133): it got there by reaching the threshold.
 */
export function counterText({ result, node }: TraceEvent<'probeRun'>['payload'], spec: ProbeSpec): string {
  if (result !== 'success' && result !== 'failure') return '';
  const [state = '', , runText = ''] = node.split('|');
  const threshold = result === 'success' ? spec.successThreshold : spec.failureThreshold;
  const run = state === 'onHold' ? threshold : Number(runText);
  return run > threshold ? '' : `${result === 'success' ? 'ok' : 'fail'} ${run}/${threshold}`;
}

/** From the end of each attempt to the next one; named when it is long and the answer changes after it. */
function waitsBetween(glyphs: readonly GlyphRun[]): readonly Wait[] {
  const attempts = glyphs.filter((run) => run.shape !== 'ring' && run.shape !== 'pause');
  return attempts.slice(1).flatMap((next, i): Wait[] => {
    const before = attempts[i];
    if (before === undefined) return [];
    const from = (lastGlyphAt(before) + before.length) as Micros;
    if (next.at <= from) return [];
    return [{ from, to: next.at, named: next.at - from >= NAMED_WAIT && next.tone !== before.tone }];
  });
}
