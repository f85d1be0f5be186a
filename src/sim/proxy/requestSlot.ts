import type { Micros } from '../../base/units.ts';
import { Gate, type Scheduler, type Task } from '../kernel/kernel.ts';

/** A Go channel of one place beside a timer: what the loop of a runner waits on. */
export class RequestSlot {
  private readonly kernel: Scheduler;
  private idle: Gate | null = null;
  isFull = false;

  constructor(kernel: Scheduler) {
    this.kernel = kernel;
  }

  /** Puts a request in; changes nothing while there is one. */
  put(): void {
    if (this.isFull) return;
    this.isFull = true;
    // The loop is a goroutine of its own: it wakes once all that this instant delivers has been handled.
    this.kernel.post('proxy', () => this.idle?.open());
  }

  /** Waits for a request, which is taken out, or for `at`; true when it was the time. */
  *takeUntil(at: Micros): Task<boolean> {
    if (!this.isFull && at > this.kernel.now) {
      const idle = new Gate();
      this.idle = idle;
      const timer = this.kernel.at(at, 'proxy', () => idle.open());
      yield idle;
      timer.cancelled = true;
      this.idle = null;
    }
    const isTime = !this.isFull;
    this.isFull = false;
    return isTime;
  }
}
