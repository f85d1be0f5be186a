import type { Micros } from '../../base/units.ts';
import type { Serve } from '../scenario.ts';

/** A process that listens, or could, at an address. */
export interface Listening {
  /** What a connection that arrives now meets. */
  readonly serve: Serve;
  /** Calls `then` when the process ends; the result takes that back. */
  onEnd(then: () => void): () => void;
}

/** What stands behind an address of the Pod network. */
export interface PodAddress {
  /** Identity of the Pod that owns, or last owned, the address. */
  readonly pod: string;
  /** gone: its sandbox was stopped; closed: no running container declares the port. */
  readonly state: 'gone' | 'closed' | Listening;
}

/** The Pod network as a client reaches it. */
export interface PodNetwork {
  /** Null: no Pod has ever had the address. */
  lookUp(ip: string, port: number, t: Micros): PodAddress | null;
}

/** One network of several parts. */
export const networkOf = (parts: readonly PodNetwork[]): PodNetwork => ({
  lookUp(ip, port, t) {
    for (const part of parts) {
      const found = part.lookUp(ip, port, t);
      if (found) return found;
    }
    return null;
  },
});
