/** The API server's side of a cluster without any component, for tests of one part at a time. */
import { type Micros, micros, microsSpan } from '../../src/base/units.ts';
import { ObjectStore } from '../../src/sim/api/store.ts';
import type { ClusterInput } from '../../src/sim/clusterInput.ts';
import type { ClusterContext } from '../../src/sim/controllers/context.ts';
import { ErrorHandler } from '../../src/sim/controllers/errorHandler.ts';
import { Draws } from '../../src/sim/kernel/draws.ts';
import { HopLengths } from '../../src/sim/kernel/hopLengths.ts';
import { Kernel } from '../../src/sim/kernel/kernel.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';
import { TraceWriter } from '../../src/sim/trace/writer.ts';
import { WallClock } from '../../src/sim/world/wallClock.ts';
import { clusterInput, EPOCH_SECONDS } from './cluster.ts';

/** Tests end here, µs. */
const HORIZON = micros(1_000_000_000);

export interface TestCluster {
  readonly context: ClusterContext;
  readonly kernel: Kernel;
  /** Runs to the end; the trace of it. */
  readonly run: () => TraceReader;
  /** Calls at an instant, µs. */
  readonly at: (at: number, call: () => void) => void;
}

/** Time begins at 0. */
export function testCluster(over: Partial<ClusterInput> = {}): TestCluster {
  const kernel = new Kernel(micros(0), HORIZON);
  const trace = new TraceWriter();
  const wall = new WallClock(EPOCH_SECONDS * 1_000_000);
  const store = new ObjectStore(kernel, trace, true);
  const errors = new ErrorHandler(kernel, microsSpan(0));
  const input = clusterInput(over);
  const draws = new Draws(1, {});
  const context = { kernel, trace, draws, hops: new HopLengths(draws, {}), wall, store, input, errors, minor: 37 };
  return {
    context,
    kernel,
    run: () => {
      while (kernel.advance(1_000_000));
      return new TraceReader(trace.finish(HORIZON, wall.epoch));
    },
    at: (at, call) => void kernel.at(at as Micros, 'app', call),
  };
}
