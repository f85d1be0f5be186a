/** Talks to the simulator behind a worker. The latest request wins; a superseded one never comes back. */
import type { Remote } from 'comlink';
import { proxy } from 'comlink';
import type { Scenario } from '../sim/scenario.ts';
import type { TraceData } from '../sim/trace/trace.ts';

/** What the worker offers. */
export interface SimulatorWorker {
  /** Simulates; null when a later request or a cancel came first. Rejects when the engine fails. */
  simulate(scenario: Scenario): Promise<TraceData | null>;
  /** Ends the run in progress. */
  cancel(): void;
  /** `report` gets the share of the run that is done, 0 to 1, while a run takes long. */
  onProgress(report: (done: number) => void): void;
}

export interface Simulator {
  readonly simulate: (scenario: Scenario) => Promise<TraceData | null>;
  readonly cancel: () => void;
  readonly onProgress: (report: (done: number) => void) => void;
}

export function simulatorOf(worker: Remote<SimulatorWorker>): Simulator {
  return {
    simulate: (scenario) => worker.simulate(scenario),
    cancel: () => void worker.cancel(),
    onProgress: (report) => void worker.onProgress(proxy(report)),
  };
}

/** Starts its worker for its first run. */
export function lazySimulator(start: () => Simulator): Pick<Simulator, 'simulate' | 'cancel'> {
  let started: Simulator | null = null;
  return {
    simulate: (scenario) => {
      started ??= start();
      return started.simulate(scenario);
    },
    cancel: () => started?.cancel(),
  };
}
