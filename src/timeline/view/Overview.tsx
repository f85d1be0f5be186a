import { brushX, type D3BrushEvent } from 'd3-brush';
import { select } from 'd3-selection';
import { useEffect, useMemo, useRef } from 'react';
import { drawOverview } from '../draw/overview.ts';
import type { LaneGroup } from '../model/marks.ts';
import type { TimeWindow } from '../model/window.ts';
import { timeScale } from '../scale/timeScale.ts';
import { clampWindow } from '../scale/timeWindow.ts';
import { readFonts, readPalette } from './palette.ts';
import type { TimelineSource, TimelineWords } from './source.ts';
import { useCanvas } from './useCanvas.ts';

interface OverviewProps {
  readonly groups: readonly LaneGroup[];
  readonly source: TimelineSource;
  readonly bounds: TimeWindow;
  readonly words: TimelineWords;
  /** Changes when colours do. */
  readonly theme: string;
}

/** The whole run, with the visible window as a box with grips. */
export function Overview({ groups, source, bounds, words, theme }: OverviewProps) {
  const box = useRef<HTMLDivElement | null>(null);
  const brush = useRef<SVGGElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read anew for each theme
  const ink = useMemo(
    () => ({ palette: readPalette(document.documentElement), fonts: readFonts(document.body) }),
    [theme],
  );
  const { ref, size, repaint } = useCanvas(box, (ctx, { width, height }) => {
    const x = timeScale(bounds, width);
    const frame = { ctx, x, width, stretches: [], playhead: x(source.state().playhead), words, lit: null, ...ink };
    drawOverview(frame, groups, height);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture for each of these
  useEffect(repaint, [repaint, groups, bounds, ink]);
  useEffect(() => source.subscribe(repaint), [source, repaint]);

  useEffect(() => {
    const group = brush.current;
    if (group === null || size.width === 0) return;
    const x = timeScale(bounds, size.width);
    const behaviour = brushX<unknown>().extent([
      [0, 1],
      [size.width, size.height - 1],
    ]);
    behaviour.on('brush', ({ sourceEvent, selection }: D3BrushEvent<unknown>) => {
      if (!sourceEvent || selection === null) return;
      const [left, right] = selection as [number, number];
      source.setWindow(clampWindow({ from: x.invert(left), to: x.invert(right) }, bounds));
    });
    const node = select(group);
    node.call(behaviour);
    const follow = (): void => {
      const { from, to } = source.state().window;
      node.call(behaviour.move, [x(from), x(to)]);
    };
    follow();
    return source.subscribe(follow);
  }, [source, bounds, size]);

  return (
    <div ref={box} className="overview">
      <canvas ref={ref} />
      <svg className="overview-window" aria-hidden="true" width={size.width} height={size.height}>
        <g ref={brush} />
      </svg>
    </div>
  );
}
