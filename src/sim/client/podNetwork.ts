import { memoized } from '../../base/memoized.ts';
import type { Serve } from '../scenario.ts';

/** A process that listens, or could, at an address. */
export interface Listening {
  /** Tells it from the one that follows after a restart. */
  readonly id: string;
  /** What a request for `path` meets that arrives now. */
  serve(path: string): Serve;
  /** Calls `then` when the process ends, silently with the power of its node; the result takes that back. */
  onEnd(then: (isSilent: boolean) => void): () => void;
}

/** What stands behind an address of the Pod network. */
export interface PodAddress {
  /** Identity of the Pod that owns, or last owned, the address. */
  readonly pod: string;
  /** gone: nobody answers there any more; closed: no running container has the port. */
  readonly state: 'gone' | 'closed' | Listening;
}

/** The Pod network as a client on the node `from` ('' from outside) reaches it, now. */
export interface PodNetwork {
  /** Who has the address `backend` (`ip:port`); null: no Pod has ever had it. */
  lookUp(backend: string, from: string): PodAddress | null;
  /** Whether what runs on that node runs now. */
  isOn(node: string): boolean;
}

/** A node's part of it. */
interface NodeNetwork {
  readonly node: string;
  readonly isOn: boolean;
  /** Whether it reaches other nodes, and they reach it. */
  readonly isReachable: boolean;
  /** Another number whenever something else may stand behind an address. */
  readonly changes: number;
  lookUp(ip: string, port: number): PodAddress | null;
}

/** An address that was asked for: most are asked for often, and stay. */
interface Place {
  readonly ip: string;
  readonly port: number;
  /** The node that has it, what stood behind it, and after which of the node's changes. */
  known: { readonly holder: NodeNetwork; readonly found: PodAddress; readonly changes: number } | null;
}

/** One network of all nodes. */
export function networkOf(nodes: readonly NodeNetwork[]): PodNetwork {
  const byName = new Map(nodes.map((one) => [one.node, one]));
  const places = memoized((backend: string): Place => ({ ...addressOf(backend), known: null }));
  const find = (place: Place): Place['known'] => {
    const { ip, port, known } = place;
    if (known && known.changes === known.holder.changes) return known;
    // Whoever has it keeps it.
    for (const holder of known ? [known.holder] : nodes) {
      const found = holder.lookUp(ip, port);
      if (!found) continue;
      place.known = { holder, found, changes: holder.changes };
      return place.known;
    }
    return null;
  };
  return {
    isOn: (node) => byName.get(node)?.isOn ?? true,
    lookUp(backend, from) {
      const known = find(places(backend));
      if (!known) return null;
      const { found, holder } = known;
      const isCut = holder.node !== from && !(holder.isReachable && (byName.get(from)?.isReachable ?? true));
      return isCut ? { pod: found.pod, state: 'gone' } : found;
    },
  };
}

/** `ip:port` in its parts; the brackets around IPv6 are the ip's. */
export function addressOf(backend: string): { readonly ip: string; readonly port: number } {
  const colon = backend.lastIndexOf(':');
  return { ip: backend.slice(0, colon), port: Number(backend.slice(colon + 1)) };
}
