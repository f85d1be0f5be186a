import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Task } from '../kernel/kernel.ts';
import { RequestSlot } from './requestSlot.ts';
import { nextRunAfter, type Runner, type RunnerOptions } from './runner.ts';

/** Runs that may follow each other without a wait. */
const BURST = 2;

/**
 * The runner up to Kubernetes 1.33: a bucket of two runs that gets one back each minimum interval; while none is in it, a
 * request waits for the minimum interval after the end of the last run.
 * Source: pkg/util/async/bounded_frequency_runner.go of those versions.
 */
export class OlderBoundedFrequencyRunner implements Runner {
  private readonly options: RunnerOptions;
  private readonly requests: RequestSlot;
  /** When the loop's timer fires. */
  private next: Micros;
  private lastRun: Micros;
  private tokens = BURST;
  private refilled: Micros;

  constructor(options: RunnerOptions) {
    const { now } = options.kernel;
    this.options = options;
    this.requests = new RequestSlot(options.kernel);
    this.next = now;
    this.lastRun = now;
    this.refilled = now;
  }

  start(): void {
    const { kernel, maxInterval } = this.options;
    this.next = later(kernel.now, maxInterval);
    kernel.start(this.loop(), 'proxy');
  }

  run(): void {
    this.requests.put();
  }

  private *loop(): Task<void> {
    const { kernel, minInterval, fn } = this.options;
    for (;;) {
      const isTime = yield* this.requests.takeUntil(this.next);
      if (this.takeToken()) {
        this.next = nextRunAfter(yield* fn(isTime), this.options);
        this.lastRun = kernel.now;
      } else {
        const possible = Math.max(later(this.lastRun, minInterval), this.refillAt());
        this.next = Math.min(possible, this.next) as Micros;
      }
    }
  }

  private takeToken(): boolean {
    const { kernel, minInterval } = this.options;
    if (minInterval === 0) return true;
    this.tokens = Math.min(BURST, this.tokens + (kernel.now - this.refilled) / minInterval);
    this.refilled = kernel.now;
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }

  /** When the bucket has a whole run in it again. */
  private refillAt(): Micros {
    const { kernel, minInterval } = this.options;
    return later(kernel.now, Math.ceil((1 - this.tokens) * minInterval) as MicrosSpan);
  }
}
