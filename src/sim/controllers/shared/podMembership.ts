import type { ApiPod } from '../../api/apiPod.ts';
import type { ServiceObject } from '../../api/objects.ts';
import { isTerminal } from '../../api/podStatus.ts';

/**
 * Whether a Pod is an endpoint at all: it has an address, has not ended, and is not being deleted unless that is asked
 * for (C-120, C-201). Source: k8s.io/endpointslice/util/controller_utils.go ShouldPodBeInEndpoints.
 */
export function shouldBeEndpoint({ status, deletionTimestamp }: ApiPod, includesTerminating: boolean): boolean {
  if (isTerminal(status.phase) || status.podIPs.length === 0) return false;
  return includesTerminating || deletionTimestamp === null;
}

/** The name under which a Pod is known in a Service's domain; '' without one. Source: controller_utils.go ShouldSetHostname. */
export const hostnameIn = ({ meta }: ServiceObject, { input }: ApiPod): string =>
  input.subdomain === meta.name && input.namespace === meta.namespace ? input.hostname : '';
