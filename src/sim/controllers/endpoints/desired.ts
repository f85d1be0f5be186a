import { memoized, memoizedWeakly } from '../../../base/memoized.ts';
import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import {
  type EndpointAddress,
  type EndpointPort,
  familyOf,
  type IpFamily,
  type ServiceObject,
  type ServicePort,
} from '../../api/objects.ts';
import { findPort } from '../shared/findPort.ts';
import { hostnameIn, shouldBeEndpoint } from '../shared/podMembership.ts';
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
  const factsOf = memoryOf(service);
  const facts: PortAddress[] = [];
  const counts = { ready: 0, notReady: 0 };
  for (const pod of pods) {
    for (const fact of factsOf(pod)) {
      // Without ports the counts of the log are those of the last Pod.
      if (fact.port === null) Object.assign(counts, { ready: 0, notReady: 0 });
      counts[fact.ready ? 'ready' : 'notReady']++;
      facts.push(fact);
    }
  }
  return { facts, ...counts };
}

/** What a version of a Service makes of a version of a Pod: most are as they were at the sync before. */
const memoryOf = memoizedWeakly((service: ServiceObject) => {
  const ports = service.spec.ports.map(
    ({ name, protocol, appProtocol, targetPort }): ServicePortMemory => ({
      target: { targetPort, protocol },
      at: memoized((port) => ({ name, port, protocol, appProtocol })),
    }),
  );
  return memoizedWeakly((pod: ApiPod) => factsOfPod(service, ports, pod));
});

interface ServicePortMemory {
  readonly target: Pick<ServicePort, 'targetPort' | 'protocol'>;
  readonly at: (port: number) => EndpointPort;
}

function factsOfPod(service: ServiceObject, ports: readonly ServicePortMemory[], pod: ApiPod): readonly PortAddress[] {
  const { clusterIP, publishNotReadyAddresses } = service.spec;
  const address = shouldBeEndpoint(pod, publishNotReadyAddresses) ? addressOf(service, pod) : null;
  if (!address) return [];
  const ready = publishNotReadyAddresses || isPodReady(pod);
  if (ports.length === 0) return clusterIP === 'None' ? [{ port: null, address, ready }] : [];
  return ports.flatMap(({ target, at }) => {
    const port = findPort(pod.input, target);
    return port === null ? [] : [{ port: at(port), address, ready }];
  });
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
    hostname: hostnameIn(service, pod),
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
