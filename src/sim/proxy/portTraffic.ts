import type { Selection } from './endpointSelection.ts';
import {
  isExternallyAccessible,
  type ServicePortInfo,
  usesClusterEndpoints,
  usesLocalEndpoints,
} from './servicePort.ts';

/** What follows from the endpoints of a port for its traffic, before any rule is written (P-054). */
export interface PortTraffic {
  /** Connections are spread over the Cluster list, the Local list. */
  readonly usesCluster: boolean;
  readonly usesLocal: boolean;
  /** There is somewhere to go for the cluster IP; from outside for the other addresses. */
  readonly hasInternal: boolean;
  readonly hasExternal: boolean;
  /** The addresses for outside have rules of their own, if only for the node's own traffic. */
  readonly usesExternal: boolean;
}

/** Source: pkg/proxy/iptables/proxier.go, syncProxyRules; the same in nftables. */
export const trafficOf = (port: ServicePortInfo, { cluster, local, hasAny }: Selection): PortTraffic => ({
  usesCluster: cluster.length > 0 && usesClusterEndpoints(port),
  usesLocal: local.length > 0 && usesLocalEndpoints(port),
  hasInternal: hasAny && !(port.internalPolicyLocal && local.length === 0),
  hasExternal: hasAny && !(port.externalPolicyLocal && local.length === 0),
  usesExternal: hasAny && isExternallyAccessible(port),
});
