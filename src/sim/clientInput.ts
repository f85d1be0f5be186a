import type { Micros, MicrosSpan } from '../base/units.ts';
import type { Protocol } from './api/objects.ts';

/** A client: requests 0 to `count` - 1, one each `every` µs. */
export interface ClientInput {
  readonly name: string;
  readonly from: ClientSource;
  readonly to: ClientTarget;
  /** Whose port it asks for; null where that is not known. */
  readonly service: ServicePortRef | null;
  readonly protocol: Protocol;
  /** Path of its requests: what an app does may differ by path. */
  readonly path: string;
  readonly start: Micros;
  readonly every: MicrosSpan;
  readonly count: number;
  /** One way to a Pod, µs. */
  readonly network: MicrosSpan;
  /** From the attempt's start. */
  readonly timeout: MicrosSpan;
  /** Null: a connection for each request. */
  readonly keepAlive: KeepAliveInput | null;
  readonly retries: RetriesInput;
}

/** When a connection that is kept open ends by itself; null for never. */
export interface KeepAliveInput {
  /** The client closes a connection that it has not used for so long. */
  readonly idleTimeout: MicrosSpan | null;
  /** It does so after so many requests, too. */
  readonly maxRequests: number | null;
  /** The app closes one that carried nothing for so long. */
  readonly appIdleTimeout: MicrosSpan | null;
}

/** A request is made up to `count` times more while its outcome is one of `on`, `delay` after each. */
export interface RetriesInput {
  readonly count: number;
  readonly on: readonly Outcome[];
  readonly delay: MicrosSpan;
}

/** What an attempt comes to (T-010). wrongPod: a good answer of a Pod that the Service does not select. */
export const OUTCOMES = [
  'served',
  'errorAnswer',
  'wrongPod',
  'refused',
  'rejected',
  'timeout',
  'reset',
  'noAddress',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A port of a Service: `namespace/name`, and the port's name; '' without one. */
export interface ServicePortRef {
  readonly service: string;
  readonly port: string;
}

/** Where its connections begin: whose rules they meet, and as what (P-054). */
export type ClientSource =
  | { readonly type: 'node'; readonly node: string }
  /** Asks only while the Pod has an address. */
  | { readonly type: 'pod'; readonly node: string; readonly pod: string }
  | { readonly type: 'outside' };

export type ClientTarget =
  /** By the rules of the source's node. */
  | { readonly type: 'address'; readonly ip: string; readonly port: number }
  /** That port of one of the nodes, drawn for each connection. */
  | { readonly type: 'nodePort'; readonly port: number; readonly nodes: readonly string[] }
  /** A load balancer outside of the cluster, which sends to the nodes that it takes for healthy. */
  | { readonly type: 'loadBalancer'; readonly balancer: LoadBalancerInput }
  /** The ready endpoints of the port, as a watcher of EndpointSlices or a resolver of names has them. */
  | { readonly type: 'endpoints'; readonly resolver: SliceWatcherInput | DnsInput }
  /** A Pod's own address. */
  | { readonly type: 'pod'; readonly pod: string; readonly port: number };

/** A cloud balancer (T-003). */
export interface LoadBalancerInput {
  readonly nodes: readonly string[];
  /** Its own address where the nodes have rules for that; null: it dials the node port. */
  readonly ip: string | null;
  readonly port: number;
  readonly nodePort: number;
  /** It asks the health check node port of the Service; else a node is healthy while it is on. */
  readonly asksHealthCheckPort: boolean;
  /** Between two checks of a node. */
  readonly interval: MicrosSpan;
  /** So many checks in a row change its mind. */
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
  /** From there to the first connection that goes elsewhere. */
  readonly delay: MicrosSpan;
}

/** An Ingress or Gateway controller: it dials Pods itself, `lag` after a slice has reached it (T-002). */
export interface SliceWatcherInput {
  readonly type: 'slices';
  readonly lag: MicrosSpan;
}

/** A name that leads to the ready endpoints (T-004), and who may remember the answer (T-005), s. */
export interface DnsInput {
  readonly type: 'dns';
  readonly name: string;
  /** The name is that of the endpoints with this hostname; null: of all. */
  readonly hostname: string | null;
  /** Time to live of an answer of CoreDNS. */
  readonly ttl: number;
  /** Null: no such cache. */
  readonly caches: Readonly<Record<'cache' | 'nodeLocal' | 'clientCache', DnsCacheInput | null>>;
}
/** Peers that an app looks up in each run of its readiness probe. */
export interface PeersInput {
  readonly port: ServicePortRef;
  readonly dns: DnsInput;
  /** While there are fewer, a run that would succeed fails. */
  readonly addresses: number;
}
export interface DnsCacheInput {
  /** It keeps an answer for so long at most; one that there is no such name. */
  readonly positive: number;
  readonly negative: number;
}
