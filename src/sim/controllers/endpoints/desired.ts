import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import {
  type EndpointAddress,
  type EndpointPort,
  familyOf,
  type IpFamily,
  type ServiceObject,
  type ServicePort,
} from '../../api/objects.ts';
import { isTerminal } from '../../api/podStatus.ts';
import { findPort } from '../shared/findPort.ts';
import type { PortAddress } from './repack.ts';

/** What a Service's Pods come to; `ready` and `notReady` count as the controller's log does, per port. */
export interface Desired {
  readonly facts: readonly PortAddress[];
  readonly ready: number;
  readonly notReady: number;
}

/**
 * The addresses of a Service's Pods behind each of its ports (C-120).
 * Source: endpoints_controller.go syncService, addEndpointSubset.
 */
export function desiredAddresses(service: ServiceObject, pods: readonly ApiPod[]): Desired {
  const { ports, clusterIP, publishNotReadyAddresses } = service.spec;
  const facts: PortAddress[] = [];
  const counts = { ready: 0, notReady: 0 };
  for (const pod of pods) {
    const address = shouldBeListed(pod, publishNotReadyAddresses) ? knownAddressOf(service, pod) : null;
    if (!address) continue;
    const ready = publishNotReadyAddresses || isPodReady(pod);
    const add = (port: EndpointPort | null): void => {
      facts.push({ port, address, ready });
      counts[ready ? 'ready' : 'notReady']++;
    };
    if (ports.length === 0 && clusterIP === 'None') {
      // The counts of the log are those of the last Pod here.
      counts.ready = 0;
      counts.notReady = 0;
      add(null);
    }
    for (const servicePort of ports) {
      const port = findPort(pod.input, servicePort);
      if (port !== null) add(endpointPort(servicePort, port));
    }
  }
  return { facts, ...counts };
}

/** Source: k8s.io/endpointslice/util/controller_utils.go ShouldPodBeInEndpoints. */
function shouldBeListed({ status, deletionTimestamp }: ApiPod, includesTerminating: boolean): boolean {
  if (isTerminal(status.phase) || status.podIPs.length === 0) return false;
  return includesTerminating || deletionTimestamp === null;
}

/** Addresses of each version of a Pod in each version of a Service: most are as they were at the sync before. */
const known = new WeakMap<ServiceObject, WeakMap<ApiPod, EndpointAddress | null>>();

function knownAddressOf(service: ServiceObject, pod: ApiPod): EndpointAddress | null {
  const ofPods = known.get(service) ?? new WeakMap<ApiPod, EndpointAddress | null>();
  known.set(service, ofPods);
  const address = ofPods.get(pod);
  if (address !== undefined) return address;
  const made = addressOf(service, pod);
  ofPods.set(pod, made);
  return made;
}

/** Null: the Pod has no address of the Service's family. Source: podToEndpointAddressForService. */
function addressOf(service: ServiceObject, pod: ApiPod): EndpointAddress | null {
  const { input, status } = pod;
  const family = wantedFamily(service, pod);
  const ip = status.podIPs.find((podIP) => familyOf(podIP) === family);
  if (ip === undefined) return null;
  const { namespace, name, uid } = input;
  return {
    ip,
    hostname: input.hostname && input.subdomain === service.meta.name ? input.hostname : '',
    nodeName: input.node,
    targetRef: { namespace, name, uid },
  };
}

/** The Service's first family; for one that does not say, that of its cluster IP or else of the Pod. */
function wantedFamily({ spec }: ServiceObject, { status }: ApiPod): IpFamily {
  const [first] = spec.ipFamilies;
  if (first) return first;
  const isHeadless = spec.clusterIP === '' || spec.clusterIP === 'None';
  return familyOf(isHeadless ? (status.podIPs[0] ?? '') : spec.clusterIP);
}

const endpointPort = ({ name, protocol, appProtocol }: ServicePort, port: number): EndpointPort => ({
  name,
  port,
  protocol,
  appProtocol,
});
