import { memoizedWeakly } from '../../../base/memoized.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import type { EndpointPort, ServiceObject } from '../../api/objects.ts';
import { findPort } from '../shared/findPort.ts';
import { portMapKey, sortedSlicePorts } from '../shared/portHash.ts';

/** Ports that endpoints of one slice have in common. */
export interface PortGroup {
  readonly key: string;
  /** In the order of their hashes. */
  readonly ports: readonly EndpointPort[];
}

/** Port groups of each version of a Service, by the numbers that its ports lead to. */
const groupsOf = memoizedWeakly((_service: ServiceObject) => new Map<string, PortGroup>());

/**
 * The Service's ports as they are in a Pod: one that the Pod has not is left out, the Pod stays (C-205).
 * Source: k8s.io/endpointslice utils.go, getEndpointPorts.
 */
export function portGroupOf(service: ServiceObject, pod: ApiPod): PortGroup {
  const numbers = service.spec.ports.map((port) => findPort(pod.input, port));
  const groups = groupsOf(service);
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

/** What slices with the same ports have in common (C-206). */
export const portKeyOf = memoizedWeakly((ports: readonly EndpointPort[]) => portMapKey(sortedSlicePorts(ports)));
