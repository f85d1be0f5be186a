import { hostPort } from '../address.ts';
import type { Selection } from '../endpointSelection.ts';
import type { ModeContext, ProxiedService } from '../mode.ts';
import type { Frontend, ServiceRules } from '../rules.ts';
import { portKey, type ServicePortInfo } from '../servicePort.ts';

/**
 * The virtual servers of a Service with their real ones. `nodeIp`: the address that node ports listen on (P-042).
 * Source: pkg/proxy/ipvs/proxier.go, syncProxyRules, syncEndpoint.
 */
export function planService(
  { key, ports, endpoints }: ProxiedService,
  select: ModeContext['select'],
  nodeIp: string,
): ServiceRules {
  const frontends = ports.flatMap((port) =>
    virtualServers(port, select(port, endpoints.get(portKey(port)) ?? []), nodeIp),
  );
  return { service: key, frontends };
}

/** Where a Local policy finds nothing on the node, all endpoints take its place. */
function virtualServers(port: ServicePortInfo, { cluster, local }: Selection, nodeIp: string): readonly Frontend[] {
  const backendsOf = (isLocal: boolean): readonly string[] =>
    (isLocal && local.length > 0 ? local : cluster).map(({ address }) => address);
  const server = (kind: Frontend['kind'], ip: string, number: number, backends: readonly string[]): Frontend => ({
    frontend: `${hostPort(ip, number)}/${port.protocol.toLowerCase()}`,
    kind,
    port: port.name,
    verdict: backends.length > 0 ? 'dnat' : 'noRealServer',
    backends,
    ...(backends.length > 0 && { weights: backends.map(() => 1) }),
    ...(port.affinitySeconds !== null && { affinitySeconds: port.affinitySeconds }),
  });
  const external = backendsOf(port.externalPolicyLocal);
  return [
    server('clusterIP', port.clusterIP, port.port, backendsOf(port.internalPolicyLocal)),
    ...port.externalIPs.map((ip) => server('externalIP', ip, port.port, external)),
    ...port.loadBalancerVIPs.map((ip) => server('loadBalancer', ip, port.port, external)),
    ...(port.nodePort === 0 ? [] : [server('nodePort', nodeIp, port.nodePort, external)]),
  ];
}
