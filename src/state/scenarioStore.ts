/** The scenario that people edit, what it reads as, and the last run that it came to. */
import { createStore } from 'zustand/vanilla';
import { RUNNING_NOT_READY } from '../io/examples/runningNotReady.ts';
import type { ReadResult } from '../io/readScenario.ts';
import type { Scenario } from '../sim/scenario.ts';
import { finishedRun } from '../sim/trace/podsOfRun.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { type Draft, isLarge, readerOfDrafts } from './draftReader.ts';
import { edit, type History, redo, settle, startHistory, undo } from './history.ts';
import type { Simulator } from './simulatorClient.ts';

export type { Draft } from './draftReader.ts';

export interface ScenarioState {
  readonly history: History<Draft>;
  /** What the draft reads as; also beside errors. While a large text is being read, what the draft before it read as. */
  readonly read: ReadResult;
  /** The last finished run: of an earlier draft while the newest has errors or is still running. */
  readonly run: FinishedRun | null;
  /** What `run` was started with; its own scenario names the Pods that controllers made, too. */
  readonly ran: Scenario | null;
  /** The run that the drag in progress started from; null without one. */
  readonly ghost: FinishedRun | null;
  /** Share of the run in progress that is done, 0 to 1; null when none takes long enough to say so. */
  readonly progress: number | null;
  /** A run is on its way, or a large text is being read. */
  readonly running: boolean;
  /** Somebody ended the newest run: the lanes show an older one. */
  readonly cancelled: boolean;
  /** What the engine said when it failed. */
  readonly failure: string | null;

  /** Resolves when the draft was read. */
  readonly open: (draft: Draft) => Promise<void>;
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

/**
 * `simulator` runs what the drafts read as; it is called at once for the first draft. `trials` runs what is tried beside
 * them. `readAside` reads large texts without holding the page; null from it: a newer one came meanwhile.
 */
export function createScenarioStore(
  simulator: Simulator,
  first: Draft = firstExample(),
  trials: Pick<Simulator, 'simulate' | 'cancel'> = simulator,
  readAside?: (draft: Draft) => Promise<ReadResult | null>,
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
        set({ running: false, progress: null, failure: messageOf(error) });
      }
    };
    const take = (history: History<Draft>, result: ReadResult): void => {
      set({ history, read: result, ghost: null });
      void simulate(result.scenario);
    };
    const show = async (history: History<Draft>): Promise<void> => {
      const draft = history.present;
      if (readAside === undefined || !isLarge(draft)) return take(history, read(draft));
      set({ history, ghost: null, running: true, progress: null, failure: null, cancelled: false });
      try {
        const result = await readAside(draft);
        if (result !== null && get().history.present === draft) take(get().history, result);
      } catch (error) {
        if (get().history.present === draft) set({ running: false, failure: messageOf(error) });
      }
    };
    const change = (draft: Partial<Draft>, mergeKey: string | null): Promise<void> => {
      const { history } = get();
      return show(edit(history, { ...history.present, ...draft }, mergeKey));
    };
    const without = (path: string): Draft['overrides'] =>
      get().history.present.overrides.filter((o) => o.path !== path);
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
      setText: (text) => void change({ text }, 'text'),
      setOverride: (path, value) => {
        const { history, run, ghost } = get();
        void change({ overrides: [...without(path), { path, value }] }, path);
        set({ ghost: history.mergeKey === path ? ghost : run });
      },
      resetOverride: (path) => void change({ overrides: without(path) }, null),
      settle: () => set({ history: settle(get().history), ghost: null }),
      undo: () => void show(undo(get().history)),
      redo: () => void show(redo(get().history)),
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
  void store.getState().open(first);
  store.setState({ history: startHistory(first) });
  return store;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const firstExample = (): Draft => ({ text: RUNNING_NOT_READY, overrides: [] });
