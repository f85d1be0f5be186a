/** Part of the timeline drawn larger than the rest. */
import { MICROS_PER_SECOND } from '../../base/units.ts';
import type { ViewState } from '../../state/viewStore.ts';
import type { TimeWindow } from '../../timeline/model/window.ts';
import type { Stretch } from '../../timeline/scale/timeScale.ts';
import { lengthOf } from '../../timeline/scale/timeWindow.ts';
import type { Stores } from './index.ts';

const TIMES = 8;
/** A second, but of the window no more than this share: half of the screen stays for the rest. */
const SHARE = 1 / TIMES;

/** How the time of the window is drawn. */
export function stretchesOf({ magnified }: Pick<ViewState, 'magnified'>): readonly Stretch[] {
  return magnified === null ? NONE : [{ ...magnified, times: TIMES }];
}
const NONE: readonly Stretch[] = [];

/** About a second around the playhead, or around the middle of the window when it is out of view; again: nothing. */
export function toggleMagnify(stores: Stores): void {
  const { magnified, window } = stores.view.getState();
  if (magnified !== null || window === null) return endMagnify(stores);
  const { playhead } = stores.playback.getState();
  const inView = playhead >= window.from && playhead <= window.to;
  const half = magnifiedLength(window) / 2;
  const middle = inView ? playhead : (window.from + window.to) / 2;
  stores.view.setState({ magnified: { from: middle - half, to: middle + half } });
}

export const endMagnify = ({ view }: Stores): void => view.setState({ magnified: null });

/** µs. */
export const magnifiedLength = (window: TimeWindow): number => Math.min(MICROS_PER_SECOND, lengthOf(window) * SHARE);
