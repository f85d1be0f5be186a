import { startCluster } from './cluster.ts';
import { type Run, type RunOptions, startRunWith } from './run.ts';
import type { Scenario } from './scenario.ts';
import type { TraceData } from './trace/trace.ts';

/** Pending calls run at once by `simulate`. */
const BUDGET = 1_000_000;

/** Simulates a scenario to its end. Same scenario, same bytes. */
export function simulate(scenario: Scenario): TraceData {
  const run = startRun(scenario);
  while (run.advance(BUDGET));
  return run.trace();
}

/** Starts a simulation that the caller advances. */
export const startRun = (scenario: Scenario, options: RunOptions = {}): Run =>
  startRunWith(startCluster, scenario, options);
