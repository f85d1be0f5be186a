import { MICROS_PER_SECOND, type Micros } from '../../../base/units.ts';
import type { Behaviour } from '../behaviour.ts';

/** K-077. */
const DEFAULTS = { initialSeconds: 10, maxSeconds: 300 };
/** With the gate ReduceDefaultCrashLoopBackOffDecay (KEP-4603). */
const REDUCED = { initialSeconds: 1, maxSeconds: 60 };
const RESET_AFTER = 600 * MICROS_PER_SECOND;
/** Period of housekeeping, which drops expired entries (K-018). */
const HOUSEKEEPING_PERIOD = 2 * MICROS_PER_SECOND;

interface Entry {
  value: number;
  lastUpdate: Micros;
}

/** First and longest wait of the crash-loop back-off, s. */
export interface CrashBackOffLimits {
  readonly initialSeconds: number;
  readonly maxSeconds: number;
}

/**
 * The limits in a version; `configured`: crashLoopBackOff.maxContainerRestartPeriod, which has precedence where it counts.
 * Source: pkg/kubelet/kubelet.go, newCrashLoopBackOff.
 */
export function crashBackOffLimits(
  { reducesCrashBackOff, hasCrashBackOffMax }: Pick<Behaviour, 'reducesCrashBackOff' | 'hasCrashBackOffMax'>,
  configured: number,
): CrashBackOffLimits {
  const { initialSeconds, maxSeconds } = reducesCrashBackOff ? REDUCED : DEFAULTS;
  const longest = hasCrashBackOffMax ? configured : maxSeconds;
  return { initialSeconds: Math.min(initialSeconds, longest), maxSeconds: longest };
}

/**
 * The crash-loop back-off of one kubelet: 10 s, doubled at each start that was allowed, up to a maximum.
 * Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff; client-go util/flowcontrol/backoff.go (K-076, K-077).
 */
export class CrashBackOff {
  private readonly entries = new Map<string, Entry>();
  private readonly max: number;
  private readonly initial: number;
  private readonly housekeeping: Micros;

  /** `housekeeping` is an instant of the housekeeping ticker. */
  constructor({ initialSeconds, maxSeconds }: CrashBackOffLimits, housekeeping: Micros) {
    this.housekeeping = housekeeping;
    this.max = maxSeconds * MICROS_PER_SECOND;
    this.initial = initialSeconds * MICROS_PER_SECOND;
  }

  /**
   * Asks for a start of the container `key` whose newest exited instance ended at `finishedAt`.
   * Null: start now (and the value has been raised). Else the back-off, µs, that holds until finishedAt + value.
   */
  tryStart(key: string, finishedAt: Micros, now: Micros): number | null {
    const entry = this.entries.get(key);
    const expired = entry === undefined || finishedAt - entry.lastUpdate > RESET_AFTER || this.droppedBy(entry, now);
    if (!expired && now - finishedAt < entry.value) return entry.value;
    this.entries.set(key, { value: expired ? this.initial : Math.min(entry.value * 2, this.max), lastUpdate: now });
    return null;
  }

  /** Housekeeping forgets an entry by its age alone: a long run and a long wait together outlive it. */
  private droppedBy({ lastUpdate }: Entry, now: Micros): boolean {
    const lastTick =
      now - ((((now - this.housekeeping) % HOUSEKEEPING_PERIOD) + HOUSEKEEPING_PERIOD) % HOUSEKEEPING_PERIOD);
    return lastTick - lastUpdate > RESET_AFTER;
  }
}

/** A length in whole seconds as Go prints it: `10s`, `2m40s`, `5m0s`. */
export function goDuration(microseconds: number): string {
  const all = Math.round(microseconds / MICROS_PER_SECOND);
  return all < 60 ? `${all}s` : `${Math.floor(all / 60)}m${all % 60}s`;
}
