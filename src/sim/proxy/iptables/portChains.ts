import { familyOf } from '../../api/objects.ts';
import { NODE_IP, rangeContains } from '../address.ts';
import type { Selection } from '../endpointSelection.ts';
import { type PortTraffic, trafficOf } from '../portTraffic.ts';
import type { ServicePortInfo } from '../servicePort.ts';

/** What one port of a Service takes in the input of iptables-restore, in lines. */
export interface PortChains {
  /** In chains of kube-proxy that all Services share; these are written by every sync. */
  readonly sharedNatRules: number;
  readonly sharedFilterRules: number;
  /** Chains of its own, by name, and the rules in them; a partial sync leaves out those of Services that did not change (P-030). */
  readonly chains: readonly string[];
  readonly rules: number;
}

/**
 * Chains and rules of a port of a Service (P-054).
 * Source: pkg/proxy/iptables/proxier.go, syncProxyRules, writeServiceToEndpointRules.
 */
export function portChains(port: ServicePortInfo, selection: Selection, detectsLocalPods: boolean): PortChains {
  const { hasAny } = selection;
  const traffic = trafficOf(port, selection);
  const usesFirewall = hasAny && port.loadBalancerVIPs.length > 0 && port.sourceRanges.length > 0;
  const externalAddresses = port.externalIPs.length + port.loadBalancerVIPs.length + (port.nodePort > 0 ? 1 : 0);
  return {
    sharedNatRules: (traffic.hasInternal ? 1 : 0) + (hasAny ? externalAddresses : 0),
    sharedFilterRules:
      (traffic.hasInternal ? 0 : 1) +
      (traffic.hasExternal ? 0 : externalAddresses) +
      (usesFirewall ? port.loadBalancerVIPs.length : 0) +
      (port.healthCheckNodePort > 0 ? 1 : 0),
    chains: chainNames(port, selection, traffic, usesFirewall),
    rules:
      (traffic.hasInternal && detectsLocalPods ? 1 : 0) +
      externalRules(port, traffic, detectsLocalPods) +
      (usesFirewall ? firewallRules(port) : 0) +
      policyRules(port, selection, traffic),
  };
}

/** Names hold what the real ones are a hash of. */
function chainNames(
  port: ServicePortInfo,
  { reachable }: Selection,
  { usesExternal, usesCluster, usesLocal }: PortTraffic,
  usesFirewall: boolean,
): readonly string[] {
  const name = `${port.service}:${port.name}/${port.protocol}`;
  const chains: string[] = [];
  if (usesExternal) chains.push(`EXT ${name}`);
  if (usesFirewall) chains.push(`FW ${name}`);
  if (usesCluster) chains.push(`SVC ${name}`);
  if (usesLocal) chains.push(`SVL ${name}`);
  for (const { address } of reachable) chains.push(`SEP ${name} ${address}`);
  return chains;
}

/** Masquerade; under the Local policy only what the node itself sends, which is sent on as by Cluster, as its Pods' is. */
function externalRules(
  port: ServicePortInfo,
  { usesExternal, hasExternal }: PortTraffic,
  detectsLocalPods: boolean,
): number {
  if (!usesExternal) return 0;
  const first = port.externalPolicyLocal ? 2 + (detectsLocalPods ? 1 : 0) : 1;
  return first + (hasExternal ? 1 : 0);
}

/** One for each range, one for each address if the node itself is in a range, and a comment. */
function firewallRules({ sourceRanges, loadBalancerVIPs, clusterIP }: ServicePortInfo): number {
  const isNodeIn = sourceRanges.some((range) => rangeContains(range, NODE_IP[familyOf(clusterIP)]));
  return sourceRanges.length + (isNodeIn ? loadBalancerVIPs.length : 0) + 1;
}

/** A choice for each endpoint of a list, a look-up more with affinity; masquerade and DNAT in the chain of each endpoint. */
function policyRules(port: ServicePortInfo, selection: Selection, { usesCluster, usesLocal }: PortTraffic): number {
  const choices = (usesCluster ? selection.cluster.length : 0) + (usesLocal ? selection.local.length : 0);
  return choices * (port.affinitySeconds === null ? 1 : 2) + 2 * selection.reachable.length;
}
