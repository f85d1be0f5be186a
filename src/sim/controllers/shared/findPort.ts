import type { ServicePort } from '../../api/objects.ts';
import type { PodInput } from '../../scenario.ts';

/**
 * The port of a Pod that a Service's port leads to: a number is itself; a name is looked up by name and protocol in the
 * containers, then in the sidecars (C-121). Null: the Pod has none of that name.
 * Source: k8s.io/endpointslice/utils.go FindPort; pkg/api/v1/pod/util.go FindPort.
 */
export function findPort(
  { containers, initContainers }: Pick<PodInput, 'containers' | 'initContainers'>,
  { targetPort, protocol }: Pick<ServicePort, 'targetPort' | 'protocol'>,
): number | null {
  if (typeof targetPort === 'number') return targetPort;
  for (const { ports } of [...containers, ...initContainers.filter(({ isSidecar }) => isSidecar)]) {
    const found = ports.find((port) => port.name === targetPort && port.protocol === protocol);
    if (found) return found.containerPort;
  }
  return null;
}
