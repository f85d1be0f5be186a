import { canonicalIp } from '../../../base/ipAddress.ts';
import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import {
  type Endpoint,
  familyOf,
  type IpFamily,
  LABEL,
  type NodeObject,
  type ServiceObject,
} from '../../api/objects.ts';
import { identityOf } from '../shared/endpointIdentity.ts';
import { hostnameIn, shouldBeEndpoint } from '../shared/podMembership.ts';
import { type PortGroup, portGroupOf } from './portGroups.ts';

/** Endpoints have `serving` and `terminating`, and slices hold terminating Pods, from here on (KEP-1672). */
const TERMINATING_SINCE = 22;

/** A Pod as the slices of one address type of a Service have it. */
export interface PodEndpoint {
  readonly group: PortGroup;
  /** Without hints; without addresses when the Pod has none of that family. */
  readonly endpoint: Endpoint;
  readonly identity: string;
  /** What it was made with. */
  readonly node: NodeObject | undefined;
}

/** Endpoints of Pods, made once for each version of Pod, Service and Node: most are as they were at the sync before. */
export class PodEndpoints {
  private readonly minor: number;
  private readonly known: Readonly<Record<IpFamily, WeakMap<ServiceObject, WeakMap<ApiPod, PodEndpoint>>>> = {
    IPv4: new WeakMap(),
    IPv6: new WeakMap(),
  };

  /** `minor`: version of Kubernetes, 37 for 1.37. */
  constructor(minor: number) {
    this.minor = minor;
  }

  /** Whether a Pod stands in its Services' slices (C-201). */
  isListed(pod: ApiPod, { spec }: ServiceObject): boolean {
    return shouldBeEndpoint(pod, this.minor >= TERMINATING_SINCE || spec.publishNotReadyAddresses);
  }

  of(service: ServiceObject, pod: ApiPod, node: NodeObject | undefined, family: IpFamily): PodEndpoint {
    const ofPods = this.known[family].get(service) ?? new WeakMap<ApiPod, PodEndpoint>();
    this.known[family].set(service, ofPods);
    const before = ofPods.get(pod);
    if (before && before.node === node) return before;
    const endpoint = this.make(service, pod, node, family);
    const made = { group: portGroupOf(service, pod), endpoint, identity: identityOf(endpoint), node };
    ofPods.set(pod, made);
    return made;
  }

  /** C-202, C-203. Source: k8s.io/endpointslice utils.go, podToEndpoint. */
  private make(service: ServiceObject, pod: ApiPod, node: NodeObject | undefined, family: IpFamily): Endpoint {
    const { input, status } = pod;
    const serving = isPodReady(pod);
    const terminating = pod.deletionTimestamp !== null;
    const hasBoth = this.minor >= TERMINATING_SINCE;
    return {
      addresses: status.podIPs
        .filter((ip) => familyOf(ip) === family)
        .map(canonicalIp)
        .sort(),
      ready: service.spec.publishNotReadyAddresses || (serving && !terminating),
      serving: hasBoth ? serving : null,
      terminating: hasBoth ? terminating : null,
      hostname: hostnameIn(service, pod),
      nodeName: input.node || null,
      zone: node?.meta.labels[LABEL.zone] || null,
      hints: null,
      targetRef: { namespace: input.namespace, name: input.name, uid: input.uid },
    };
  }
}
