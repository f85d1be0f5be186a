import { later, type Micros, type MicrosSpan } from '../../../base/units.ts';
import type { Timer } from '../../kernel/kernel.ts';
import type { ProbeKind } from '../../scenario.ts';
import type { KubeletContext } from '../context.ts';
import type { ContainerRuntime } from '../runtime/containerRuntime.ts';
import type { Attempt } from './prober.ts';
import type { TurnFacts, TurnOutcome } from './probeWorkerMachine.ts';
import type { Ticker } from './ticker.ts';
import type { Turn } from './turnLog.ts';

/** A turn that changed nothing, and that the ticks after it can only repeat. */
export interface Coast {
  /** Its begin: what changes after it may change the next turn. */
  readonly since: Micros;
  readonly outcome: TurnOutcome;
  readonly attempt: Attempt | null;
  /** µs. */
  readonly length: number;
  readonly facts: TurnFacts;
}

/** What a worker has done while it coasted. */
export interface Coasted extends Coast {
  /** Begin of the first turn, µs. */
  readonly first: Micros;
  /** Turns that have begun. */
  readonly turns: number;
  /** Begin of the last one if it is still going on, µs. */
  readonly cutOffAt: Micros | null;
}

/** The turn as one to repeat; null when the next could be another. `now`: what a turn would find at its end. */
export function coastAfter(
  turn: Turn,
  attempt: Attempt | null,
  length: number,
  facts: TurnFacts,
  now: TurnFacts,
): Coast | null {
  const repeats = attempt
    ? attempt.result === 'success' && attempt.tries.length === 1
    : turn.outcome === 'onHold' || facts.delayOver;
  // The status may have changed while the attempt ran.
  if (turn.cause !== 'ticker' || !repeats || !sameFacts(facts, now)) return null;
  return { since: turn.at, outcome: turn.outcome, attempt, length, facts };
}

/** Whether a turn would find the same; a delay that is over stays over. */
const sameFacts = (a: TurnFacts, b: TurnFacts): boolean =>
  a === b || (Object.keys(a) as (keyof TurnFacts)[]).every((fact) => fact === 'delayOver' || a[fact] === b[fact]);

/**
 * A worker whose last turn changed nothing *coasts*: its ticks are not queued, as each can only repeat that turn until
 * the status, the process or the app's script changes. Whatever is about to change calls the worker's `settle`, which
 * ends the coasting and accounts for the turns that have come since.
 */
export class Coasting {
  private readonly context: KubeletContext;
  private readonly runtime: ContainerRuntime;
  private readonly kind: ProbeKind;
  private readonly turnDelay: MicrosSpan;
  private readonly settle: () => void;
  private coast: Coast | null = null;
  private timer: Timer | null = null;
  /** Ends the watch over the container's process. */
  private stopWatching: () => void = () => {};

  /** `turnDelay`: from a tick to its turn, µs. */
  constructor(
    context: KubeletContext,
    runtime: ContainerRuntime,
    kind: ProbeKind,
    turnDelay: MicrosSpan,
    settle: () => void,
  ) {
    this.context = context;
    this.runtime = runtime;
    this.kind = kind;
    this.turnDelay = turnDelay;
    this.settle = settle;
  }

  /** Begins until the first tick that could differ from the last turn. False when that is the next one. */
  start(coast: Coast, containerID: string, ticker: Ticker): boolean {
    const { kernel } = this.context;
    const quietUntil = coast.attempt
      ? (this.runtime.processes.of(containerID)?.nextChange(this.kind, coast.since) ?? kernel.now)
      : Number.POSITIVE_INFINITY;
    const first = later(ticker.next, this.turnDelay);
    const turns = Math.ceil((quietUntil - first) / ticker.period);
    if (turns <= 0) return false;
    this.coast = coast;
    if (coast.attempt) this.stopWatching = this.runtime.processes.beforeChange(containerID, kernel.guard(this.settle));
    // The tick itself is queued again by `settle`.
    if (Number.isFinite(turns)) {
      this.timer = kernel.at((first + turns * ticker.period) as Micros, 'probeWorker', this.settle);
    }
    return true;
  }

  /** Ends, and moves the ticker on; null when the worker did not coast. */
  end(ticker: Ticker): Coasted | null {
    const { coast } = this;
    if (!coast) return null;
    this.coast = null;
    this.stopWatching();
    this.stopWatching = () => {};
    if (this.timer) this.timer.cancelled = true;
    this.timer = null;
    const { now } = this.context.kernel;
    const first = later(ticker.next, this.turnDelay);
    const turns = Math.max(0, Math.ceil((now - first) / ticker.period));
    const lastAt = (first + (turns - 1) * ticker.period) as Micros;
    ticker.pass(turns);
    return { ...coast, first, turns, cutOffAt: turns > 0 && lastAt + coast.length > now ? lastAt : null };
  }
}
