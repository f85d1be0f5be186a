import { MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';

const FIRST = (1 * MICROS_PER_SECOND) as MicrosSpan;
const LONGEST = (15 * 60 * MICROS_PER_SECOND) as MicrosSpan;

/** How long a failed Pod is left where the one before failed too. Source: client-go util/flowcontrol/backoff.go. */
export class FailedPodsBackoff {
  private readonly entries = new Map<string, { readonly delay: MicrosSpan; readonly since: Micros }>();

  /** The present delay while it lasts; null: go ahead. */
  delayOf(id: string, now: Micros): MicrosSpan | null {
    const entry = this.entry(id, now);
    return entry && now - entry.since < entry.delay ? entry.delay : null;
  }

  /** Counts one more. */
  next(id: string, now: Micros): void {
    const entry = this.entry(id, now);
    const delay = (entry ? Math.min(entry.delay * 2, LONGEST) : FIRST) as MicrosSpan;
    this.entries.set(id, { delay, since: now });
  }

  /** After twice the longest delay all is well again. */
  private entry(id: string, now: Micros): { readonly delay: MicrosSpan; readonly since: Micros } | null {
    const entry = this.entries.get(id);
    return entry && now - entry.since <= 2 * LONGEST ? entry : null;
  }
}
