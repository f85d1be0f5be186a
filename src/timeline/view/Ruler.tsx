import { axisTop } from 'd3-axis';
import { select } from 'd3-selection';
import { lazy, type PointerEvent, Suspense, useCallback, useEffect, useRef } from 'react';
import { formatInstant, formatTick } from '../../base/format.ts';
import type { CssPx } from '../../base/units.ts';
import { snap } from '../draw/hit.ts';
import { FLAG_HALF, isClear, LABEL_GAP } from '../draw/rulerLabels.ts';
import { TICK_PITCH } from '../draw/scene.ts';
import type { ActionFlag } from '../model/actionFlags.ts';
import type { Lane } from '../model/marks.ts';
import { type TimeScale, timeScale } from '../scale/timeWindow.ts';
import type { TimelineSource, TimelineWords } from './source.ts';
import { useSize } from './useCanvas.ts';

/** Many runs have none. */
const ActionFlags = lazy(async () => ({ default: (await import('./ActionFlags.tsx')).ActionFlags }));

interface RulerProps {
  readonly source: TimelineSource;
  readonly words: TimelineWords;
  /** Lanes whose events the playhead snaps to. */
  readonly lanes: readonly Lane[];
  readonly flags: readonly ActionFlag[];
  /** End of the run, µs. */
  readonly horizon: number;
}

/** Time axis with the playhead's flag. Dragging moves the playhead; Alt switches snapping off. */
export function Ruler({ source, words, lanes, flags, horizon }: RulerProps) {
  const box = useRef<HTMLDivElement | null>(null);
  const axis = useRef<SVGGElement | null>(null);
  const flag = useRef<HTMLDivElement | null>(null);
  const { width } = useSize(box);

  useEffect(() => {
    if (width === 0) return;
    const draw = (): void => {
      const { window, playhead } = source.state();
      const x = timeScale(window, width);
      const flagLeft = placeFlag(flag.current, x, playhead, width);
      if (axis.current !== null) drawAxis(axis.current, x, width, flagLeft);
    };
    draw();
    return source.subscribe(draw);
  }, [source, width]);

  const scrub = useCallback(
    (event: PointerEvent<HTMLDivElement>): void => {
      if (event.buttons !== 1 || box.current === null) return;
      if (event.type === 'pointerdown') box.current.setPointerCapture(event.pointerId);
      const x = timeScale(source.state().window, width);
      const px = event.clientX - box.current.getBoundingClientRect().left;
      const at = event.altKey ? Math.round(x.invert(px)) : snap(lanes, x, px);
      source.setPlayhead(at);
    },
    [source, width, lanes],
  );

  return (
    <div ref={box} className="ruler" onPointerDown={scrub} onPointerMove={scrub} role="presentation">
      <svg className="ruler-axis" aria-hidden="true" width={width} height="30">
        <g ref={axis} transform="translate(0,30)" />
      </svg>
      {flags.length > 0 && (
        <Suspense fallback={null}>
          <ActionFlags flags={flags} horizon={horizon} source={source} words={words} width={width} />
        </Suspense>
      )}
      <div ref={flag} className="ruler-flag" title={words.playhead} />
    </div>
  );
}

/** Puts the flag over the playhead, kept whole at the edges. Returns its middle; NaN when it is out of view. */
function placeFlag(flag: HTMLDivElement | null, x: TimeScale, playhead: number, width: CssPx): CssPx {
  const at = x(playhead);
  const hidden = at < -1 || at > width + 1;
  if (flag === null) return Number.NaN;
  flag.hidden = hidden;
  flag.textContent = formatInstant(playhead);
  const middle = Math.min(width - FLAG_HALF, Math.max(FLAG_HALF, at));
  flag.style.transform = `translateX(${middle}px) translateX(-50%)`;
  return hidden ? Number.NaN : middle;
}

/** Labels stand right of their ticks; the one under the flag is hidden. */
function drawAxis(group: SVGGElement, x: TimeScale, width: CssPx, flagAt: CssPx): void {
  const ticks = x.ticks(Math.max(2, Math.round(width / TICK_PITCH))).filter((at) => at >= 0);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  const axis = axisTop<number>(x)
    .tickValues(ticks)
    .tickSizeInner(6)
    .tickSizeOuter(0)
    .tickFormat((at) => formatTick(at, step));
  select(group)
    .call(axis)
    .selectAll<SVGTextElement, number>('text')
    .attr('x', LABEL_GAP)
    .attr('dy', '0.4em')
    .attr('text-anchor', 'start')
    .attr('opacity', (at) => (isClear(x(at), formatTick(at, step), width, flagAt) ? 1 : 0));
}
