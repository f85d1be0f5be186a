import type { ObjectStore } from '../api/store.ts';
import type { ClusterInput } from '../clusterInput.ts';
import type { Draws } from '../kernel/draws.ts';
import type { HopLengths } from '../kernel/hopLengths.ts';
import type { Scheduler } from '../kernel/kernel.ts';
import type { TraceWriter } from '../trace/writer.ts';
import type { WallClock } from '../world/wallClock.ts';
import type { ErrorHandler } from './errorHandler.ts';

/** What the controllers and the proxies share. */
export interface ClusterContext {
  readonly kernel: Scheduler;
  readonly trace: TraceWriter;
  readonly draws: Draws;
  readonly hops: HopLengths;
  readonly wall: WallClock;
  readonly store: ObjectStore;
  readonly input: ClusterInput;
  /** Of the process that runs the controllers. */
  readonly errors: ErrorHandler;
  /** Minor version of Kubernetes, 37 for 1.37. */
  readonly minor: number;
}
