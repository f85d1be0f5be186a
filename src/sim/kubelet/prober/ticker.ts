import { later, type Micros, type MicrosSpan } from '../../../base/units.ts';

/** A worker's ticker: at most one tick is owed, and what comes late does not move those after it (G-3). */
export class Ticker {
  readonly period: MicrosSpan;
  /** The tick that is owed or comes next. */
  next: Micros;

  /** A ticker that is made at `madeAt` ticks one period later. */
  constructor(period: MicrosSpan, madeAt: Micros) {
    this.period = period;
    this.next = later(madeAt, period);
  }

  /** Takes the tick that is owed at `at`; those that were missed are lost. */
  receive(at: Micros): void {
    this.pass(Math.floor((at - this.next) / this.period) + 1);
  }

  /** Moves on by so many ticks. */
  pass(ticks: number): void {
    this.next = (this.next + ticks * this.period) as Micros;
  }

  /** The next tick comes one period after `now`. */
  reset(now: Micros): void {
    this.next = later(now, this.period);
  }
}
