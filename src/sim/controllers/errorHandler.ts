import { later, MICROS_PER_MS, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Scheduler } from '../kernel/kernel.ts';

/** Errors are told to the log at most so often. */
const MIN_PERIOD = MICROS_PER_MS;

/**
 * Where a process's controllers hand in errors that nobody can act on; whoever does so waits until the last one is a
 * millisecond ago.
 * Source: apimachinery pkg/util/runtime/runtime.go, rudimentaryErrorBackoff.OnError. It reads the wall clock, and its
 * first "last" is the start of the process: after the clock has been set back, the first error waits for all of that.
 */
export class ErrorHandler {
  private readonly kernel: Scheduler;
  private last: Micros;

  /** `clockSetBack`: how far the wall clock has been set back since the process started. */
  constructor(kernel: Scheduler, clockSetBack: MicrosSpan) {
    this.kernel = kernel;
    this.last = later(kernel.now, clockSetBack);
  }

  /** How long the caller has to wait. */
  handle(): MicrosSpan {
    const { now } = this.kernel;
    const wait = Math.max(0, MIN_PERIOD - (now - this.last));
    this.last = now;
    return wait as MicrosSpan;
  }
}
