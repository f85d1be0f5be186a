import { MICROS_PER_SECOND, type MicrosSpan } from '../../base/units.ts';
import type { DnsCacheInput, DnsInput, PeersInput, ServicePortRef } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { NameAnswer } from '../world/nameServer.ts';
import { EndpointsView } from './endpointsView.ts';

interface Resolver {
  ask(): NameAnswer;
}

/** One name at CoreDNS: its ready endpoints, or no such name (T-004). */
function coreDns(view: EndpointsView, ttl: number): Resolver {
  return { ask: () => ({ from: 'coredns', backends: view.backends, ttl, ref: view.ref }) };
}

/**
 * A cache in front of `behind`: an answer lives on in it as long as it is good, and no longer than it keeps one (T-005).
 * Source: coredns plugin/cache/item.go, ttl.
 */
export class DnsCache implements Resolver {
  private readonly kernel: ClusterContext['kernel'];
  private readonly name: keyof DnsInput['caches'];
  private readonly keeps: DnsCacheInput;
  private readonly behind: Resolver;
  private held: { readonly answer: NameAnswer; readonly at: number } | null = null;

  constructor(
    kernel: ClusterContext['kernel'],
    name: keyof DnsInput['caches'],
    keeps: DnsCacheInput,
    behind: Resolver,
  ) {
    this.kernel = kernel;
    this.name = name;
    this.keeps = keeps;
    this.behind = behind;
  }

  /** What it remembers; null when that is nothing, or too old. */
  remembered(): NameAnswer | null {
    if (!this.held) return null;
    const { answer, at } = this.held;
    const ttl = answer.ttl - Math.floor((this.kernel.now - at) / MICROS_PER_SECOND);
    return ttl > 0 ? { ...answer, from: this.name, ttl } : null;
  }

  ask(): NameAnswer {
    const remembered = this.remembered();
    if (remembered) return remembered;
    const asked = this.behind.ask();
    const { positive, negative } = this.keeps;
    const ttl = Math.min(asked.ttl, asked.backends.length > 0 ? positive : negative);
    const answer = { ...asked, ttl };
    this.held = { answer, at: this.kernel.now };
    return answer;
  }
}

/** The resolvers of a cluster: what several clients ask is one and the same. */
export class ClusterDns {
  private readonly context: ClusterContext;
  private readonly views = new Map<string, EndpointsView>();
  private readonly shared = new Map<string, Resolver>();

  constructor(context: ClusterContext) {
    this.context = context;
  }

  /** What an app on `node` is told about its peers. */
  lookUp({ port, dns }: PeersInput, node: string, asker: string): NameAnswer {
    const behind = this.resolverFor(port, dns, node);
    const keeps = dns.caches.clientCache;
    if (!keeps) return behind.ask();
    return once(
      this.shared,
      `${asker} ${dns.name}`,
      () => new DnsCache(this.context.kernel, 'clientCache', keeps, behind),
    ).ask();
  }

  /** What a client on `node` has before it: the cache of its node, that of CoreDNS, CoreDNS. */
  resolverFor(port: ServicePortRef, { ttl, caches, hostname }: DnsInput, node: string): Resolver {
    const key = `${hostname ?? ''}.${port.service} ${port.port}`;
    const view = once(this.views, key, () => {
      const nowhere = { node: '', pod: '', container: '', probe: '' } as const;
      const subject = this.context.trace.subjectOf({ component: 'dns', ...nowhere, object: 'coredns' });
      return new EndpointsView(this.context, port, subject, 0 as MicrosSpan, hostname);
    });
    let resolver = once(this.shared, `${key} ${ttl}`, () => coreDns(view, ttl));
    for (const [name, place] of [
      ['cache', ''],
      ['nodeLocal', node],
    ] as const) {
      const keeps = caches[name];
      if (!keeps) continue;
      const behind = resolver;
      const cacheKey = `${key} ${name} ${place} ${JSON.stringify(caches)}`;
      resolver = once(this.shared, cacheKey, () => new DnsCache(this.context.kernel, name, keeps, behind));
    }
    return resolver;
  }
}

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  let found = known.get(key);
  if (found === undefined) {
    found = make();
    known.set(key, found);
  }
  return found;
}
