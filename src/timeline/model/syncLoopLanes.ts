/** What a node's syncLoop received: a lane for all of it, and below it one for each of its channels. */
import type { Micros } from '../../base/units.ts';
import { channelLaneId, channelOf, emptyLane } from './lane.ts';
import type { Band, GlyphRun, Lane } from './marks.ts';
import { instant } from './podLanes.ts';
import { isKind, type Row } from './rows.ts';

/** One letter for each probe, the same on the results lane and the syncLoop lane. */
export const PROBE_LETTER: Readonly<Record<string, string>> = { startup: 'U', readiness: 'R', liveness: 'L' };

/** Channels in the order in which syncLoopIteration names them, with their names there (pkg/kubelet/kubelet.go; K-008). */
const CHANNELS: Readonly<Record<string, { readonly name: string; readonly letter: string }>> = {
  config: { name: 'configCh', letter: 'C' },
  pleg: { name: 'plegCh', letter: 'P' },
  sync: { name: 'syncCh', letter: 'S' },
  liveness: { name: 'livenessManager', letter: 'L' },
  readiness: { name: 'readinessManager', letter: 'R' },
  startup: { name: 'startupManager', letter: 'U' },
  housekeeping: { name: 'housekeepingCh', letter: 'H' },
};
/** What Kubernetes calls a channel. */
export const channelName = (channel: string): string => CHANNELS[channel]?.name ?? channel;

/** All that a node's syncLoop received, a letter for each channel; a tick without Pods is a low tick. A band while no kubelet runs. */
export function syncLoopLane(node: string, rows: readonly Row[], horizon: Micros): Lane {
  const received = rows.filter(({ event }) => channelOf(event) !== null);
  return {
    ...emptyLane({ node, pod: '' }, 'syncLoop', ''),
    bands: downBands(rows, horizon),
    glyphs: received.map((row) => glyphOf(row, '')),
    parts: Object.keys(CHANNELS).flatMap((channel): Lane[] => {
      const own = received.filter(({ event }) => channelOf(event) === channel);
      return own.length === 0 ? [] : [channelLane(node, channel, own)];
    }),
  };
}

function channelLane(node: string, channel: string, rows: readonly Row[]): Lane {
  const glyphs = rows.map((row) => glyphOf(row, deliveryOf(row)));
  return { ...emptyLane({ node, pod: '' }, 'channel', '', channel), id: channelLaneId(node, channel), glyphs };
}

function glyphOf(row: Row, note: string): GlyphRun {
  const channel = channelOf(row.event) ?? '';
  const quiet = isKind(row, 'syncLoop') && row.event.payload.pods === '' && ['sync', 'housekeeping'].includes(channel);
  return instant(row, quiet ? 'tick' : 'letter', 'mech', CHANNELS[channel]?.letter ?? '', note);
}

/** `ADD web-0`: what came, and for whom. */
function deliveryOf(row: Row): string {
  if (isKind(row, 'housekeeping')) return row.event.payload.work;
  if (!isKind(row, 'syncLoop')) return '';
  const { op, pods } = row.event.payload;
  return [op, pods].filter((part) => part !== '').join(' ');
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
