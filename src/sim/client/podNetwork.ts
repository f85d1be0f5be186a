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
  /** Which node has an address, where that was asked before: most are asked for often, and stay. */
  const holders = new Map<string, NodeNetwork>();
  const find = (ip: string, port: number): readonly [NodeNetwork, PodAddress] | null => {
    const holder = holders.get(ip);
    const known = holder?.lookUp(ip, port);
    if (holder && known) return [holder, known];
    for (const one of nodes) {
      const found = one.lookUp(ip, port);
      if (!found) continue;
      holders.set(ip, one);
      return [one, found];
    }
    return null;
  };
  return {
    isOn: (node) => byName.get(node)?.isOn ?? true,
    lookUp(ip, port, from) {
      const held = find(ip, port);
      if (!held) return null;
      const [{ node, isReachable }, found] = held;
      const isCut = node !== from && !(isReachable && (byName.get(from)?.isReachable ?? true));
      return isCut ? { pod: found.pod, state: 'gone' } : found;
    },
  };
}
