/** Wheel, drag and pinch on an element change the window. The window itself is kept elsewhere. */
import { select } from 'd3-selection';
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';
import type { CssPx } from '../../base/units.ts';
import type { TimeWindow } from '../model/window.ts';
import { lengthOf, MIN_WINDOW, panBy, timeScale } from '../scale/timeWindow.ts';
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
  const follow = (): void => {
    selection.property('__zoom', transformOf(source.state().window, width, bounds));
  };
  const onWheel = (event: WheelEvent): void => {
    if (!isSideways(event) && !event.shiftKey) return;
    event.preventDefault();
    if (event.shiftKey) scroller.by(event.deltaY || event.deltaX);
    else source.setWindow(panBy(source.state().window, event.deltaX / width, bounds));
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
  const whole = timeScale(bounds, width);
  return zoom<HTMLElement, unknown>()
    .clickDistance(CLICK_DISTANCE)
    .extent([
      [0, 0],
      [width, 1],
    ])
    .translateExtent([
      [0, Number.NEGATIVE_INFINITY],
      [width, Number.POSITIVE_INFINITY],
    ])
    .scaleExtent([1, Math.max(1, lengthOf(bounds) / MIN_WINDOW)])
    .filter((event: WheelEvent | MouseEvent | TouchEvent) => {
      if (event.type === 'wheel') {
        const zooms = event.ctrlKey || !scroller.overflows();
        return zooms && !event.shiftKey && !isSideways(event as WheelEvent);
      }
      return !('button' in event) || event.button === 0;
    })
    .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => {
      const { sourceEvent } = event as { sourceEvent: unknown };
      if (sourceEvent instanceof MouseEvent && sourceEvent.type === 'mousemove') scroller.by(-sourceEvent.movementY);
      const [from = bounds.from, to = bounds.to] = event.transform.rescaleX(whole).domain();
      source.setWindow({ from, to });
    });
}

const isSideways = (event: WheelEvent): boolean => Math.abs(event.deltaX) > Math.abs(event.deltaY);

function transformOf(window: TimeWindow, width: CssPx, bounds: TimeWindow) {
  const scale = lengthOf(bounds) / Math.max(MIN_WINDOW, lengthOf(window));
  return zoomIdentity.scale(scale).translate(-timeScale(bounds, width)(window.from), 0);
}
