import { quantileAt } from '../../base/quantiles.ts';
import type { Micros, MicrosSpan } from '../../base/units.ts';
import type { Jitter, VaryingHop } from '../scenario.ts';
import type { Draws } from './draws.ts';

/** The length of each hop at each of its occurrences: the one that the scenario has, or a draw `latency/<hop>/<whose>`. */
export class HopLengths {
  private readonly draws: Draws;
  private readonly jitter: Jitter;

  constructor(draws: Draws, jitter: Jitter) {
    this.draws = draws;
    this.jitter = jitter;
  }

  /** Whether occurrences of the hop differ. */
  varies(hop: VaryingHop): boolean {
    return this.jitter[hop] !== undefined;
  }

  /** The next length of the hop, µs, where `usual` is the one without variation. */
  next(hop: VaryingHop, whose: string, at: Micros, usual: MicrosSpan): MicrosSpan {
    const quantiles = this.jitter[hop];
    if (!quantiles) return usual;
    return this.draws.number(`latency/${hop}/${whose}`, at, (u) => quantileAt(quantiles, u)) as MicrosSpan;
  }
}
