/** What keys, buttons and marks do. */

import type { Micros } from '../../base/units.ts';
import { causedBy } from '../../explain/causes.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { TimeWindow } from '../../timeline/model/window.ts';
import { panBy, reveal, zoomAt } from '../../timeline/scale/timeWindow.ts';
import type { Stores } from './index.ts';

/** Room before and after the run, so that marks at its ends are whole: a share of the run. */
const MARGIN = 0.012;

/** What can be looked at: the whole run and a little room. */
export function boundsOf({ reader }: FinishedRun): TimeWindow {
  const { horizon } = reader.data;
  return { from: -MARGIN * horizon, to: (1 + MARGIN) * horizon };
}

const bounds = (stores: Stores): TimeWindow | null => {
  const { run } = stores.scenario.getState();
  return run === null ? null : boundsOf(run);
};

export function setWindow({ view }: Stores, window: TimeWindow): void {
  view.setState({ window });
}

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
  setWindow(stores, zoomAt(window, inView ? playhead : (window.from + window.to) / 2, factor, whole));
}

export function pan(stores: Stores, share: number): void {
  const whole = bounds(stores);
  const { window } = stores.view.getState();
  if (whole !== null && window !== null) setWindow(stores, panBy(window, share, whole));
}

/** Puts the playhead at `at` µs, within the run, and the window where it can be seen. */
export function goTo(stores: Stores, at: number): void {
  const { run } = stores.scenario.getState();
  const whole = bounds(stores);
  if (run === null || whole === null) return;
  const playhead = Math.round(Math.min(run.reader.data.horizon, Math.max(0, at)));
  stores.playback.setState({ playhead });
  const { window } = stores.view.getState();
  if (window !== null) setWindow(stores, reveal(window, playhead, whole));
}

/** Selects an event; the playhead and the headline's Pod go with it. */
export function select(stores: Stores, ref: EventRef | null): void {
  const { run } = stores.scenario.getState();
  stores.view.setState({ selected: ref });
  if (run === null || ref === null) return;
  const { pod } = run.reader.event(ref).subject;
  if (pod !== '') stores.view.setState({ pod });
  goTo(stores, run.reader.startOf(ref));
}

/** To the cause (-1) or the effect (+1) of the selected event. */
export function walk(stores: Stores, direction: -1 | 1): void {
  const { run } = stores.scenario.getState();
  const { selected } = stores.view.getState();
  if (run === null || selected === null) return;
  const { reader } = run;
  const [next] = direction < 0 ? reader.causesOf(selected) : causedBy(reader, selected);
  const reached = next ?? (direction < 0 ? reader.armedBy(selected) : undefined);
  if (reached) select(stores, reached);
}

/** Selects the event before or after the playhead: of the chosen Pod and its node. */
export function step(stores: Stores, direction: -1 | 1): void {
  const { run } = stores.scenario.getState();
  if (run === null) return;
  const { reader } = run;
  const { selected, pod } = stores.view.getState();
  const { playhead } = stores.playback.getState();
  const refs = orderOf(run);
  const index = selected === null ? -1 : refs.findIndex((ref) => isSame(ref, selected));
  const onSelected = index >= 0 && selected !== null && reader.startOf(selected) === playhead;
  const start = onSelected ? index + direction : startIndex(run, refs, playhead as Micros, direction);
  for (let i = start; i >= 0 && i < refs.length; i += direction) {
    const ref = refs[i];
    if (ref === undefined) return;
    const { subject } = reader.event(ref);
    if (pod !== null && subject.pod !== '' && subject.pod !== pod) continue;
    return select(stores, ref);
  }
}

const isSame = (a: EventRef, b: EventRef): boolean => a.row === b.row && a.ordinal === b.ordinal;

const orders = new WeakMap<FinishedRun, readonly EventRef[]>();
/** All events of a run in order; worked out once. */
export function orderOf(run: FinishedRun): readonly EventRef[] {
  const known = orders.get(run);
  if (known !== undefined) return known;
  const order = run.reader.refs();
  orders.set(run, order);
  return order;
}

/** Index of the last event before `at`, or of the first one after it. */
function startIndex({ reader }: FinishedRun, refs: readonly EventRef[], at: Micros, direction: -1 | 1): number {
  return direction < 0
    ? refs.findLastIndex((ref) => reader.startOf(ref) < at)
    : refs.findIndex((ref) => reader.startOf(ref) > at);
}
