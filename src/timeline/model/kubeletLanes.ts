/** Lanes of the kubelet: results channel, syncLoop, pod worker, status manager. */
import type { Micros } from '../../base/units.ts';
import { conditionOf, type PodStatus, podStatusOf } from '../../sim/trace/podObject.ts';
import type { TraceReader } from '../../sim/trace/reader.ts';
import { bandsFrom, type Change } from './bands.ts';
import { emptyLane, type LaneOwner } from './lane.ts';
import type { Band, Bar, GlyphRun, GlyphShape, Lane, Tone } from './marks.ts';
import { instant } from './podLanes.ts';
import { isKind, type Row } from './rows.ts';

/** One letter for each probe, the same on the results lane and the syncLoop lane. */
const PROBE_LETTER: Readonly<Record<string, string>> = { startup: 'U', readiness: 'R', liveness: 'L' };
const CHANNEL_LETTER: Readonly<Record<string, string>> = {
  config: 'C',
  pleg: 'P',
  sync: 'S',
  housekeeping: 'H',
  ...PROBE_LETTER,
};
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

/** What a node's syncLoop received, a letter for each channel; a tick without Pods is a low tick. A band while no kubelet runs. */
export function syncLoopLane(node: string, rows: readonly Row[], horizon: Micros): Lane {
  const glyphs = rows.flatMap((row): GlyphRun[] => {
    if (isKind(row, 'housekeeping')) return [instant(row, 'letter', 'mech', CHANNEL_LETTER.housekeeping ?? '')];
    if (!isKind(row, 'syncLoop')) return [];
    const { channel, pods } = row.event.payload;
    const quiet = pods === '' && (channel === 'sync' || channel === 'housekeeping');
    return [
      instant(row, quiet ? 'tick' : 'letter', 'mech', CHANNEL_LETTER[channel] ?? channel.slice(0, 1).toUpperCase()),
    ];
  });
  return { ...emptyLane({ node, pod: '' }, 'syncLoop', ''), bands: downBands(rows, horizon), glyphs };
}

/** From the end of a kubelet's process to the start of the next. */
function downBands(rows: readonly Row[], horizon: Micros): readonly Band[] {
  const starts = rows.filter((row) => isKind(row, 'processStart')).map(({ event }) => event.at);
  return rows.flatMap((row): Band[] => {
    if (!isKind(row, 'processStop')) return [];
    const { at, ref } = row.event;
    const to = starts.find((start) => start > at) ?? horizon;
    return [{ from: at, to, tone: 'idle', pattern: 'absent', word: 'kubelet down', note: '', ref }];
  });
}

/** Each pass of the Pod's worker as a bar with its number, and below it the steps that took time or failed (K-046). */
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
  return { ...emptyLane(owner, 'podWorker', ''), bars, steps };
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
