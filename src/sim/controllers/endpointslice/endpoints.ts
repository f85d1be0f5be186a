import { canonicalIp } from '../../../base/ipAddress.ts';
import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import {
  type Endpoint,
  type EndpointPort,
  familyOf,
  type IpFamily,
  LABEL,
  type NodeObject,
  type ServiceObject,
} from '../../api/objects.ts';
import { isTerminal } from '../../api/podStatus.ts';
import { findPort } from '../shared/findPort.ts';
import { portMapKey, sortedSlicePorts } from '../shared/portHash.ts';

/** Endpoints have `serving` and `terminating`, and slices hold terminating Pods, from here on (KEP-1672). */
const TERMINATING_SINCE = 22;

/** Ports that endpoints of one slice have in common. */
export interface PortGroup {
  readonly key: string;
  /** In the order of their hashes. */
  readonly ports: readonly EndpointPort[];
}

/** Whether a Pod stands in its Services' slices (C-201). Source: util/controller_utils.go, ShouldPodBeInEndpoints. */
export function isListed({ status, deletionTimestamp }: ApiPod, { spec }: ServiceObject, minor: number): boolean {
  if (isTerminal(status.phase) || status.podIPs.length === 0) return false;
  return deletionTimestamp === null || minor >= TERMINATING_SINCE || spec.publishNotReadyAddresses;
}

/**
 * A Pod as an endpoint of one address type, without hints; without addresses when it has none of that family (C-202,
 * C-203). Source: k8s.io/endpointslice utils.go, podToEndpoint.
 */
export function endpointOf(
  pod: ApiPod,
  node: NodeObject | undefined,
  service: ServiceObject,
  family: IpFamily,
  minor: number,
): Endpoint {
  const { input, status } = pod;
  const serving = isPodReady(pod);
  const terminating = pod.deletionTimestamp !== null;
  const hasBoth = minor >= TERMINATING_SINCE;
  const isNamed = input.hostname !== '' && input.subdomain === service.meta.name;
  return {
    addresses: status.podIPs
      .filter((ip) => familyOf(ip) === family)
      .map(canonicalIp)
      .sort(),
    ready: service.spec.publishNotReadyAddresses || (serving && !terminating),
    serving: hasBoth ? serving : null,
    terminating: hasBoth ? terminating : null,
    hostname: isNamed ? input.hostname : '',
    nodeName: input.node || null,
    zone: node?.meta.labels[LABEL.zone] || null,
    hints: null,
    targetRef: { namespace: input.namespace, name: input.name, uid: input.uid },
  };
}

/** Port groups of each version of a Service, by the numbers that its ports lead to. */
const groupsOfService = new WeakMap<ServiceObject, Map<string, PortGroup>>();

/**
 * The Service's ports as they are in a Pod: one that the Pod has not is left out, the Pod stays (C-205).
 * Source: k8s.io/endpointslice utils.go, getEndpointPorts.
 */
export function portGroupOf(service: ServiceObject, pod: ApiPod): PortGroup {
  const numbers = service.spec.ports.map((port) => findPort(pod.input, port));
  const groups = groupsOfService.get(service) ?? new Map<string, PortGroup>();
  groupsOfService.set(service, groups);
  const text = numbers.join();
  const known = groups.get(text);
  if (known) return known;
  const ports = sortedSlicePorts(
    service.spec.ports.flatMap(({ name, protocol, appProtocol }, place) => {
      const port = numbers[place] ?? null;
      return port === null ? [] : [{ name, port, protocol, appProtocol }];
    }),
  );
  const group = { key: portKeyOf(ports), ports };
  groups.set(text, group);
  return group;
}

const keysOfPorts = new WeakMap<readonly EndpointPort[], string>();

/** What slices with the same ports have in common (C-206). */
export function portKeyOf(ports: readonly EndpointPort[]): string {
  const known = keysOfPorts.get(ports);
  if (known !== undefined) return known;
  const key = portMapKey(sortedSlicePorts(ports));
  keysOfPorts.set(ports, key);
  return key;
}
