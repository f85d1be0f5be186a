import { memoizedWeakly } from '../../../base/memoized.ts';

const NO_CHAINS: ReadonlySet<string> = new Set();

/** How many of the first chains are not among the others. Nodes with the same plans have the same sets. */
const missing = memoizedWeakly((chains: ReadonlySet<string>) =>
  memoizedWeakly((others: ReadonlySet<string>) => {
    let count = 0;
    for (const chain of chains) if (!others.has(chain)) count++;
    return count;
  }),
);

/** The chains of either set: one of the two where that has them all. Nodes with the same history have the same sets. */
const union = memoizedWeakly((kept: ReadonlySet<string>) =>
  memoizedWeakly((more: ReadonlySet<string>) => {
    if (missing(kept)(more) === 0) return more;
    return missing(more)(kept) === 0 ? kept : new Set([...kept, ...more]);
  }),
);

/**
 * The chains of Services in the nat table: those that rules lead to, and those that are in the kernel. A chain that nothing
 * leads to any more is stale and is deleted by a later restore. Source: pkg/proxy/iptables/proxier.go, syncProxyRules.
 */
export class NatChains {
  private readonly active = new Map<string, ReadonlySet<string>>();
  private readonly inKernel = new Map<string, ReadonlySet<string>>();
  /** Services that may have stale chains. */
  private readonly suspects = new Set<string>();
  /** Services whose chains no restore has written yet. */
  private readonly unwritten = new Set<string>();

  /** The chains that a Service needs from now on. */
  need(service: string, chains: ReadonlySet<string>): void {
    if (chains.size > 0) this.active.set(service, chains);
    else this.active.delete(service);
    this.suspects.add(service);
    this.unwritten.add(service);
  }

  /** How many chains in the kernel are stale. */
  countStale(): number {
    let stale = 0;
    for (const service of this.suspects) {
      const inKernel = this.inKernel.get(service);
      if (inKernel) stale += missing(inKernel)(this.active.get(service) ?? NO_CHAINS);
    }
    return stale;
  }

  /** A restore of all that Services need was applied; `isCleaned`: it deleted the stale chains too. */
  applied(isCleaned: boolean): void {
    for (const service of isCleaned ? this.suspects : this.unwritten) {
      const active = this.active.get(service) ?? NO_CHAINS;
      const kept = isCleaned ? NO_CHAINS : (this.inKernel.get(service) ?? NO_CHAINS);
      const chains = union(kept)(active);
      if (chains.size > 0) this.inKernel.set(service, chains);
      else this.inKernel.delete(service);
    }
    this.unwritten.clear();
    if (isCleaned) this.suspects.clear();
  }
}
