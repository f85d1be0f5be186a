/** The scenario that people edit, what it reads as, and the last run that it came to. */
import { createStore } from 'zustand/vanilla';
import { RUNNING_NOT_READY } from '../io/examples/runningNotReady.ts';
import { type ParsedText, parseText } from '../io/manifest/parse.ts';
import { applyOverrides, type ReadResult } from '../io/readScenario.ts';
import type { Overrides } from '../io/settings.ts';
import type { Scenario } from '../sim/scenario.ts';
import { finishedRun } from '../sim/trace/podsOfRun.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { edit, type History, redo, settle, startHistory, undo } from './history.ts';
import type { Simulator } from './simulatorClient.ts';

/** What a link carries and what undo brings back. */
export interface Draft {
  readonly text: string;
  readonly overrides: Overrides;
}

export interface ScenarioState {
  readonly history: History<Draft>;
  /** What the draft reads as; also beside errors. */
  readonly read: ReadResult;
  /** The last finished run: of an earlier draft while the newest has errors or is still running. */
  readonly run: FinishedRun | null;
  /** What `run` was started with; its own scenario names the Pods that controllers made, too. */
  readonly ran: Scenario | null;
  /** The run that the drag in progress started from; null without one. */
  readonly ghost: FinishedRun | null;
  /** Share of the run in progress that is done, 0 to 1; null when none takes long enough to say so. */
  readonly progress: number | null;
  /** A run is on its way. */
  readonly running: boolean;
  /** Somebody ended the newest run: the lanes show an older one. */
  readonly cancelled: boolean;
  /** What the engine said when it failed. */
  readonly failure: string | null;

  readonly open: (draft: Draft) => void;
  readonly setText: (text: string) => void;
  /** Changes one number; moves of one drag are one undo step until `settle`. */
  readonly setOverride: (path: string, value: number) => void;
  readonly resetOverride: (path: string) => void;
  readonly settle: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly cancel: () => void;
  /** Simulates the newest draft again. */
  readonly again: () => void;
  /** Simulates something else beside the draft; null when another trial came first. Rejects when the engine fails. */
  readonly tryOut: (scenario: Scenario) => Promise<FinishedRun | null>;
  /** Ends the trial in progress. */
  readonly endTrial: () => void;
}

export type ScenarioStore = ReturnType<typeof createScenarioStore>;

/** `simulator` runs what the drafts read as; it is called at once for the first draft. `trials` runs what is tried beside them. */
export function createScenarioStore(
  simulator: Simulator,
  first: Draft = firstExample(),
  trials: Pick<Simulator, 'simulate' | 'cancel'> = simulator,
) {
  const read = readerOfDrafts();
  const store = createStore<ScenarioState>()((set, get) => {
    const simulate = async (scenario: Scenario | null): Promise<void> => {
      if (scenario === null) return set({ running: false, progress: null, cancelled: false });
      set({ running: true, progress: null, failure: null, cancelled: false });
      try {
        const data = await simulator.simulate(scenario);
        if (data !== null && get().read.scenario === scenario) {
          set({ run: finishedRun(scenario, new TraceReader(data)), ran: scenario, running: false, progress: null });
        }
      } catch (error) {
        if (get().read.scenario !== scenario) return;
        set({ running: false, progress: null, failure: error instanceof Error ? error.message : String(error) });
      }
    };
    const show = (history: History<Draft>): void => {
      const result = read(history.present);
      set({ history, read: result, ghost: null });
      void simulate(result.scenario);
    };
    const change = (draft: Partial<Draft>, mergeKey: string | null): void => {
      const { history } = get();
      show(edit(history, { ...history.present, ...draft }, mergeKey));
    };
    const without = (path: string): Overrides => get().history.present.overrides.filter((o) => o.path !== path);
    return {
      history: startHistory(first),
      read: read(first),
      run: null,
      ran: null,
      ghost: null,
      progress: null,
      running: false,
      failure: null,
      cancelled: false,
      open: (draft) => change(draft, null),
      setText: (text) => change({ text }, 'text'),
      setOverride: (path, value) => {
        const { history, run, ghost } = get();
        change({ overrides: [...without(path), { path, value }] }, path);
        set({ ghost: history.mergeKey === path ? ghost : run });
      },
      resetOverride: (path) => change({ overrides: without(path) }, null),
      settle: () => set({ history: settle(get().history), ghost: null }),
      undo: () => show(undo(get().history)),
      redo: () => show(redo(get().history)),
      cancel: () => {
        simulator.cancel();
        set({ running: false, progress: null, cancelled: true });
      },
      again: () => void simulate(get().read.scenario),
      tryOut: async (scenario) => {
        const data = await trials.simulate(scenario);
        return data === null ? null : finishedRun(scenario, new TraceReader(data));
      },
      endTrial: trials.cancel,
    };
  });
  simulator.onProgress((progress) => {
    if (store.getState().running) store.setState({ progress });
  });
  store.getState().open(first);
  store.setState({ history: startHistory(first) });
  return store;
}

const firstExample = (): Draft => ({ text: RUNNING_NOT_READY, overrides: [] });

/** Reads drafts; a text is parsed once however often its sliders move. */
function readerOfDrafts(): (draft: Draft) => ReadResult {
  let last: { readonly text: string; readonly parsed: ParsedText } | null = null;
  return ({ text, overrides }) => {
    if (last?.text !== text) last = { text, parsed: parseText(text) };
    return applyOverrides(last.parsed, overrides);
  };
}
