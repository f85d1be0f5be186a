import type { Micros, MicrosSpan } from '../../base/units.ts';
import type { ClientInput, DnsInput, ServicePortRef } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { answerText, type NameAnswer } from '../world/nameServer.ts';
import { type ClusterDns, DnsCache } from './dns.ts';
import { EndpointsView } from './endpointsView.ts';
import { type Choice, pickOne, type Route } from './route.ts';
import { wait } from './waits.ts';

/** One of the backends; of those that the request has not met, while there are any. */
function amongBackends(backends: readonly string[], tried: ReadonlySet<string>, fraction: number, ref: Ref): Choice {
  const untried = backends.filter((backend) => !tried.has(backend));
  const backend = pickOne(untried.length > 0 ? untried : backends, fraction);
  const common = { of: backends.length, via: '', ref };
  return backend === undefined
    ? { ...common, verdict: 'noAddress', backend: '' }
    : { ...common, verdict: 'backend', backend };
}

/** A consumer that watches slices and dials Pods itself (T-002). */
export function sliceRoute(context: ClusterContext, port: ServicePortRef, subject: number, lag: MicrosSpan): Route {
  const view = new EndpointsView(context, port, subject, lag);
  return { resolve: null, choose: (fraction, tried) => amongBackends(view.backends, tried, fraction, view.ref) };
}

/** A client that looks the name of a headless Service up before each connection (T-004, T-005). */
export class DnsRoute implements Route {
  private readonly context: ClusterContext;
  private readonly client: ClientInput;
  private readonly name: string;
  private readonly subject: number;
  private readonly resolver: ReturnType<ClusterDns['resolverFor']>;
  /** The client's own cache, which answers at once. */
  private readonly own: DnsCache | null;
  private backends: readonly string[] = [];
  private ref: Ref = NO_REF;

  constructor(
    context: ClusterContext,
    dns: ClusterDns,
    client: ClientInput,
    port: ServicePortRef,
    subject: number,
    input: DnsInput,
  ) {
    this.context = context;
    this.client = client;
    this.name = input.name;
    this.subject = subject;
    const behind = dns.resolverFor(port, input, client.from.type === 'outside' ? '' : client.from.node);
    const { clientCache } = input.caches;
    this.own = clientCache && new DnsCache(context.kernel, 'clientCache', clientCache, behind);
    this.resolver = this.own ?? behind;
  }

  /** Asks the resolver, one way there and one way back, unless the client remembers. */
  resolve(then: () => void): void {
    const { kernel } = this.context;
    const began = kernel.now;
    const way = this.own?.remembered() ? (0 as MicrosSpan) : this.client.network;
    wait(kernel, way, () => {
      const found = this.resolver.ask();
      wait(kernel, way, () => {
        this.learn(found, began);
        then();
      });
    });
  }

  private learn(found: NameAnswer, began: Micros): void {
    const { kernel, trace } = this.context;
    this.backends = found.backends;
    const payload = { name: this.name, from: found.from, answer: answerText(found), ttl: found.ttl };
    this.ref = trace.event('dnsLookup', began, this.subject, payload, [found.ref], NO_REF, kernel.now - began);
  }

  choose(fraction: number, tried: ReadonlySet<string>): Choice {
    return amongBackends(this.backends, tried, fraction, this.ref);
  }
}
