import { type RefObject, useEffect } from 'react';
import type { CssPx } from '../../base/units.ts';
import type { TimeWindow } from '../model/window.ts';
import type { TimelineSource } from './source.ts';

/** How the lanes scroll up and down. */
export interface Scroller {
  readonly by: (dy: CssPx) => void;
  /** Not all lanes are in view. */
  readonly overflows: () => boolean;
}

/** Wheel, drag and pinch on an element change the window. What does that comes after the first picture. */
export function useTimeZoom(
  target: RefObject<HTMLElement | null>,
  width: CssPx,
  bounds: TimeWindow,
  source: TimelineSource,
  scroller: Scroller,
): void {
  useEffect(() => {
    const element = target.current;
    if (element === null || width === 0) return;
    let ended = false;
    let stop = (): void => {};
    const start = async (): Promise<void> => {
      const { zoomOn } = await import('./timeZoom.ts');
      if (!ended) stop = zoomOn(element, width, bounds, source, scroller);
    };
    void start();
    return () => {
      ended = true;
      stop();
    };
  }, [target, width, bounds, source, scroller]);
}
