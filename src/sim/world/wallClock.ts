import { MICROS_PER_SECOND, type Micros } from '../../base/units.ts';

/** The wall clock of the world. API times are cut down to whole seconds (G-5, K-181), and that changes behaviour. */
export class WallClock {
  /** Wall clock at t = 0, µs since the Unix epoch. */
  readonly epoch: number;

  constructor(epoch: number) {
    this.epoch = epoch;
  }

  /** Whole seconds since the Unix epoch at `t`, cut down. */
  seconds(t: Micros): number {
    return Math.floor((this.epoch + t) / MICROS_PER_SECOND);
  }

  /** Whole seconds, truncated, from the wall-clock second `since` to `t` (K-127). */
  secondsSince(since: number, t: Micros): number {
    return Math.trunc((this.epoch + t - since * MICROS_PER_SECOND) / MICROS_PER_SECOND);
  }
}
