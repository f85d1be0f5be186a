import { MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Scheduler } from '../kernel/kernel.ts';

/** A token bucket that is full at first (golang.org/x/time/rate Limiter). */
export class TokenBucket {
  private readonly kernel: Scheduler;
  private readonly perSecond: number;
  private readonly burst: number;
  private tokens: number;
  private last: Micros;

  /** `perSecond` tokens come in, up to `burst`. */
  constructor(kernel: Scheduler, perSecond: number, burst: number) {
    this.kernel = kernel;
    this.perSecond = perSecond;
    this.burst = burst;
    this.tokens = burst;
    this.last = kernel.now;
  }

  /** Takes a token, of the future if need be; returns how long to wait for it, µs. */
  take(): MicrosSpan {
    this.set(this.available() - 1);
    return (this.tokens >= 0 ? 0 : Math.round((-this.tokens / this.perSecond) * MICROS_PER_SECOND)) as MicrosSpan;
  }

  /** Takes a token if there is one; false without, and then nothing has changed. */
  tryTake(): boolean {
    const available = this.available();
    if (available < 1) return false;
    this.set(available - 1);
    return true;
  }

  private available(): number {
    const passed = (this.kernel.now - this.last) / MICROS_PER_SECOND;
    return Math.min(this.burst, this.tokens + passed * this.perSecond);
  }

  private set(tokens: number): void {
    this.tokens = tokens;
    this.last = this.kernel.now;
  }
}
