import type { Stores } from '../../src/panels/shared/index.ts';
import { simulate } from '../../src/sim/simulate.ts';
import type { FinishedRun } from '../../src/sim/trace/run.ts';
import { createPlaybackStore } from '../../src/state/playbackStore.ts';
import { createScenarioStore, type Draft } from '../../src/state/scenarioStore.ts';
import { createViewStore } from '../../src/state/viewStore.ts';

/** The page's three stores with a simulator on this thread. The first run comes in a later turn of the loop. */
export const testStores = (first?: Draft): Stores => ({
  scenario: createScenarioStore(
    {
      simulate: (scenario) => Promise.resolve(simulate(scenario)),
      cancel: () => {},
      onProgress: () => {},
    },
    first,
  ),
  view: createViewStore({ theme: 'light', language: 'en' }),
  playback: createPlaybackStore(),
});

/** The finished run; throws when there is none yet. */
export function runOf({ scenario }: Stores): FinishedRun {
  const { run } = scenario.getState();
  if (run === null) throw new Error('no run');
  return run;
}
