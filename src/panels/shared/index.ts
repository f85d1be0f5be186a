/** What all panels read: the three stores, and words in the language in use. */
import { createContext, useContext } from 'react';
import { type StoreApi, useStore } from 'zustand';
import type { Strings } from '../../app/strings/en.ts';
import { en } from '../../app/strings/en.ts';
import { zh } from '../../app/strings/zh.ts';
import { en as enWords } from '../../explain/words/en.ts';
import type { Language, Words } from '../../explain/words/words.ts';
import { zh as zhWords } from '../../explain/words/zh.ts';
import type { PodInput } from '../../sim/scenario.ts';
import type { PlaybackState, PlaybackStore } from '../../state/playbackStore.ts';
import type { ScenarioState, ScenarioStore } from '../../state/scenarioStore.ts';
import type { ViewState, ViewStore } from '../../state/viewStore.ts';

export interface Stores {
  readonly scenario: ScenarioStore;
  readonly view: ViewStore;
  readonly playback: PlaybackStore;
}

export const StoresContext = createContext<Stores | null>(null);

/** The stores themselves, for actions and for reading outside of rendering. */
export function useStores(): Stores {
  const stores = useContext(StoresContext);
  if (stores === null) throw new Error('no stores: a panel must stand inside StoresContext');
  return stores;
}

export const useScenario = <T>(select: (state: ScenarioState) => T): T => useFrom(useStores().scenario, select);
export const useView = <T>(select: (state: ViewState) => T): T => useFrom(useStores().view, select);
export const usePlayback = <T>(select: (state: PlaybackState) => T): T => useFrom(useStores().playback, select);
const useFrom = <S, T>(store: StoreApi<S>, select: (state: S) => T): T => useStore(store, select);

const STRINGS: Readonly<Record<Language, Strings>> = { en, zh };
const WORDS: Readonly<Record<Language, Words>> = { en: enWords, zh: zhWords };
/** What the page says. */
export const useStrings = (): Strings => STRINGS[useView((view) => view.language)];
/** What explanations say. */
export const useWords = (): Words => WORDS[useView((view) => view.language)];

/** The Pod that headline and inspector speak of; null without a run. */
export function usePod(): PodInput | null {
  const pods = useScenario((state) => state.run?.scenario.pods);
  const wanted = useView((view) => view.pod);
  return pods?.find(({ identity }) => identity === wanted) ?? pods?.[0] ?? null;
}
export * from './actions.ts';
export * from './editActions.ts';
export * from './KubernetesSelect.tsx';
export * from './lanes.ts';
export * from './walking.ts';
