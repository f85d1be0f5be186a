/** Window and playhead: what keys, buttons and marks do to them. */
import type { TimeWindow } from '../../timeline/model/window.ts';
import { clampWindow, panBy, reveal, type Stage, zoomAt } from '../../timeline/scale/timeWindow.ts';
import { boundsOf } from './bounds.ts';
import type { Stores } from './index.ts';
import { stretchesOf } from './stretches.ts';

/** The window is moved by shares of it: any width will do. */
const WIDTH = 1_000;

const stageOf = (stores: Stores, whole: TimeWindow): Stage => ({
  bounds: whole,
  width: WIDTH,
  stretches: stretchesOf(stores),
});

const bounds = (stores: Stores): TimeWindow | null => {
  const { run } = stores.scenario.getState();
  return run === null ? null : boundsOf(run);
};

export function setWindow({ view }: Stores, window: TimeWindow): void {
  view.setState({ window });
}

/** A stretch of time fills the window, with room on both sides: a share of it. */
export function showSpan(stores: Stores, from: number, to: number, room: number): void {
  const whole = bounds(stores);
  if (whole === null) return;
  const spare = Math.max(LEAST_ROOM, (to - from) * room);
  setWindow(stores, clampWindow({ from: from - spare, to: to + spare }, whole));
}
/** µs. */
const LEAST_ROOM = 1_000;

export function showAll(stores: Stores): void {
  const whole = bounds(stores);
  if (whole !== null) setWindow(stores, whole);
}

/** Zooms around the playhead when it is in view, else around the middle. */
export function zoom(stores: Stores, factor: number): void {
  const whole = bounds(stores);
  const { window } = stores.view.getState();
  if (whole === null || window === null) return;
  const { playhead } = stores.playback.getState();
  const inView = playhead >= window.from && playhead <= window.to;
  setWindow(stores, zoomAt(window, inView ? playhead : (window.from + window.to) / 2, factor, stageOf(stores, whole)));
}

export function pan(stores: Stores, share: number): void {
  const whole = bounds(stores);
  const { window } = stores.view.getState();
  if (whole !== null && window !== null) setWindow(stores, panBy(window, share, stageOf(stores, whole)));
}

/** Puts the playhead at `at` µs, within the run, and the window where it can be seen. */
export function goTo(stores: Stores, at: number): void {
  const { run } = stores.scenario.getState();
  const whole = bounds(stores);
  if (run === null || whole === null) return;
  const playhead = Math.round(Math.min(run.reader.data.horizon, Math.max(0, at)));
  stores.playback.setState({ playhead });
  const { window } = stores.view.getState();
  if (window !== null) setWindow(stores, reveal(window, playhead, stageOf(stores, whole)));
}

/** The card that answers why takes the inspector's place, or gives it back. */
export function toggleWhy(stores: Stores): void {
  const { whyOpen, inspectorOpen } = stores.view.getState();
  if (whyOpen) closeWhy(stores);
  else {
    const opened = { whyOpen: true, inspectorOpen: true, inspectorBefore: inspectorOpen, tab: 'timeline' } as const;
    stores.view.setState(opened);
  }
}

export function closeWhy({ view }: Stores): void {
  const { whyOpen, inspectorBefore } = view.getState();
  if (whyOpen) view.setState({ whyOpen: false, inspectorOpen: inspectorBefore });
}

/** Plays on, or again from the start when the end is reached; stops when it plays. */
export function togglePlaying(stores: Stores): void {
  const { playing, playhead } = stores.playback.getState();
  const { run } = stores.scenario.getState();
  if (!playing && run !== null && playhead >= run.reader.data.horizon) goTo(stores, 0);
  stores.playback.setState({ playing: !playing });
}
