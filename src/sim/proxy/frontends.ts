import { hostPort } from './address.ts';
import type { Selection } from './endpointSelection.ts';
import type { ProxyEndpoint } from './endpoints.ts';
import { type PortTraffic, trafficOf } from './portTraffic.ts';
import type { Frontend, Target } from './rules.ts';
import type { ServicePortInfo } from './servicePort.ts';

/** What of a proxier's mode and settings shows in the rules. */
export interface FrontendOptions {
  /** It can tell the traffic of its node's Pods. */
  readonly detectsLocalPods: boolean;
  /** Source ranges of a load balancer are looked at also while the Service has no endpoint. */
  readonly checksRangesWithoutEndpoints: boolean;
}

/**
 * The rules for all addresses of a port, as iptables and nftables write them (P-054).
 * Source: pkg/proxy/iptables/proxier.go, syncProxyRules.
 */
export function frontendsOf(
  port: ServicePortInfo,
  selection: Selection,
  options: FrontendOptions,
): readonly Frontend[] {
  const traffic = trafficOf(port, selection);
  const protocol = port.protocol.toLowerCase();
  const at = (ip: string): string => `${hostPort(ip, port.port)}/${protocol}`;
  const external = externalRules(port, selection, traffic, options);
  const ranges =
    port.sourceRanges.length > 0 && (selection.hasAny || options.checksRangesWithoutEndpoints)
      ? { sourceRanges: port.sourceRanges }
      : {};
  const { name } = port;
  return [
    { frontend: at(port.clusterIP), kind: 'clusterIP', port: name, ...internalRules(port, selection, traffic) },
    ...port.externalIPs.map((ip) => ({ frontend: at(ip), kind: 'externalIP', port: name, ...external }) as const),
    ...port.loadBalancerVIPs.map(
      (ip) => ({ frontend: at(ip), kind: 'loadBalancer', port: name, ...external, ...ranges }) as const,
    ),
    ...(port.nodePort > 0
      ? [{ frontend: `nodePort:${port.nodePort}/${protocol}`, kind: 'nodePort', port: name, ...external } as const]
      : []),
  ];
}

type Rules = Omit<Frontend, 'frontend' | 'kind' | 'port'>;

function internalRules(port: ServicePortInfo, { cluster, local, hasAny }: Selection, traffic: PortTraffic): Rules {
  return balanced(port, traffic.hasInternal ? (port.internalPolicyLocal ? local : cluster) : null, hasAny);
}

/** From outside; under the Local policy the node itself and its Pods are sent to the Cluster list. */
function externalRules(
  port: ServicePortInfo,
  { cluster, local, hasAny }: Selection,
  { hasExternal }: PortTraffic,
  { detectsLocalPods }: FrontendOptions,
): Rules {
  const rules = balanced(port, hasExternal ? (port.externalPolicyLocal ? local : cluster) : null, hasAny);
  if (!port.externalPolicyLocal || !hasAny) return rules;
  const shortCut = targetOf(cluster, hasAny);
  return { ...rules, fromNode: shortCut, ...(detectsLocalPods && { fromLocalPods: shortCut }) };
}

function balanced(port: ServicePortInfo, endpoints: readonly ProxyEndpoint[] | null, hasAny: boolean): Rules {
  const target = targetOf(endpoints, hasAny);
  const isSticky = target.verdict === 'dnat' && port.affinitySeconds !== null;
  return isSticky ? { ...target, affinitySeconds: port.affinitySeconds } : target;
}

/** Null endpoints: nobody for this traffic; then it matters whether there is one for other traffic. */
const targetOf = (endpoints: readonly ProxyEndpoint[] | null, hasAny: boolean): Target =>
  endpoints
    ? { verdict: 'dnat', backends: endpoints.map(({ address }) => address) }
    : { verdict: hasAny ? 'drop' : 'reject', backends: [] };
