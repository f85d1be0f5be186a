/** How people look at a run: window, selection, what is open. What belongs to the browser is kept by `preferences`. */
import { createStore } from 'zustand/vanilla';
import type { Language } from '../explain/words/words.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import type { TimeWindow } from '../timeline/model/window.ts';

export type Theme = 'system' | 'light' | 'dark';
/** Regions that phones show one at a time. */
export type Tab = 'timeline' | 'state' | 'scenario';

/** Where a walk along causes forks. */
export interface Choice {
  readonly direction: 'cause' | 'effect';
  readonly refs: readonly EventRef[];
}

/** One event of a path; `hop` is the number of the hop that it ends, null for its start. */
export interface PathStep {
  readonly ref: EventRef;
  readonly hop: number | null;
}

/** A path of one run: in another its events are others. */
export interface DrawnPath {
  readonly run: FinishedRun;
  readonly steps: readonly PathStep[];
}

export interface ViewState {
  /** Null until the first run has come. */
  readonly window: TimeWindow | null;
  /** Drawn larger than the rest; null: nothing is. */
  readonly magnified: TimeWindow | null;
  /** Stretches in which nothing happens are folded. */
  readonly foldsQuiet: boolean;
  readonly selected: EventRef | null;
  /** Identity of the lane that the keys act on; null: all. */
  readonly lane: string | null;
  /** Several events to walk to, of which somebody has to choose; null: nothing to choose. */
  readonly choice: Choice | null;
  /** Identity of the Pod that headline and inspector speak of; null: the first. */
  readonly pod: string | null;
  /** Groups that were folded (`true`) or unfolded by hand; others are as they come. */
  readonly folds: ReadonlyMap<string, boolean>;
  readonly tab: Tab;
  readonly scenarioOpen: boolean;
  readonly inspectorOpen: boolean;
  readonly editorOpen: boolean;
  readonly listOpen: boolean;
  readonly helpOpen: boolean;
  /** The card that answers why stands in the inspector's place. */
  readonly whyOpen: boolean;
  /** Whether the inspector was open before the card, and will be after it. */
  readonly inspectorBefore: boolean;
  /** The path that the budget speaks of: a thin line over the lanes while nothing is selected; null for none. */
  readonly path: DrawnPath | null;
  /** The path that the card speaks of: lit in its stead; null for none. */
  readonly litPath: DrawnPath | null;
  /** Why the last change of an action was refused; null: it was not. */
  readonly refusedEdit: 'hasErrors' | 'unclear' | null;
  readonly theme: Theme;
  readonly language: Language;
}

export const createViewStore = (first: Partial<ViewState> & Pick<ViewState, 'theme' | 'language'>) =>
  createStore<ViewState>()(() => ({
    window: null,
    magnified: null,
    foldsQuiet: false,
    selected: null,
    lane: null,
    choice: null,
    pod: null,
    folds: new Map(),
    tab: 'timeline',
    scenarioOpen: true,
    inspectorOpen: true,
    editorOpen: false,
    listOpen: false,
    helpOpen: false,
    whyOpen: false,
    inspectorBefore: true,
    path: null,
    litPath: null,
    refusedEdit: null,
    ...first,
  }));
export type ViewStore = ReturnType<typeof createViewStore>;
