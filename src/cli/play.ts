import type { Play } from '../io/recording/verdict.ts';
import type { Run } from '../sim/run.ts';
import type { Scenario } from '../sim/scenario.ts';
import { startRun } from '../sim/simulate.ts';

/** Pending calls run at once. */
const BUDGET = 1_000_000;

/** Runs a scenario to its end with its draws recorded. */
export function runToEnd(scenario: Scenario): Run {
  const run = startRun(scenario, { recordDraws: true });
  while (run.advance(BUDGET));
  return run;
}

/** The simulator as conformance asks for it. */
export const play: Play = (scenario) => {
  const run = runToEnd(scenario);
  return { trace: run.trace(), draws: run.draws() };
};
