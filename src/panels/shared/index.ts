/** What all panels read: the three stores, and words in the language in use. */
import { createContext, lazy, useContext } from 'react';
import { type StoreApi, useStore } from 'zustand';
import type { Strings } from '../../app/strings/en.ts';
import type { Words } from '../../explain/words/words.ts';
import type { PodInput } from '../../sim/scenario.ts';
import type { PlaybackState, PlaybackStore } from '../../state/playbackStore.ts';
import type { ScenarioState, ScenarioStore } from '../../state/scenarioStore.ts';
import type { ViewState, ViewStore } from '../../state/viewStore.ts';
import { spoken } from './languages.ts';

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

/** What the page says. */
export const useStrings = (): Strings => spoken(useView((view) => view.language)).strings;
/** What explanations say. */
export const useWords = (): Words => spoken(useView((view) => view.language)).words;

/** The Pod that headline and inspector speak of; null without a run. */
export function usePod(): PodInput | null {
  const pods = useScenario((state) => state.run?.scenario.pods);
  const wanted = useView((view) => view.pod);
  return pods?.find(({ identity }) => identity === wanted) ?? pods?.[0] ?? null;
}
export * from './actions.ts';
export * from './bounds.ts';
export * from './CopyButton.tsx';
export * from './edits.ts';
export * from './eventWords.ts';
export * from './KubernetesSelect.tsx';
export * from './lanes.ts';
export { loadLanguage } from './languages.ts';
export * from './pathWords.ts';
export * from './stretches.ts';
export * from './walking.ts';

/** They come after the first lanes: with them come the texts of all examples. */
export const ExampleButtons = lazy(async () => ({
  default: (await import('./ExampleButtons.tsx')).ExampleButtons,
}));
