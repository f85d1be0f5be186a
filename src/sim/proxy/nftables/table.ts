import type { Micros } from '../../../base/units.ts';
import type { PortRules } from './portRules.ts';

/** An element of a map or set, and how many ports of Services want it. */
interface Element {
  readonly value: string;
  readonly owners: number;
}

/** A transaction that is worked out and not yet run. */
export interface Transaction {
  readonly operations: number;
  /** It was run; chains that nothing needs any more are stale since `at`. */
  readonly commit: (at: Micros) => void;
}

/**
 * kube-proxy's table in the kernel: what each Service has there, and the chains of earlier syncs (P-040).
 * Source: pkg/proxy/nftables/proxier.go nftElementStorage, staleChains.
 */
export class NftTable {
  private readonly services = new Map<string, readonly PortRules[]>();
  private readonly elements = new Map<string, Element>();
  /** Flushed chains, and since when; null: the proxy has lost sight of it, and flushes it again. */
  private readonly stale = new Map<string, Micros | null>();

  /** Services that have rules. */
  names(): IterableIterator<string> {
    return this.services.keys();
  }

  /** Chains that have been stale since before `at`; the proxy forgets them, the table holds them until they are `deleted`. */
  takeStale(at: Micros): string[] {
    const due = [...this.stale].filter(([, since]) => since !== null && since < at).map(([chain]) => chain);
    for (const chain of due) this.stale.set(chain, null);
    return due;
  }

  deleted(chains: readonly string[]): void {
    for (const chain of chains) this.stale.delete(chain);
  }

  /** A transaction failed: the proxy cannot tell any more which chains it has flushed. */
  forgetStale(): void {
    for (const chain of this.stale.keys()) this.stale.set(chain, null);
  }

  /** The transaction that gives each Service of `wanted` these rules; none: it goes. */
  change(wanted: ReadonlyMap<string, readonly PortRules[]>): Transaction {
    const touched = new Map<string, { value: string; owners: number }>();
    const gone = new Set<string>();
    const back = new Set<string>();
    const sets = new Set<string>();
    let operations = 0;
    for (const service of wanted.keys()) {
      for (const { elements, chains, affinitySets } of this.services.get(service) ?? []) {
        for (const [key] of elements) this.touch(touched, key).owners--;
        for (const chain of chains) gone.add(chain);
        for (const set of affinitySets) sets.add(set);
      }
    }
    for (const ports of wanted.values()) {
      for (const port of ports) {
        operations += port.operations;
        for (const [key, value] of port.elements) {
          const element = this.touch(touched, key);
          element.value = value;
          element.owners++;
        }
        for (const chain of port.chains) if (!gone.delete(chain) && this.stale.has(chain)) back.add(chain);
        for (const set of port.affinitySets) sets.delete(set);
      }
    }
    for (const [key, element] of touched) operations += changes(this.elements.get(key), element);
    // Stale chains can be deleted only later, when the kernel has noticed that no map leads to them; until then each sync flushes them.
    operations += gone.size + this.stale.size - back.size + sets.size;
    return { operations, commit: (at) => this.commit(wanted, touched, gone, back, at) };
  }

  private touch(
    touched: Map<string, { value: string; owners: number }>,
    key: string,
  ): { value: string; owners: number } {
    let element = touched.get(key);
    if (!element) {
      element = { ...(this.elements.get(key) ?? { value: '', owners: 0 }) };
      touched.set(key, element);
    }
    return element;
  }

  private commit(
    wanted: ReadonlyMap<string, readonly PortRules[]>,
    touched: ReadonlyMap<string, Element>,
    gone: ReadonlySet<string>,
    back: ReadonlySet<string>,
    at: Micros,
  ): void {
    for (const [service, ports] of wanted) {
      if (ports.length > 0) this.services.set(service, ports);
      else this.services.delete(service);
    }
    for (const [key, element] of touched) {
      if (element.owners > 0) this.elements.set(key, element);
      else this.elements.delete(key);
    }
    for (const chain of back) this.stale.delete(chain);
    for (const chain of gone) this.stale.set(chain, at);
    for (const chain of this.stale.keys()) this.stale.set(chain, at);
  }
}

/** An element that changes is deleted and added. */
function changes(before: Element | undefined, after: Element): number {
  if (!before) return after.owners > 0 ? 1 : 0;
  if (after.owners === 0) return 1;
  return before.value === after.value ? 0 : 2;
}
