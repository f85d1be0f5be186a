import { PROXY_SINCE } from '../facts.ts';
import type { ProxyEndpoint } from './endpoints.ts';
import { type ServicePortInfo, usesClusterEndpoints, usesLocalEndpoints } from './servicePort.ts';

/** Where a proxy runs: its node, and that node's zone label; '' without one. */
export interface Place {
  readonly node: string;
  readonly zone: string;
}

/** The endpoints of one port that a node uses. */
export interface Selection {
  /** For the Cluster policy; empty when the port never uses it. */
  readonly cluster: readonly ProxyEndpoint[];
  /** For the Local policy; empty when the port never uses it. */
  readonly local: readonly ProxyEndpoint[];
  /** Those of either list, each once. */
  readonly reachable: readonly ProxyEndpoint[];
  /** Whether there is a usable endpoint anywhere in the cluster. */
  readonly hasAny: boolean;
}

const NOTHING: Selection = { cluster: [], local: [], reachable: [], hasAny: false };

const isReady = ({ ready }: ProxyEndpoint): boolean => ready;
const isFallback = ({ serving, terminating }: ProxyEndpoint): boolean => serving && terminating;

/**
 * Chooses the endpoints that a node uses for a port of a Service: ready ones, and only where there is none of these, those
 * that serve while they terminate; for the Cluster and the Local policy each on its own (P-050 to P-053).
 * Source: pkg/proxy/topology.go, CategorizeEndpoints.
 */
export function selectEndpoints(
  port: ServicePortInfo,
  endpoints: readonly ProxyEndpoint[],
  place: Place,
  minor: number,
): Selection {
  if (endpoints.length === 0) return NOTHING;
  const hasFallback = minor >= PROXY_SINCE.terminatingFallback;
  const usesCluster = usesClusterEndpoints(port);
  const isPreferred = usesCluster ? preferredBy(endpoints, place, minor) : null;
  const ready = usesCluster ? endpoints.filter((one) => one.ready && (!isPreferred || isPreferred(one))) : [];
  const cluster = usesCluster && ready.length === 0 && hasFallback ? endpoints.filter(isFallback) : ready;
  if (!usesLocalEndpoints(port)) return { cluster, local: [], reachable: cluster, hasAny: cluster.length > 0 };
  const here = endpoints.filter(({ node }) => node === place.node);
  const readyHere = here.filter(isReady);
  const local = readyHere.length === 0 && hasFallback ? here.filter(isFallback) : readyHere;
  const reachable = usesCluster ? union(cluster, local) : local;
  const hasAny = endpoints.some((one) => one.ready || (hasFallback && isFallback(one)));
  return { cluster, local, reachable, hasAny };
}

/**
 * What hints prefer: this node, if all ready endpoints have node hints and one names it; else this node's zone in the same
 * way; null for no preference (P-053). Source: topologyModeFromHints.
 */
function preferredBy(
  endpoints: readonly ProxyEndpoint[],
  { node, zone }: Place,
  minor: number,
): ((endpoint: ProxyEndpoint) => boolean) | null {
  const named = (hints: (endpoint: ProxyEndpoint) => readonly string[], name: string): boolean => {
    let isNamed = false;
    for (const endpoint of endpoints) {
      if (!endpoint.ready) continue;
      const all = hints(endpoint);
      if (all.length === 0) return false;
      if (all.includes(name)) isNamed = true;
    }
    return isNamed;
  };
  if (minor >= PROXY_SINCE.nodeHints && named((one) => one.nodeHints, node))
    return (one) => one.nodeHints.includes(node);
  if (minor >= PROXY_SINCE.zoneHints && named((one) => one.zoneHints, zone))
    return (one) => one.zoneHints.includes(zone);
  return null;
}

function union(cluster: readonly ProxyEndpoint[], local: readonly ProxyEndpoint[]): readonly ProxyEndpoint[] {
  const more = local.filter((one) => !cluster.includes(one));
  return more.length === 0 ? cluster : [...cluster, ...more];
}
