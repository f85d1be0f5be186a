import { type RefObject, useEffect } from 'react';
import type { LinkState } from '../io/link/link.ts';
import { boundsOf, foldsFor, useStores } from '../panels/shared/index.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { markRun } from '../state/paintTiming.ts';
import { clampWindow } from '../timeline/scale/timeWindow.ts';
import { opening } from './opening.ts';

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
        const pod = opened === null ? first.pod : null;
        view.setState({
          window: clampWindow(opened?.window ?? first.window, bounds),
          folds: foldsFor(run, pod),
          pod,
          lane: null,
          magnified: null,
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
