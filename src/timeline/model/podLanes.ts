/** Lanes of the Pod itself: what its app does and what the container runtime is asked to do. */
import type { Micros } from '../../base/units.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import { bandsFrom, type Change } from './bands.ts';
import { emptyLane, type LaneOwner } from './lane.ts';
import type { Bar, GlyphRun, Lane, Pattern, Tone } from './marks.ts';
import { isKind, type Row } from './rows.ts';

const APP_LOOK: Readonly<Record<string, readonly [Tone, Pattern]>> = {
  waiting: ['idle', 'absent'],
  starting: ['wait', 'notYet'],
  serving: ['ok', 'ready'],
  failing: ['fail', 'notYet'],
  stopping: ['term', 'terminating'],
  exited: ['idle', 'absent'],
};

/** What one container's process answers. */
export function appLane(owner: LaneOwner, rows: readonly Row[], container: string, horizon: Micros): Lane {
  const changes = rows.flatMap((row): Change[] => {
    if (!isKind(row, 'appState') || row.event.subject.container !== container) return [];
    const { state, detail } = row.event.payload;
    const [tone, pattern] = APP_LOOK[state] ?? ['idle', 'unknown'];
    return [
      { at: row.event.at, tone, pattern, word: state, note: state === 'serving' ? '' : detail, ref: row.event.ref },
    ];
  });
  return { ...emptyLane(owner, 'app', container), bands: bandsFrom(changes, horizon) };
}

const CRI_CALLS = [
  'pullImage',
  'runPodSandbox',
  'createContainer',
  'startContainer',
  'stopContainer',
  'stopPodSandbox',
  'removeContainer',
  'removePodSandbox',
  'hook',
] as const satisfies readonly TraceEvent['kind'][];

/** The calls to the container runtime as bars, and the ends of processes as glyphs. */
export function runtimeLane(owner: LaneOwner, rows: readonly Row[], horizon: Micros): Lane {
  const bars = rows.flatMap((row): Bar[] => {
    const { event } = row;
    if (!CRI_CALLS.some((call) => call === event.kind)) return [];
    const to = Number.isNaN(event.end) ? horizon : event.end;
    return [{ from: event.at, to, tone: hasFailed(row) ? 'fail' : 'mech', word: wordOf(event), ref: event.ref }];
  });
  const glyphs = rows.flatMap((row): GlyphRun[] => {
    if (isKind(row, 'containerExit')) {
      const failed = row.event.payload.exitCode !== 0;
      return [instant(row, failed ? 'error' : 'ring', failed ? 'fail' : 'idle', `exit ${row.event.payload.exitCode}`)];
    }
    return isKind(row, 'sigterm') ? [instant(row, 'letter', 'term', 'T')] : [];
  });
  return { ...emptyLane(owner, 'runtime', ''), bars, glyphs };
}

const wordOf = (event: TraceEvent): string => (event.kind === 'hook' ? event.payload.hook : event.kind);
const hasFailed = (row: Row): boolean =>
  (isKind(row, 'pullImage') && row.event.payload.error !== '') ||
  (isKind(row, 'hook') && row.event.payload.result !== 'success');

/** One glyph for a row that does not repeat. */
export function instant(row: Row, shape: GlyphRun['shape'], tone: Tone, text: string, note = ''): GlyphRun {
  const { at, ref } = row.event;
  return { row: ref.row, at, period: row.period, count: row.count, length: 0, shape, tone, text, note, manual: false };
}
