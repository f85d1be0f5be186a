import type { Stores } from '../../src/panels/shared/index.ts';
import { simulate } from '../../src/sim/simulate.ts';
import type { FinishedRun } from '../../src/sim/trace/run.ts';
import { createPlaybackStore } from '../../src/state/playbackStore.ts';
import { createScenarioStore, type Draft } from '../../src/state/scenarioStore.ts';
import type { Simulator } from '../../src/state/simulatorClient.ts';
import { createViewStore } from '../../src/state/viewStore.ts';

const onThisThread: Simulator['simulate'] = (scenario) => Promise.resolve(simulate(scenario));

/** The page's three stores with a simulator on this thread. The first run comes in a later turn of the loop. */
export const testStores = (first?: Draft): Stores => storesWith(onThisThread, first);

/** The page's three stores with a run that is there, and no other to come but trials. */
export function storesShowing(run: FinishedRun, playhead: number): Stores {
  const stores = storesWith(() => new Promise(() => {}));
  stores.scenario.setState({ run, running: false });
  stores.view.setState({ window: { from: 0, to: run.reader.data.horizon } });
  stores.playback.setState({ playhead });
  return stores;
}

const storesWith = (run: Simulator['simulate'], first?: Draft): Stores => ({
  scenario: createScenarioStore({ simulate: run, cancel: () => {}, onProgress: () => {} }, first, {
    simulate: onThisThread,
    cancel: () => {},
  }),
  view: createViewStore({ theme: 'light', language: 'en' }),
  playback: createPlaybackStore(),
});

/** The finished run; throws when there is none yet. */
export function runOf({ scenario }: Stores): FinishedRun {
  const { run } = scenario.getState();
  if (run === null) throw new Error('no run');
  return run;
}
