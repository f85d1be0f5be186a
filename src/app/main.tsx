import { wrap } from 'comlink';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadLanguage, StoresContext } from '../panels/shared/index.ts';
import { createPlaybackStore } from '../state/playbackStore.ts';
import { createScenarioStore } from '../state/scenarioStore.ts';
import { lazySimulator, type Simulator, type SimulatorWorker, simulatorOf } from '../state/simulatorClient.ts';
import { createViewStore } from '../state/viewStore.ts';
import { PHONE } from '../ui/useMedia.ts';
import { App } from './App.tsx';
import { firstState } from './firstState.ts';
import { rememberPreferences } from './preferences.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/slider.css';
import './styles/topBar.css';
import './styles/headline.css';
import './styles/timeline.css';
import './styles/hoverCard.css';
import './styles/path.css';
import './styles/why.css';
import './styles/transport.css';
import './styles/scenario.css';
import './styles/editor.css';
import './styles/inspector.css';
import './styles/object.css';
import './styles/chart.css';
import './styles/eventList.css';
import './styles/dialog.css';
import './styles/layout.css';
import './styles/small.css';

const startSimulator = (): Simulator =>
  simulatorOf(wrap<SimulatorWorker>(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })));
const simulator = startSimulator();
const first = await firstState(globalThis.location.hash);
const language = await loadLanguage(first.view.language);
const stores = {
  scenario: createScenarioStore(simulator, first.draft, lazySimulator(startSimulator), async (draft) =>
    (await import('./readAside.ts')).readAside(draft),
  ),
  view: createViewStore({ ...first.view, language, ...panelsThatFit(), foldsQuiet: matchMedia(PHONE).matches }),
  playback: createPlaybackStore(),
};
rememberPreferences(stores.view);

/** Where the panels would cover the lanes they start closed; a phone shows one region at a time anyway. */
function panelsThatFit(): { readonly scenarioOpen: boolean; readonly inspectorOpen: boolean } {
  const fits = !matchMedia('(min-width: 720px) and (max-width: 1179px)').matches;
  return { scenarioOpen: fits, inspectorOpen: fits };
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element #root');
createRoot(root).render(
  <StrictMode>
    <StoresContext value={stores}>
      <App first={first} />
    </StoresContext>
  </StrictMode>,
);
