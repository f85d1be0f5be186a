import type { Micros, MicrosSpan } from '../../base/units.ts';
import type { Scheduler } from '../kernel/kernel.ts';

/** Calls `then` at `instant`; without giving up the turn where that is now. */
export function at(kernel: Scheduler, instant: Micros, then: () => void): void {
  if (instant > kernel.now) kernel.at(instant, 'client', then);
  else then();
}

/** Calls `then` after `length` µs; without giving up the turn where that is 0. */
export function wait(kernel: Scheduler, length: MicrosSpan, then: () => void): void {
  if (length > 0) kernel.after(length, 'client', then);
  else then();
}
