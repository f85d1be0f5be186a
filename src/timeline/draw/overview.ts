/** The strip above the ruler: the whole run at a glance. */
import type { CssPx } from '../../base/units.ts';
import type { LaneGroup } from '../model/marks.ts';
import { drawBands } from './bands.ts';
import { clusterGlyphs } from './clusters.ts';
import type { Frame } from './frame.ts';

const BAND: CssPx = 11;
const TICK: CssPx = 6;
const GAP: CssPx = 4;

/** Ready bands of all Pods in one stack; with one Pod, below it what its probes answered: up for yes, down for no. */
export function drawOverview(frame: Frame, groups: readonly LaneGroup[], height: CssPx): void {
  const { ctx, palette, width } = frame;
  ctx.fillStyle = palette.canvas;
  ctx.fillRect(0, 0, width, height);
  const pods = groups.filter((group) => group.kind === 'pod');
  const [only] = pods;
  if (only !== undefined && pods.length === 1) {
    drawBands(frame, only.summary(), GAP, BAND);
    drawAttempts(frame, only, GAP + BAND + GAP + TICK);
  } else {
    const each = (height - 2 * GAP) / Math.max(1, pods.length);
    pods.forEach(({ summary }, i) => {
      drawBands(frame, summary(), GAP + i * each, Math.max(1, each - (each > 4 ? 2 : 0)));
    });
  }
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
