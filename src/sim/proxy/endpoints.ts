import { sameList } from '../../base/equal.ts';
import { canonicalIp } from '../../base/ipAddress.ts';
import { memoizedWeakly } from '../../base/memoized.ts';
import type { Endpoint, EndpointSliceObject } from '../api/objects.ts';
import { hostPort } from './address.ts';
import { portKey } from './servicePort.ts';

/** An endpoint of one port as kube-proxy sees it; unset conditions are read as in P-012. */
export interface ProxyEndpoint {
  readonly ip: string;
  /** `ip:port`: its identity within a port of a Service. */
  readonly address: string;
  readonly node: string | null;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

/** Endpoints by `portKey`, each list sorted by `ip:port` (P-011). */
export type EndpointsByPort = ReadonlyMap<string, readonly ProxyEndpoint[]>;

const NO_HINTS: readonly string[] = [];
const NONE: EndpointsByPort = new Map();

/**
 * The endpoints of a Service by port, from its slices (P-010 to P-012). Of two slices that list one `ip:port` with different
 * conditions, the later name wins unless it is terminating. The same object for the same slices.
 * Source: pkg/proxy/endpointslicecache.go, endpointInfoByServicePort, addEndpoints.
 */
export function endpointsOf(slices: readonly EndpointSliceObject[]): EndpointsByPort {
  const [first, ...others] = slices;
  if (!first) return NONE;
  if (others.length === 0) return endpointsOfSlice(first);
  const inOrder = [...slices].sort((a, b) => (a.meta.name < b.meta.name ? -1 : 1));
  const merges = mergesWith(inOrder.reduce(newer));
  const known = merges.find((merge) => sameList(merge.slices, inOrder));
  if (known) return known.endpoints;
  const endpoints = merged(inOrder);
  merges.push({ slices: inOrder, endpoints });
  return endpoints;
}

interface Merge {
  readonly slices: readonly EndpointSliceObject[];
  readonly endpoints: EndpointsByPort;
}

/** Merges in which this slice is the newest: most proxies see it beside the same others. */
const mergesWith = memoizedWeakly((_newest: EndpointSliceObject): Merge[] => []);

const newer = (a: EndpointSliceObject, b: EndpointSliceObject): EndpointSliceObject =>
  a.meta.resourceVersion > b.meta.resourceVersion ? a : b;

function merged(slices: readonly EndpointSliceObject[]): EndpointsByPort {
  const byPort = new Map<string, Map<string, ProxyEndpoint>>();
  for (const slice of slices) {
    for (const [port, endpoints] of endpointsOfSlice(slice)) addAll(byPort, port, endpoints);
  }
  return sorted(byPort);
}

/** Slices are immutable and every proxy reads the same ones: each is read once. */
const endpointsOfSlice = memoizedWeakly((slice: EndpointSliceObject): EndpointsByPort => {
  const byPort = new Map<string, Map<string, ProxyEndpoint>>();
  for (const port of slice.ports) {
    if (port.port === 0) continue;
    const endpoints = slice.endpoints.filter(({ addresses }) => addresses.length > 0);
    addAll(
      byPort,
      portKey(port),
      endpoints.map((endpoint) => proxyEndpoint(endpoint, port.port)),
    );
  }
  return sorted(byPort);
});

/** Most endpoints of a version of a slice are those of the version before. By port. */
const knownEndpoints = new WeakMap<Endpoint, Map<number, ProxyEndpoint>>();

function proxyEndpoint(endpoint: Endpoint, port: number): ProxyEndpoint {
  let byPort = knownEndpoints.get(endpoint);
  if (!byPort) {
    byPort = new Map();
    knownEndpoints.set(endpoint, byPort);
  }
  const read = byPort.get(port);
  if (read) return read;
  const ip = canonicalIp(endpoint.addresses[0] ?? '');
  const made: ProxyEndpoint = {
    ip,
    address: hostPort(ip, port),
    node: endpoint.nodeName,
    ready: endpoint.ready ?? true,
    serving: endpoint.serving ?? true,
    terminating: endpoint.terminating ?? false,
    zoneHints: endpoint.hints?.zones ?? NO_HINTS,
    nodeHints: endpoint.hints?.nodes ?? NO_HINTS,
  };
  byPort.set(port, made);
  return made;
}

/** A later endpoint of the same address wins unless it is terminating (P-011). */
function addAll(
  byPort: Map<string, Map<string, ProxyEndpoint>>,
  port: string,
  endpoints: readonly ProxyEndpoint[],
): void {
  let set = byPort.get(port);
  if (!set) {
    set = new Map();
    byPort.set(port, set);
  }
  for (const endpoint of endpoints) {
    if (!endpoint.terminating || !set.has(endpoint.address)) set.set(endpoint.address, endpoint);
  }
}

function sorted(byPort: ReadonlyMap<string, ReadonlyMap<string, ProxyEndpoint>>): EndpointsByPort {
  const lists = new Map<string, readonly ProxyEndpoint[]>();
  for (const [port, set] of byPort) {
    if (set.size > 0) lists.set(port, [...set.values()].sort(byAddress));
  }
  return lists;
}

/** By the bytes of the address; addresses are ASCII. */
const byAddress = (a: ProxyEndpoint, b: ProxyEndpoint): number =>
  a.address < b.address ? -1 : a.address > b.address ? 1 : 0;
