/** The ticks of the ruler. */
import { axisTop } from 'd3-axis';
import { select } from 'd3-selection';
import { formatTick } from '../../base/format.ts';
import type { CssPx } from '../../base/units.ts';
import { isClear, LABEL_GAP, type Room } from '../draw/rulerLabels.ts';
import { TICK_PITCH } from '../draw/scene.ts';
import { isMagnified, type Stretch, type TimeScale, ticksOf } from '../scale/timeScale.ts';

/** Labels stand right of their ticks; those that would touch a flag, a button or the next tick are hidden. */
export function drawAxis(
  group: SVGGElement,
  x: TimeScale,
  width: CssPx,
  taken: readonly Room[],
  stretches: readonly Stretch[],
): void {
  const { ticks, label, isShown } = labelled(x, width, taken, stretches);
  const magnified = stretches.find(isMagnified);
  const isInLens = (at: number): boolean => magnified !== undefined && at >= magnified.from && at < magnified.to;
  const axis = axisTop<number>(x)
    .tickValues(ticks.map(({ at }) => at))
    .tickSizeInner(6)
    .tickSizeOuter(0)
    .tickFormat(label);
  select(group)
    .call(axis)
    .selectAll<SVGGElement, number>('.tick')
    .classed('magnified', isInLens)
    .select('text')
    .attr('x', LABEL_GAP)
    .attr('dy', '0.4em')
    .attr('text-anchor', 'start')
    .attr('opacity', (at) => (isShown(at) ? 1 : 0));
}

/** Ticks with what stands at them: so near to each other that most labels have room, else farther away. */
function labelled(x: TimeScale, width: CssPx, taken: readonly Room[], stretches: readonly Stretch[]) {
  for (let pitch = TICK_PITCH; ; pitch *= 2) {
    const ticks = ticksOf(x, pitch, stretches).filter(({ at }) => at >= 0);
    const steps = new Map(ticks.map(({ at, step }) => [at, step]));
    const label = (at: number): string => formatTick(at, steps.get(at) ?? 1);
    const shown = new Set(
      ticks.flatMap(({ at, room }, i) => {
        const next = ticks[i + 1];
        const limit = Math.min(x(at) + room, next === undefined ? width : x(next.at));
        return isClear(x(at), label(at), limit, taken) ? [at] : [];
      }),
    );
    if (shown.size >= LEAST_LABELS || pitch >= width / 2)
      return { ticks, label, isShown: (at: number) => shown.has(at) };
  }
}
/** With fewer numbers nobody can tell how much time a window shows. */
const LEAST_LABELS = 2;
