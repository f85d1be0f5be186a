import { type MouseEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { CssPx } from '../../base/units.ts';
import { hitTest, snap } from '../draw/hit.ts';
import { TextWidths } from '../draw/labels.ts';
import { drawScene } from '../draw/scene.ts';
import { type Layout, rowOfLane, rowsWithin } from '../model/layout.ts';
import type { TimeWindow } from '../model/window.ts';
import { foldsOf, type TimeScale, timeScale } from '../scale/timeScale.ts';
import { LaneLabels } from './LaneLabels.tsx';
import { readFonts, readPalette } from './palette.ts';
import type { TimelineSource, TimelineWords } from './source.ts';
import { useCanvas } from './useCanvas.ts';
import { type Scroller, useTimeZoom } from './useTimeZoom.ts';

interface LanesProps {
  readonly layout: Layout;
  readonly source: TimelineSource;
  readonly bounds: TimeWindow;
  readonly words: TimelineWords;
  readonly theme: string;
  /** The lane that the keys act on; null for none. */
  readonly lane: string | null;
}

/** Labels are rendered in steps of so many px of scrolling, a step ahead of the view. */
const LABEL_STEP: CssPx = 400;

/** The lanes: a column of names and one canvas that stays in view while the names scroll. */
export function Lanes({ layout, source, bounds, words, theme, lane }: LanesProps) {
  const scroller = useRef<HTMLDivElement | null>(null);
  const stage = useRef<HTMLDivElement | null>(null);
  const [labelsFrom, setLabelsFrom] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours and widths are worked out anew for these
  const ink = useMemo(
    () => ({
      palette: readPalette(document.documentElement),
      fonts: readFonts(document.body),
      widths: new TextWidths(),
    }),
    [theme, words],
  );
  const { ref, size, repaint } = useCanvas(stage, (ctx, { width, height }) => {
    const { window, stretches, playhead, links, lit, selected, ghost } = source.state();
    const { palette, fonts, widths } = ink;
    const x = timeScale(window, width, stretches);
    const frame = { ctx, x, width, stretches, playhead: x(playhead), palette, fonts, words, lit };
    const scrollTop = scroller.current?.scrollTop ?? 0;
    drawScene(frame, { layout, scrollTop, height, links, ghost, marked: selected }, widths);
    source.painted();
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture for each of these
  useEffect(repaint, [repaint, layout, ink, bounds]);
  useEffect(() => source.subscribe(repaint), [source, repaint]);

  useTimeZoom(stage, size.width, bounds, source, useScroller(scroller));
  useLaneInView(scroller, layout, lane);

  const onScroll = (): void => {
    const top = scroller.current?.scrollTop ?? 0;
    setLabelsFrom(Math.floor(top / LABEL_STEP) * LABEL_STEP);
    repaint();
  };

  const scaleNow = (): TimeScale => {
    const { window, stretches } = source.state();
    return timeScale(window, size.width, stretches);
  };
  const placeOf = (event: MouseEvent): { readonly px: CssPx; readonly y: CssPx } => {
    const rect = event.currentTarget.getBoundingClientRect();
    const scrollTop = scroller.current?.scrollTop ?? 0;
    return { px: event.clientX - rect.left, y: event.clientY - rect.top + scrollTop };
  };
  const onMove = (event: MouseEvent): void => {
    if (event.buttons !== 0) return source.hover(null, 0, 0);
    const { px, y } = placeOf(event);
    const x = scaleNow();
    source.hover(
      hitTest(layout, x, size.width, px, y, foldsOf(source.state().stretches)),
      event.clientX,
      event.clientY,
    );
  };
  const onClick = (event: MouseEvent): void => {
    const { px, y } = placeOf(event);
    const x = scaleNow();
    const hit = hitTest(layout, x, size.width, px, y, foldsOf(source.state().stretches));
    const lanes = rowsWithin(layout, y, y + 1).flatMap((row) => (row.kind === 'lane' ? [row.lane] : []));
    const at = event.altKey ? Math.round(x.invert(px)) : snap(lanes, x, px);
    source.setPlayhead(at);
    source.select(hit?.ref ?? null);
  };

  return (
    <section
      ref={scroller}
      className="lanes"
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={words.lanesOfRun}
    >
      <LaneLabels
        layout={layout}
        words={words}
        from={labelsFrom - LABEL_STEP}
        to={labelsFrom + size.height + 2 * LABEL_STEP}
        lane={lane}
        toggle={source.toggle}
        focusLane={source.focusLane}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pointing at marks; keys and the list do the same */}
      <div
        ref={stage}
        className="lane-stage"
        role="presentation"
        onMouseMove={onMove}
        onMouseLeave={() => source.hover(null, 0, 0)}
        onClick={onClick}
      >
        <canvas ref={ref} />
      </div>
    </section>
  );
}

function useScroller(box: RefObject<HTMLElement | null>): Scroller {
  return useMemo(
    () => ({
      by: (dy) => box.current?.scrollBy(0, dy),
      overflows: () => box.current !== null && box.current.scrollHeight > box.current.clientHeight,
    }),
    [box],
  );
}

/** Scrolls as far as it takes to have the whole lane in view. */
function useLaneInView(box: RefObject<HTMLElement | null>, layout: Layout, lane: string | null): void {
  useEffect(() => {
    const row = lane === null ? null : rowOfLane(layout, lane);
    const element = box.current;
    if (row === null || element === null) return;
    const lowest = row.top + row.height - element.clientHeight;
    element.scrollTop = Math.min(row.top, Math.max(lowest, element.scrollTop));
  }, [box, layout, lane]);
}
