/** Selecting events and going from one to the next: in time, along causes, from lane to lane. */
import { bisector } from 'd3-array';
import type { Micros } from '../../base/units.ts';
import { causedBy, chainOf, isSameEvent } from '../../explain/causes.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { PathStep } from '../../state/viewStore.ts';
import { isOnLane } from '../../timeline/model/lane.ts';
import { clampWindow } from '../../timeline/scale/timeWindow.ts';
import { closeWhy, goTo, setWindow, showAll } from './actions.ts';
import { boundsOf } from './bounds.ts';
import type { Stores } from './index.ts';
import { shownLanes } from './lanes.ts';

/** Room on both sides of a chain that fills the window, a share of it, and the least, µs. */
const CHAIN_ROOM = 0.15;
const LEAST_ROOM = 1_000;

/** Selects an event; the playhead and the headline's Pod go with it. */
export function select(stores: Stores, ref: EventRef | null): void {
  const { run } = stores.scenario.getState();
  stores.view.setState({ selected: ref, choice: null });
  if (run === null || ref === null) return;
  const { pod } = run.reader.event(ref).subject;
  if (pod !== '') stores.view.setState({ pod });
  goTo(stores, run.reader.startOf(ref));
}

/** To the cause (-1) or the effect (+1) of the selected event; where there are several, somebody has to choose. */
export function walk(stores: Stores, direction: -1 | 1): void {
  const { run } = stores.scenario.getState();
  const { selected } = stores.view.getState();
  if (run === null) return;
  const onPath = alongPath(run, stores, direction);
  if (onPath !== null) return select(stores, onPath);
  if (selected === null) return;
  const refs = direction < 0 ? causesFor(run, selected) : causedBy(run.reader, selected);
  const [only] = refs;
  if (only === undefined) return;
  if (refs.length === 1) select(stores, only);
  else stores.view.setState({ choice: { direction: direction < 0 ? 'cause' : 'effect', refs } });
}

/** The next event of the lit path, from the selected one or else from the playhead; null without a path, off it and at its ends. */
function alongPath({ reader }: FinishedRun, { view, playback }: Stores, direction: -1 | 1): EventRef | null {
  const { litPath, selected } = view.getState();
  if (litPath === null) return null;
  const path = litPath.steps;
  if (selected === null) {
    const { playhead } = playback.getState();
    const isAhead = ({ ref }: PathStep): boolean => (reader.startOf(ref) - playhead) * direction > 0;
    return (direction > 0 ? path.find(isAhead) : path.findLast(isAhead))?.ref ?? null;
  }
  const index = path.findIndex(({ ref }) => isSameEvent(ref, selected));
  return index < 0 ? null : (path[index + direction]?.ref ?? null);
}

/** What caused it, else what armed the timer behind it. */
function causesFor({ reader }: FinishedRun, ref: EventRef): readonly EventRef[] {
  const causes = reader.causesOf(ref);
  const armed = reader.armedBy(ref);
  return causes.length > 0 || armed === null ? causes : [armed];
}

/** Selects the event before or after the playhead: of the lane in focus, else of the chosen Pod and its node. */
export function step(stores: Stores, direction: -1 | 1): void {
  const { run } = stores.scenario.getState();
  if (run === null) return;
  const { selected } = stores.view.getState();
  const { playhead } = stores.playback.getState();
  const refs = orderOf(run);
  const index = selected === null ? -1 : refs.findIndex((ref) => isSameEvent(ref, selected));
  const onSelected = index >= 0 && selected !== null && run.reader.startOf(selected) === playhead;
  selectFrom(stores, run, onSelected ? index + direction : startIndex(run, playhead as Micros, direction), direction);
}

/** Selects the last event at or before the playhead: of the lane in focus, else of the chosen Pod and its node. */
export function selectAtPlayhead(stores: Stores): void {
  const { run } = stores.scenario.getState();
  if (run === null) return;
  selectFrom(stores, run, indexAt(run, stores.playback.getState().playhead as Micros), -1);
}

/** The first event from `start` on, in that direction, on which the keys act. */
function selectFrom(stores: Stores, run: FinishedRun, start: number, direction: -1 | 1): void {
  const { lane, pod } = stores.view.getState();
  const refs = orderOf(run);
  for (let i = start; i >= 0 && i < refs.length; i += direction) {
    const ref = refs[i];
    if (ref === undefined) return;
    const event = run.reader.event(ref);
    const isWanted =
      lane === null
        ? pod === null || event.subject.pod === '' || event.subject.pod === pod
        : isOnLane(event, lane, run.reader);
    if (isWanted) return select(stores, ref);
  }
}

/** Gives the keys to the lane above (-1) or below (+1); from none to the first or the last. */
export function moveLane({ scenario, view }: Stores, direction: -1 | 1): void {
  const { run } = scenario.getState();
  if (run === null) return;
  const { lane, folds } = view.getState();
  const lanes = shownLanes(run, folds);
  const index = lanes.findIndex(({ id }) => id === lane);
  const next = index < 0 ? (direction > 0 ? 0 : lanes.length - 1) : index + direction;
  view.setState({ lane: lanes[Math.min(lanes.length - 1, Math.max(0, next))]?.id ?? null });
}

/** Out of what was entered last: the selection, the lane, then the card that answers why. */
export function leave(stores: Stores): void {
  const { selected, lane } = stores.view.getState();
  if (selected !== null) select(stores, null);
  else if (lane !== null) stores.view.setState({ lane: null });
  else closeWhy(stores);
}

/** The chain of the selection fills the window; again, or without a selection, the whole run does. */
export function focusOrShowAll(stores: Stores): void {
  const { run } = stores.scenario.getState();
  const { selected, window } = stores.view.getState();
  if (run === null || selected === null) return showAll(stores);
  const { reader } = run;
  const refs = [selected, ...chainOf(reader, selected).flatMap(({ cause, effect }) => [cause, effect])];
  const times = refs.map((ref) => reader.startOf(ref));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max(LEAST_ROOM, CHAIN_ROOM * (last - first));
  const focus = clampWindow({ from: first - room, to: last + room }, boundsOf(run));
  if (window?.from === focus.from && window.to === focus.to) showAll(stores);
  else setWindow(stores, focus);
}

const orders = new WeakMap<FinishedRun, readonly EventRef[]>();
/** All events of a run from its start on, in order; worked out once. */
export function orderOf(run: FinishedRun): readonly EventRef[] {
  const known = orders.get(run);
  if (known !== undefined) return known;
  const order = run.reader.refs(0 as Micros);
  orders.set(run, order);
  return order;
}

/** Index of the last event that begins at or before `at`; -1 before the first. */
export const indexAt = (run: FinishedRun, at: Micros): number =>
  bisector((ref: EventRef) => run.reader.startOf(ref)).right(orderOf(run), at) - 1;

/** Index of the last event before `at`, or of the first one after it. */
const startIndex = (run: FinishedRun, at: Micros, direction: -1 | 1): number =>
  direction < 0 ? indexAt(run, (at - 1) as Micros) : indexAt(run, at) + 1;
