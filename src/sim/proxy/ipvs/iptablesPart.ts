import { rangeContains } from '../address.ts';
import type { ServicePortInfo } from '../servicePort.ts';

/** ipsets that decide whether a rule is written (ipsetWithIptablesChain). */
type SetName =
  | 'loopBack'
  | 'clusterIP'
  | 'externalIP'
  | 'externalIPLocal'
  | 'loadBalancer'
  | 'loadBalancerLocal'
  | 'loadBalancerSourceRanges'
  | 'loadBalancerSourceIP'
  | `nodePort${'' | 'Local'}${'TCP' | 'UDP' | 'SCTP'}`;

/** Chains of the two tables (iptablesChains). */
const NAT_CHAINS = 5;
const FILTER_CHAINS = 6;
/** Rules that are written always. */
const NAT_RULES = 7;
const FILTER_RULES = 10;
/** Rules that a set has once it is not empty; no more than one but for these. */
const NAT_RULES_OF: Partial<Record<SetName, number>> = {
  // Masquerade and accept.
  clusterIP: 2,
  loadBalancer: 2,
  // Accept what comes from elsewhere, and what is for this node; masquerade under Cluster policy.
  externalIP: 3,
  externalIPLocal: 2,
};
/** The firewall chain, and its exceptions. */
const FILTER_RULES_OF: Partial<Record<SetName, number>> = { loadBalancerSourceRanges: 2, loadBalancerSourceIP: 1 };

/**
 * The size of what the ipvs mode gives to iptables-restore: rules that match ipsets, hence hardly any for a Service.
 * Source: pkg/proxy/ipvs/proxier.go, writeIptablesRules, createAndLinkKubeChain.
 */
export class IptablesPart {
  private readonly sets = new Set<SetName>();
  private readonly nodeIp: string;
  private lbNoNodeAccess = 0;

  constructor(nodeIp: string) {
    this.nodeIp = nodeIp;
  }

  /** Adds what a port needs; `hasLocal`: an endpoint of its Service, in whatever condition, is on this node. */
  add(port: ServicePortInfo, hasLocal: boolean): void {
    const isLocal = port.externalPolicyLocal;
    if (hasLocal) this.sets.add('loopBack');
    this.sets.add('clusterIP');
    if (port.externalIPs.length > 0) this.sets.add(isLocal ? 'externalIPLocal' : 'externalIP');
    if (port.loadBalancerVIPs.length > 0) {
      this.sets.add('loadBalancer');
      if (isLocal) this.sets.add('loadBalancerLocal');
      if (port.sourceRanges.length > 0) this.addSourceRanges(port);
    }
    if (port.nodePort !== 0) {
      this.sets.add(`nodePort${port.protocol}`);
      if (isLocal) this.sets.add(`nodePortLocal${port.protocol}`);
    }
  }

  private addSourceRanges(port: ServicePortInfo): void {
    this.sets.add('loadBalancerSourceRanges');
    if (port.sourceRanges.some((range) => rangeContains(range, this.nodeIp))) this.sets.add('loadBalancerSourceIP');
    else this.lbNoNodeAccess += port.loadBalancerVIPs.length;
  }

  /** Chains and rules of each table, and the lines of the whole input with its table headers and ends. */
  size(): { natChains: number; natRules: number; filterChains: number; filterRules: number; lines: number } {
    let natRules = NAT_RULES;
    let filterRules = FILTER_RULES + this.lbNoNodeAccess;
    for (const set of this.sets) {
      const filter = FILTER_RULES_OF[set];
      if (filter === undefined) natRules += NAT_RULES_OF[set] ?? 1;
      else filterRules += filter;
    }
    const lines = NAT_CHAINS + natRules + FILTER_CHAINS + filterRules + 4;
    return { natChains: NAT_CHAINS, natRules, filterChains: FILTER_CHAINS, filterRules, lines };
  }
}
