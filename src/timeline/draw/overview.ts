/** The strip above the ruler: the whole run at a glance. */
import type { CssPx } from '../../base/units.ts';
import type { GlyphRun, LaneGroup } from '../model/marks.ts';
import { drawBands } from './bands.ts';
import { clusterGlyphs } from './clusters.ts';
import type { Frame } from './frame.ts';
import { requestsInView } from './requests.ts';

const BAND: CssPx = 11;
const TICK: CssPx = 6;
const GAP: CssPx = 4;

/** Ready bands of all Pods in one stack; below it the clients' attempts, else what the probes of an only Pod answered: up for yes, down for no. */
export function drawOverview(frame: Frame, groups: readonly LaneGroup[], height: CssPx): void {
  const { ctx, palette, width } = frame;
  ctx.fillStyle = palette.canvas;
  ctx.fillRect(0, 0, width, height);
  const pods = groups.filter((group) => group.kind === 'pod');
  const [only] = pods;
  const requests = requestsOf(groups);
  const isSplit = requests !== null || pods.length === 1;
  const bands = isSplit ? BAND : height - 2 * GAP;
  const each = bands / Math.max(1, pods.length);
  pods.forEach(({ summary }, i) => {
    drawBands(frame, summary(), GAP + i * each, Math.max(1, each - (each > 4 && pods.length > 1 ? 2 : 0)));
  });
  const middle = GAP + BAND + GAP + TICK;
  if (requests !== null) drawRequests(frame, requests, middle);
  else if (only !== undefined && pods.length === 1) drawAttempts(frame, only, middle);
  ctx.fillStyle = palette.playhead;
  ctx.fillRect(frame.playhead - 0.75, 0, 1.5, height);
}

function drawAttempts({ ctx, palette, x, width }: Frame, pod: LaneGroup, middle: CssPx): void {
  for (const lane of pod.lanes()) {
    if (lane.kind !== 'worker') continue;
    const attempts = lane.glyphs.filter(({ tone }) => tone === 'ok' || tone === 'fail');
    for (const mark of clusterGlyphs(attempts, x, width)) {
      const places = mark.kind === 'glyph' ? [{ x: mark.x, tone: mark.run.tone }] : mark.columns;
      for (const place of places) {
        ctx.fillStyle = palette.tone[place.tone];
        ctx.fillRect(place.x - 1, place.tone === 'ok' ? middle - TICK : middle, 2, TICK);
      }
    }
  }
}

const merged = new WeakMap<readonly LaneGroup[], readonly GlyphRun[] | null>();
/** The attempts of all clients in order, null where there are none; worked out once. */
function requestsOf(groups: readonly LaneGroup[]): readonly GlyphRun[] | null {
  const known = merged.get(groups);
  if (known !== undefined) return known;
  const clients = groups
    .filter(({ kind }) => kind === 'clients' || kind === 'dataPath')
    .flatMap((group) => group.lanes().filter(({ kind }) => kind === 'client'));
  const sorted = clients.flatMap(({ glyphs }) => glyphs).sort((a, b) => a.at - b.at);
  const requests = clients.length > 0 ? sorted : null;
  merged.set(groups, requests);
  return requests;
}

/** Mirrored: served above the middle, lost below it. */
function drawRequests({ ctx, palette, x, width }: Frame, requests: readonly GlyphRun[], middle: CssPx): void {
  const { marks, most } = requestsInView(requests, x, width);
  const heightOf = (count: number): CssPx => (count === 0 ? 0 : Math.max(2, (TICK * count) / most));
  for (const mark of marks) {
    const isServed = mark.kind === 'stem' && mark.run.tone === 'ok';
    const columns =
      mark.kind === 'columns'
        ? mark.columns
        : [{ x: mark.x - 1, served: isServed ? most : 0, lost: isServed ? 0 : most }];
    for (const { x: left, served, lost } of columns) {
      ctx.fillStyle = palette.tone.ok;
      ctx.fillRect(left, middle - heightOf(served), 2, heightOf(served));
      ctx.fillStyle = palette.tone.fail;
      ctx.fillRect(left, middle, 2, heightOf(lost));
    }
  }
}
