import { canonicalIp } from '../../base/ipAddress.ts';
import { familyOf, type IpFamily, keyOf, type Protocol, type ServiceObject } from '../api/objects.ts';
import { PROXY_SINCE } from '../facts.ts';
import { isZeroRange } from './address.ts';

/**
 * One port of a Service as a proxier of one family sees it: all that its rules depend on.
 * Source: pkg/proxy/serviceport.go, BaseServicePortInfo.
 */
export interface ServicePortInfo {
  /** `namespace/name` of the Service. */
  readonly service: string;
  /** Name of the port; '' without one. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly clusterIP: string;
  readonly port: number;
  /** 0 when there is none. */
  readonly nodePort: number;
  readonly externalIPs: readonly string[];
  /** Ingress addresses of ipMode VIP (P-055). */
  readonly loadBalancerVIPs: readonly string[];
  /** Empty: from everywhere. */
  readonly sourceRanges: readonly string[];
  /** 0 when there is none. */
  readonly healthCheckNodePort: number;
  readonly externalPolicyLocal: boolean;
  readonly internalPolicyLocal: boolean;
  /** Null without ClientIP affinity. */
  readonly affinitySeconds: number | null;
}

/** Services are immutable and every proxy reads the same ones: each is read once. */
const known = new WeakMap<ServiceObject, Map<string, readonly ServicePortInfo[]>>();

/** `readPorts`, the same list each time. */
export function servicePortsOf(service: ServiceObject, family: IpFamily, minor: number): readonly ServicePortInfo[] {
  let lists = known.get(service);
  if (!lists) {
    lists = new Map();
    known.set(service, lists);
  }
  const key = `${family} ${minor}`;
  let ports = lists.get(key);
  if (!ports) {
    ports = readPorts(service, family, minor);
    lists.set(key, ports);
  }
  return ports;
}

/**
 * The ports of a Service for one family; none for what kube-proxy leaves alone: headless, ExternalName, no cluster IP of
 * the family (P-004). Source: pkg/proxy/servicechangetracker.go, serviceToServiceMap; serviceport.go, newBaseServiceInfo.
 */
function readPorts(service: ServiceObject, family: IpFamily, minor: number): readonly ServicePortInfo[] {
  const { spec } = service;
  if (spec.clusterIP === '' || spec.clusterIP === 'None' || spec.type === 'ExternalName') return [];
  const clusterIP = spec.clusterIPs.find((ip) => familyOf(ip) === family);
  if (clusterIP === undefined) return [];
  const ofFamily = (ips: readonly string[]): readonly string[] =>
    ips.filter((ip) => familyOf(ip) === family).map(canonicalIp);
  const externalIPs = ofFamily(spec.externalIPs);
  const vips = spec.loadBalancerIngress.filter(({ ipMode }) => ipMode === 'VIP').map(({ ip }) => ip);
  const ranges = spec.loadBalancerSourceRanges.map((range) => range.trim()).filter((r) => familyOf(r) === family);
  const isExternal = spec.type === 'NodePort' || spec.type === 'LoadBalancer' || spec.externalIPs.length > 0;
  const externalPolicyLocal = isExternal && spec.externalTrafficPolicy === 'Local';
  const needsHealthCheck = spec.type === 'LoadBalancer' && externalPolicyLocal;
  const shared = {
    service: keyOf(service),
    clusterIP: canonicalIp(clusterIP),
    externalIPs,
    loadBalancerVIPs: ofFamily(vips.filter((ip) => ip !== '')),
    sourceRanges: ranges.some(isZeroRange) ? [] : ranges,
    healthCheckNodePort: needsHealthCheck ? spec.healthCheckNodePort : 0,
    externalPolicyLocal,
    internalPolicyLocal: minor >= PROXY_SINCE.internalPolicy && spec.internalTrafficPolicy === 'Local',
    affinitySeconds: spec.affinitySeconds,
  };
  return spec.ports.map(({ name, protocol, port, nodePort }) => ({ ...shared, name, protocol, port, nodePort }));
}

/** Name of a port of a Service within the maps of a proxier; the slices' ports have the same. */
export const portKey = ({ name, protocol }: { readonly name: string; readonly protocol: Protocol }): string =>
  `${name}/${protocol}`;

/** Whether the port can be reached by something else than the cluster IP. */
export const isExternallyAccessible = (port: ServicePortInfo): boolean =>
  port.nodePort !== 0 || port.loadBalancerVIPs.length > 0 || port.externalIPs.length > 0;

/** Whether the port ever sends traffic by the Cluster policy (P-050). */
export const usesClusterEndpoints = (port: ServicePortInfo): boolean =>
  !port.internalPolicyLocal || isExternallyAccessible(port);

/** Whether the port ever sends traffic by the Local policy (P-050). */
export const usesLocalEndpoints = (port: ServicePortInfo): boolean =>
  port.internalPolicyLocal || (port.externalPolicyLocal && isExternallyAccessible(port));
