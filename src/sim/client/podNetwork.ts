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
  lookUp(ip: string, port: number): PodAddress | null;
}

/** An address that was asked for. */
interface Place {
  readonly ip: string;
  readonly port: number;
  /** The node that has it: most addresses are asked for often, and stay. */
  holder: NodeNetwork | null;
}

/** One network of all nodes. */
export function networkOf(nodes: readonly NodeNetwork[]): PodNetwork {
  const byName = new Map(nodes.map((one) => [one.node, one]));
  const places = memoized((backend: string): Place => ({ ...addressOf(backend), holder: null }));
  const find = (place: Place): PodAddress | null => {
    const { ip, port, holder } = place;
    const known = holder?.lookUp(ip, port);
    if (known) return known;
    for (const one of nodes) {
      const found = one.lookUp(ip, port);
      if (!found) continue;
      place.holder = one;
      return found;
    }
    return null;
  };
  return {
    isOn: (node) => byName.get(node)?.isOn ?? true,
    lookUp(backend, from) {
      const place = places(backend);
      const found = find(place);
      if (!found || !place.holder) return null;
      const { node, isReachable } = place.holder;
      const isCut = node !== from && !(isReachable && (byName.get(from)?.isReachable ?? true));
      return isCut ? { pod: found.pod, state: 'gone' } : found;
    },
  };
}

/** `ip:port` in its parts; the brackets around IPv6 are the ip's. */
export function addressOf(backend: string): { readonly ip: string; readonly port: number } {
  const colon = backend.lastIndexOf(':');
  return { ip: backend.slice(0, colon), port: Number(backend.slice(colon + 1)) };
}
