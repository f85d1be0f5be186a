import { type RefObject, useEffect } from 'react';
import { readyChanges } from '../explain/readySince.ts';
import { lostRows } from '../explain/requestRows.ts';
import type { LinkState } from '../io/link/link.ts';
import { boundsOf, useStores } from '../panels/shared/index.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { markRun } from '../state/paintTiming.ts';
import { actionFlags } from '../timeline/model/actionFlags.ts';
import type { TimeWindow } from '../timeline/model/window.ts';
import { clampWindow } from '../timeline/scale/timeWindow.ts';

/** Least window that a run opens with, µs. */
const LEAST = 4_000_000;
/** Room left of 0 in the first window, a share of it. */
const LEFT_ROOM = 0.02;

/** Keeps window, playhead and selection fit for each new run; that of another text with other Pods opens where something happens, or where the link says. */
export function useRuns(linked: RefObject<Pick<LinkState, 'playhead' | 'window'> | null>): void {
  const { scenario, view, playback } = useStores();
  useEffect(() => {
    let text: string | null = null;
    let pods = '';
    const onRun = (run: FinishedRun): void => {
      const bounds = boundsOf(run);
      const { horizon } = run.reader.data;
      const draft = scenario.getState().history.present;
      const { window } = view.getState();
      view.setState({ selected: null, choice: null });
      const opened = linked.current;
      const identities = run.scenario.pods.map(({ identity }) => identity).join();
      const isOther = text !== draft.text && pods !== identities;
      if (window === null || isOther || opened !== null) {
        const first = opening(run);
        view.setState({
          window: clampWindow(opened?.window ?? first.window, bounds),
          folds: new Map(),
          pod: first.pod,
          lane: null,
        });
        playback.setState({ playhead: Math.min(horizon, opened?.playhead ?? first.playhead), playing: false });
        linked.current = null;
      } else {
        view.setState({ window: clampWindow(window, bounds) });
        playback.setState({ playhead: Math.min(horizon, playback.getState().playhead) });
      }
      ({ text } = draft);
      pods = identities;
      markRun();
    };
    const { run } = scenario.getState();
    if (run !== null) onRun(run);
    return scenario.subscribe((state, before) => {
      if (state.run !== null && state.run !== before.run) onRun(state.run);
    });
  }, [scenario, view, playback, linked]);
}

interface Opening {
  readonly playhead: number;
  readonly window: TimeWindow;
  /** Identity of the Pod to speak of; null: the first. */
  readonly pod: string | null;
}

/** Where something happens: at the requests that an action costs, else where the first Pod becomes Ready; the whole run when none does. */
function opening(run: FinishedRun): Opening {
  const { horizon } = run.reader.data;
  const [pod] = run.scenario.pods;
  const costly = losses(run);
  if (costly !== null) return costly;
  const ready = pod === undefined ? undefined : readyChanges(run, pod).find((change) => change.ready);
  if (ready === undefined) return { playhead: horizon / 2, window: boundsOf(run), pod: null };
  const to = Math.min(horizon, Math.max(LEAST, ready.at * 1.25));
  return { playhead: ready.at, window: { from: -LEFT_ROOM * to, to }, pod: null };
}

/** Room before the action and after the last lost request, a share of the time between them. */
const LOSS_ROOM = 0.25;

/** From the first action to the last request that was lost after it, with the playhead at the first of those. */
function losses({ reader }: FinishedRun): Opening | null {
  const action = actionFlags(reader).find(({ at }) => at > 0)?.at;
  if (action === undefined) return null;
  const startOf = (row: number): number => reader.data.at[row] as number;
  const lost = lostRows(reader).filter((row) => startOf(row) >= action);
  const [first, last] = [lost[0], lost.at(-1)];
  if (first === undefined || last === undefined) return null;
  const room = Math.max(LEAST / 2, LOSS_ROOM * (startOf(last) - action));
  const pod = String(reader.field(first, 'pod'));
  const window = { from: action - room, to: startOf(last) + room };
  return { playhead: startOf(first), window, pod: pod === '' ? null : pod };
}
