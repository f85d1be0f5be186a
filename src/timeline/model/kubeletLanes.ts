/** Lanes of the kubelet that belong to a Pod: probe results, pod worker, status manager. */
import type { Micros } from '../../base/units.ts';
import { conditionOf, type PodStatus, podStatusOf } from '../../sim/trace/podObject.ts';
import type { TraceReader } from '../../sim/trace/reader.ts';
import { bandsFrom, type Change } from './bands.ts';
import { emptyLane, type LaneOwner } from './lane.ts';
import type { Band, Bar, GlyphRun, GlyphShape, Lane, Tone } from './marks.ts';
import { instant } from './podLanes.ts';
import { isKind, type Row } from './rows.ts';
import { PROBE_LETTER } from './syncLoopLanes.ts';

const RESULT_LOOK: Readonly<Record<string, readonly [GlyphShape, Tone]>> = {
  success: ['success', 'ok'],
  failure: ['failure', 'fail'],
};

/** What the results managers stored and sent (K-160). */
export function resultsLane(owner: LaneOwner, rows: readonly Row[]): Lane {
  const glyphs = rows.flatMap((row): GlyphRun[] => {
    if (!isKind(row, 'resultSet')) return [];
    const [shape, tone] = RESULT_LOOK[row.event.payload.result.toLowerCase()] ?? ['ring', 'idle'];
    return [instant(row, shape, tone, PROBE_LETTER[row.event.subject.probe] ?? '')];
  });
  return { ...emptyLane(owner, 'results', ''), glyphs };
}

/**
 * Each pass of the Pod's worker as a bar with its number, and below it the steps that took time or failed (K-046).
 * Kills stand there as letters; behind the passes lies the time for which a container waits for its next try.
 */
export function podWorkerLane(owner: LaneOwner, rows: readonly Row[], horizon: Micros): Lane {
  const bar = ({ event: { at, end, ref } }: Row, word: string, failed: boolean): Bar => {
    return { from: at, to: Number.isNaN(end) ? horizon : end, tone: failed ? 'fail' : 'mech', word, ref };
  };
  const bars = rows.flatMap((row) =>
    isKind(row, 'syncPod') ? [bar(row, `${row.event.payload.pass}`, row.event.payload.error !== '')] : [],
  );
  const steps = rows.flatMap((row): Bar[] => {
    if (isKind(row, 'syncPodStep')) return [bar(row, row.event.payload.step, row.event.payload.error !== '')];
    if (isKind(row, 'preStop')) return [bar(row, 'preStop', row.event.payload.result === 'gracePeriodExceeded')];
    return [];
  });
  const glyphs = rows.flatMap((row): GlyphRun[] => {
    if (!isKind(row, 'killContainer')) return [];
    return [instant(row, 'letter', 'term', 'K', `grace ${row.event.payload.gracePeriodSeconds} s`)];
  });
  return { ...emptyLane(owner, 'podWorker', ''), bands: backOffBands(rows, horizon), bars, steps, glyphs };
}

const endsBackOff = (row: Row, container: string): boolean =>
  (isKind(row, 'createContainer') && row.event.subject.container === container) ||
  (isKind(row, 'syncPod') && row.event.payload.work !== 'sync');

/** From the first word of a back-off (K-078) to the next try of that container or to the end of the Pod; of two containers the later one shows. */
function backOffBands(rows: readonly Row[], horizon: Micros): readonly Band[] {
  const bands: Band[] = [];
  for (const [i, row] of rows.entries()) {
    if (!isKind(row, 'backOff')) continue;
    const { at, ref, subject, payload } = row.event;
    const last = bands.at(-1);
    if (last !== undefined && last.to > at && last.note === subject.container) continue;
    if (last !== undefined && last.to > at) bands[bands.length - 1] = { ...last, to: at };
    const next = rows.slice(i).find((later) => endsBackOff(later, subject.container));
    const [word = 'back-off'] = /^back-off \S+/.exec(payload.message) ?? [];
    bands.push({
      from: at,
      to: next?.event.at ?? horizon,
      tone: 'wait',
      pattern: 'notYet',
      word,
      note: subject.container,
      ref,
    });
  }
  return bands.filter(({ from, to }) => to > from);
}

/** Versions of the cached status, the requests that carry them to the API server, and those that failed. */
export function statusLane(owner: LaneOwner, rows: readonly Row[], reader: TraceReader): Lane {
  const changes = rows.flatMap((row): Change[] => {
    if (!isKind(row, 'statusSet')) return [];
    const { version, object } = row.event.payload;
    const note = object < 0 ? '' : statusNote(podStatusOf(reader, object));
    return [{ at: row.event.at, tone: 'mech', pattern: 'ready', word: `v${version}`, note, ref: row.event.ref }];
  });
  const glyphs = rows.flatMap((row): GlyphRun[] => {
    if (!isKind(row, 'apiRequest')) return [];
    const { verb, error } = row.event.payload;
    if (error !== '') return [instant(row, 'error', 'fail', '')];
    return verb.toUpperCase() === 'PATCH' ? [instant(row, 'arrow', 'mech', '')] : [];
  });
  return { ...emptyLane(owner, 'status', ''), bands: bandsFrom(changes, reader.data.horizon), glyphs };
}

/** `Running · Ready False`. */
const statusNote = (status: PodStatus): string =>
  [status.phase ?? '', `Ready ${conditionOf(status, 'Ready')?.status ?? '–'}`]
    .filter((word) => word !== '')
    .join(' · ');
