import { pathsOf } from '../explain/path.ts';
import type { Play } from '../io/recording/verdict.ts';
import type { Run } from '../sim/run.ts';
import type { Scenario } from '../sim/scenario.ts';
import { startRun } from '../sim/simulate.ts';
import { TraceReader } from '../sim/trace/reader.ts';

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
  const trace = run.trace();
  return { trace, draws: run.draws(), paths: () => pathsOf({ scenario, reader: new TraceReader(trace) }) };
};
