import type { Serve } from '../scenario.ts';

/** A process that listens, or could, at an address. */
export interface Listening {
  /** Tells it from the one that follows after a restart. */
  readonly id: string;
  /** What a request for `path` meets that arrives now. */
  serve(path: string): Serve;
  /** Calls `then` when the process ends; the result takes that back. */
  onEnd(then: () => void): () => void;
}

/** What stands behind an address of the Pod network. */
export interface PodAddress {
  /** Identity of the Pod that owns, or last owned, the address. */
  readonly pod: string;
  /** gone: nobody answers there any more; closed: no running container has the port. */
  readonly state: 'gone' | 'closed' | Listening;
}

/** The Pod network as a client reaches it, now. */
export interface PodNetwork {
  /** Null: no Pod has ever had the address. */
  lookUp(ip: string, port: number): PodAddress | null;
}
