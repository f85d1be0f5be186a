import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Scheduler, Task } from '../kernel/kernel.ts';
import { RequestSlot } from './requestSlot.ts';

export interface RunnerOptions {
  readonly kernel: Scheduler;
  /** From the end of one run to the start of the next, at least. */
  readonly minInterval: MicrosSpan;
  /** From the end of a run that failed to the start of the next, at most. */
  readonly retryInterval: MicrosSpan;
  /** From the end of one run to the start of the next, at most. */
  readonly maxInterval: MicrosSpan;
  /** One run. `isLate`: it starts by the runner's timer, not with a request. False when it failed. */
  readonly fn: (isLate: boolean) => Task<boolean>;
}

/** Decides when a function runs that is asked for often. */
export interface Runner {
  /** Starts the loop. */
  start(): void;
  /** Asks for a run as soon as possible; while one is asked for already this changes nothing. */
  run(): void;
}

/**
 * The runner of Kubernetes 1.34 and later (P-020, P-021): no burst; all requests during a run and the cool-down after it
 * become one run. Source: pkg/proxy/runner/bounded_frequency_runner.go.
 */
export class BoundedFrequencyRunner implements Runner {
  private readonly options: RunnerOptions;
  private readonly requests: RequestSlot;

  constructor(options: RunnerOptions) {
    this.options = options;
    this.requests = new RequestSlot(options.kernel);
  }

  start(): void {
    const { kernel, maxInterval } = this.options;
    kernel.start(this.loop(later(kernel.now, maxInterval)), 'proxy');
  }

  run(): void {
    this.requests.put();
  }

  private *loop(firstRun: Micros): Task<void> {
    const { minInterval, fn } = this.options;
    let nextRun = firstRun;
    let hasWaited = false;
    for (;;) {
      const isTime = yield* this.requests.takeUntil(nextRun);
      nextRun = nextRunAfter(yield* fn(isTime || hasWaited), this.options);
      yield minInterval;
      hasWaited = this.requests.isFull;
    }
  }
}

/** When a run that ended now is followed by the next at the latest. */
export const nextRunAfter = (isOk: boolean, options: RunnerOptions): Micros => {
  const { kernel, retryInterval, maxInterval } = options;
  return later(kernel.now, isOk ? maxInterval : (Math.min(retryInterval, maxInterval) as MicrosSpan));
};
