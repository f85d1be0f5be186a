import { MICROS_PER_SECOND, type Micros } from '../../../base/units.ts';

/** K-077. */
const INITIAL_SECONDS = 10;
const RESET_AFTER = 600 * MICROS_PER_SECOND;
/** Period of housekeeping, which drops expired entries (K-018). */
const HOUSEKEEPING_PERIOD = 2 * MICROS_PER_SECOND;

interface Entry {
  value: number;
  lastUpdate: Micros;
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
  constructor(maxSeconds: number, housekeeping: Micros) {
    this.housekeeping = housekeeping;
    this.max = maxSeconds * MICROS_PER_SECOND;
    this.initial = Math.min(INITIAL_SECONDS, maxSeconds) * MICROS_PER_SECOND;
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
