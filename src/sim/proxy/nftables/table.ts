import type { Micros } from '../../../base/units.ts';
import type { PortRules } from './portRules.ts';

/** What a Service has in the table of a node. */
export interface Content {
  readonly ports: readonly PortRules[];
  /** Elements against hairpins, for its endpoints on the node. */
  readonly hairpins: readonly string[];
}

/** An element of a map or set: what it leads to, and how many ports of Services want it. */
interface Element {
  value: string;
  owners: number;
}

/** A transaction that is worked out and not yet run. */
export interface Transaction {
  readonly operations: number;
  /** It was run; chains that nothing needs any more are stale since `at`. */
  readonly commit: (at: Micros) => void;
}

/** How the maps, sets and chains differ after a transaction. */
interface Difference {
  readonly elements: Map<string, Element>;
  /** Chains that nothing needs any more, and stale ones that are needed again. */
  readonly gone: Set<string>;
  readonly back: Set<string>;
  /** Affinity sets that nothing needs any more. */
  readonly sets: Set<string>;
}

/**
 * kube-proxy's table in the kernel: what each Service has there, and the chains of earlier syncs (P-040).
 * Source: pkg/proxy/nftables/proxier.go nftElementStorage, staleChains.
 */
export class NftTable {
  private readonly services = new Map<string, Content>();
  private readonly elements = new Map<string, Readonly<Element>>();
  /** Flushed chains, and since when; null: the proxy has lost sight of it, and flushes it again. */
  private readonly stale = new Map<string, Micros | null>();

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

  /** The transaction that gives each Service of `wanted` this content; without ports it goes. */
  change(wanted: ReadonlyMap<string, Content>): Transaction {
    const difference: Difference = { elements: new Map(), gone: new Set(), back: new Set(), sets: new Set() };
    for (const service of wanted.keys()) this.release(this.services.get(service), difference);
    let operations = 0;
    for (const content of wanted.values()) {
      this.claim(content, difference);
      for (const port of content.ports) operations += port.operations;
    }
    const { elements, gone, back, sets } = difference;
    for (const [key, element] of elements) operations += changes(this.elements.get(key), element);
    // Stale chains can be deleted only later, when the kernel has noticed that no map leads to them; until then each sync flushes them.
    operations += gone.size + this.stale.size - back.size + sets.size;
    return { operations, commit: (at) => this.commit(wanted, difference, at) };
  }

  private release(content: Content | undefined, { elements, gone, sets }: Difference): void {
    if (!content) return;
    for (const port of content.ports) {
      for (const [key] of port.elements) this.element(elements, key).owners--;
      for (const chain of port.chains) gone.add(chain);
      for (const set of port.affinitySets) sets.add(set);
    }
    for (const key of content.hairpins) this.element(elements, key).owners--;
  }

  private claim({ ports, hairpins }: Content, { elements, gone, back, sets }: Difference): void {
    const claimOne = (key: string, value: string): void => {
      const element = this.element(elements, key);
      element.value = value;
      element.owners++;
    };
    for (const port of ports) {
      for (const [key, value] of port.elements) claimOne(key, value);
      for (const chain of port.chains) if (!gone.delete(chain) && this.stale.has(chain)) back.add(chain);
      for (const set of port.affinitySets) sets.delete(set);
    }
    for (const key of hairpins) claimOne(key, '');
  }

  /** The element in the making; from the table on first use. */
  private element(elements: Map<string, Element>, key: string): Element {
    let element = elements.get(key);
    if (!element) {
      const { value, owners } = this.elements.get(key) ?? ABSENT;
      element = { value, owners };
      elements.set(key, element);
    }
    return element;
  }

  private commit(wanted: ReadonlyMap<string, Content>, { elements, gone, back }: Difference, at: Micros): void {
    for (const [service, content] of wanted) {
      if (content.ports.length > 0) this.services.set(service, content);
      else this.services.delete(service);
    }
    for (const [key, element] of elements) {
      if (element.owners > 0) this.elements.set(key, element);
      else this.elements.delete(key);
    }
    for (const chain of back) this.stale.delete(chain);
    for (const chain of gone) this.stale.set(chain, at);
    for (const chain of this.stale.keys()) this.stale.set(chain, at);
  }
}

const ABSENT: Readonly<Element> = { value: '', owners: 0 };

/** Operations: an element that changes is deleted and added. */
function changes(before: Readonly<Element> | undefined, after: Element): number {
  if (!before) return after.owners > 0 ? 1 : 0;
  if (after.owners === 0) return 1;
  return before.value === after.value ? 0 : 2;
}
