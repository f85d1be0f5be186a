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
  /** Null: no Pod has ever had the address. */
  lookUp(ip: string, port: number, from: string): PodAddress | null;
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

/** One network of all nodes. */
export function networkOf(nodes: readonly NodeNetwork[]): PodNetwork {
  const byName = new Map(nodes.map((one) => [one.node, one]));
  // An address is of its node's range, and so of one node for ever.
  const byAddress = new Map<string, NodeNetwork>();
  return {
    isOn: (node) => byName.get(node)?.isOn ?? true,
    lookUp(ip, port, from) {
      const owner = byAddress.get(ip) ?? nodes.find((node) => node.lookUp(ip, port) !== null);
      if (owner === undefined) return null;
      byAddress.set(ip, owner);
      const found = owner.lookUp(ip, port);
      const isCut = owner.node !== from && !(owner.isReachable && (byName.get(from)?.isReachable ?? true));
      return found && isCut ? { pod: found.pod, state: 'gone' } : found;
    },
  };
}
