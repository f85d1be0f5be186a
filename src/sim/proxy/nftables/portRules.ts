import type { Selection } from '../endpointSelection.ts';
import { type PortTraffic, trafficOf } from '../portTraffic.ts';
import type { ServicePortInfo } from '../servicePort.ts';

/** What one port of a Service has in the table, whatever the node, and what writing it takes. */
export interface PortRules {
  readonly chains: readonly string[];
  /** One for each endpoint that remembers its clients (P-040). */
  readonly affinitySets: readonly string[];
  /** Elements of the table's maps and sets: `map key` and what it leads to, '' in a set. */
  readonly elements: readonly (readonly [key: string, value: string])[];
  /** Operations of a transaction: each chain is added and flushed, each affinity set and each rule is added. */
  readonly operations: number;
}

/**
 * Chains, sets, elements and rules of a service port (P-040, P-054). `detectsLocalPods`: the proxy can tell their traffic.
 * Source: pkg/proxy/nftables/proxier.go syncProxyRules, writeServiceToEndpointRules.
 */
export function portRules(port: ServicePortInfo, endpoints: Selection, detectsLocalPods: boolean): PortRules {
  const traffic = trafficOf(port, endpoints);
  const base = `${port.service}/${port.protocol.toLowerCase()}/${port.name}`;
  const sticky = port.affinitySeconds !== null ? endpoints.reachable.map(({ address }) => `${base}__${address}`) : [];
  const chains = sticky.map((name) => `endpoint-${name}`);
  if (traffic.usesCluster) chains.push(`service-${base}`);
  if (traffic.usesLocal) chains.push(`local-${base}`);
  if (traffic.usesExternal) chains.push(`external-${base}`);
  if (hasFirewall(port)) chains.push(`firewall-${base}`);
  const rules = ruleCount(port, endpoints, traffic, detectsLocalPods);
  return {
    chains,
    affinitySets: sticky.map((name) => `affinity-${name}`),
    elements: elementsOf(port, endpoints.hasAny, traffic, base),
    operations: 2 * chains.length + sticky.length + rules,
  };
}

const hasFirewall = ({ loadBalancerVIPs, sourceRanges }: ServicePortInfo): boolean =>
  loadBalancerVIPs.length > 0 && sourceRanges.length > 0;

function ruleCount(
  port: ServicePortInfo,
  { cluster, local, reachable }: Selection,
  { usesCluster, usesLocal, hasExternal, usesExternal }: PortTraffic,
  detectsLocalPods: boolean,
): number {
  const isSticky = port.affinitySeconds !== null;
  // A balancing rule, and with affinity one look-up for each endpoint before it.
  const policy = (n: number): number => 1 + (isSticky ? n : 0);
  let rules = 0;
  if (usesCluster) rules += policy(cluster.length);
  if (usesLocal) rules += policy(local.length);
  // Its endpoint chains remember the client, then translate.
  if (isSticky) rules += 2 * reachable.length;
  if (hasFirewall(port)) rules += 1;
  if (usesExternal) {
    // Masquerade; under local policy only what the node itself sends, which is cut short, as its Pods' traffic is.
    rules += port.externalPolicyLocal ? (detectsLocalPods ? 3 : 2) : 1;
    if (hasExternal) rules += 1;
  }
  return rules;
}

function elementsOf(
  port: ServicePortInfo,
  hasAny: boolean,
  { hasInternal, hasExternal }: PortTraffic,
  base: string,
): (readonly [string, string])[] {
  const protocol = port.protocol.toLowerCase();
  const elements: (readonly [string, string])[] = [[`cluster-ips ${port.clusterIP}`, '']];
  const verdict = hasAny ? 'drop' : 'goto reject-chain';
  const external = `goto external-${base}`;
  const destination = (ip: string): string => `${ip} . ${protocol} . ${port.port}`;
  const internal = `goto ${port.internalPolicyLocal ? 'local' : 'service'}-${base}`;
  elements.push(
    hasInternal
      ? [`service-ips ${destination(port.clusterIP)}`, internal]
      : [`no-endpoint-services ${destination(port.clusterIP)}`, verdict],
  );
  for (const ip of [...port.externalIPs, ...port.loadBalancerVIPs]) {
    if (hasAny) elements.push([`service-ips ${destination(ip)}`, external]);
    if (!hasExternal) elements.push([`no-endpoint-services ${destination(ip)}`, verdict]);
  }
  if (hasFirewall(port)) {
    for (const ip of port.loadBalancerVIPs) elements.push([`firewall-ips ${destination(ip)}`, `goto firewall-${base}`]);
  }
  if (port.nodePort !== 0) {
    const nodePort = `${protocol} . ${port.nodePort}`;
    if (hasAny) elements.push([`service-nodeports ${nodePort}`, external]);
    if (!hasExternal) elements.push([`no-endpoint-nodeports ${nodePort}`, verdict]);
  }
  return elements;
}
