/** Wheel, drag and pinch on an element change the window. The window itself is kept elsewhere. */
import { mean } from 'd3-array';
import { pointers, select } from 'd3-selection';
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';
import type { CssPx } from '../../base/units.ts';
import type { TimeWindow } from '../model/window.ts';
import { pitchOf } from '../scale/timeScale.ts';
import { gestured, lengthOf, MIN_WINDOW, panBy, type Stage } from '../scale/timeWindow.ts';
import type { TimelineSource } from './source.ts';
import type { Scroller } from './useTimeZoom.ts';

const CLICK_DISTANCE: CssPx = 4;

/**
 * A wheel scrolls while not all lanes are in view, and zooms otherwise; with Ctrl (or a pinch) it always zooms, with
 * Shift it always scrolls, sideways it pans. A drag pans and scrolls. Returns how to stop.
 */
export function zoomOn(
  element: HTMLElement,
  width: CssPx,
  bounds: TimeWindow,
  source: TimelineSource,
  scroller: Scroller,
): () => void {
  const behaviour = timeZoom(width, bounds, source, scroller);
  const selection = select(element);
  selection.call(behaviour).on('dblclick.zoom', null);
  const stageNow = (): Stage => ({ bounds, width, stretches: source.state().stretches });
  const follow = (): void => {
    selection.property('__zoom', zoomIdentity.scale(scaleOf(source.state().window, stageNow())));
  };
  const onWheel = (event: WheelEvent): void => {
    if (!isSideways(event) && !event.shiftKey) return;
    event.preventDefault();
    if (event.shiftKey) scroller.by(event.deltaY || event.deltaX);
    else source.setWindow(panBy(source.state().window, event.deltaX / width, stageNow()));
  };
  follow();
  const stop = source.subscribe(follow);
  element.addEventListener('wheel', onWheel, { passive: false });
  return () => {
    stop();
    element.removeEventListener('wheel', onWheel);
    selection.on('.zoom', null);
  };
}

function timeZoom(
  width: CssPx,
  bounds: TimeWindow,
  source: TimelineSource,
  scroller: Scroller,
): ZoomBehavior<HTMLElement, unknown> {
  const stageNow = (): Stage => ({ bounds, width, stretches: source.state().stretches });
  // d3 knows of gestures, and how large all is drawn; where things stand it is not asked.
  let before: Pointers | null = null;
  return zoom<HTMLElement, unknown>()
    .clickDistance(CLICK_DISTANCE)
    .extent([
      [0, 0],
      [width, 1],
    ])
    .scaleExtent([1, Math.max(1, lengthOf(bounds) / MIN_WINDOW)])
    .filter((event: WheelEvent | MouseEvent | TouchEvent) => {
      if (event.type === 'wheel') {
        const zooms = event.ctrlKey || !scroller.overflows();
        return zooms && !event.shiftKey && !isSideways(event as WheelEvent);
      }
      return !('button' in event) || event.button === 0;
    })
    .on('start', function onStart(event: D3ZoomEvent<HTMLElement, unknown>) {
      before = pointersOf((event as { sourceEvent: unknown }).sourceEvent, this);
    })
    .on('zoom', function onZoom(event: D3ZoomEvent<HTMLElement, unknown>) {
      const { sourceEvent } = event as { sourceEvent: unknown };
      if (sourceEvent instanceof MouseEvent && sourceEvent.type === 'mousemove') scroller.by(-sourceEvent.movementY);
      const now = pointersOf(sourceEvent, this);
      // The mouse may go elsewhere from one turn of the wheel to the next: that drags nothing.
      const isDrag = before?.count === now.count && !(sourceEvent instanceof WheelEvent);
      const from = isDrag && before !== null ? before.middle : now.middle;
      before = now;
      const { window } = source.state();
      const scale = event.transform.k / scaleOf(window, stageNow());
      source.setWindow(gestured(window, { before: from, now: now.middle, scale }, stageNow()));
    });
}

interface Pointers {
  readonly count: number;
  readonly middle: CssPx;
}

/** Fingers, or the mouse: how many there are, and where their middle is, px from the left. */
function pointersOf(event: unknown, element: HTMLElement): Pointers {
  const places = pointers(event, element);
  return { count: places.length, middle: mean(places, ([px]) => px) ?? 0 };
}

const isSideways = (event: WheelEvent): boolean => Math.abs(event.deltaX) > Math.abs(event.deltaY);

/** How many times as long as in the whole run all is drawn. */
const scaleOf = (window: TimeWindow, { bounds, width, stretches }: Stage): number =>
  pitchOf(window, width, stretches) / pitchOf(bounds, width, stretches);
