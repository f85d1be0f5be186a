import { rfc3339 } from '../../base/rfc3339.ts';
import type { ApiPod } from './apiPod.ts';
import { given, metaJson, ownerJson } from './metaText.ts';
import type {
  Endpoint,
  EndpointAddress,
  EndpointPort,
  EndpointSliceObject,
  EndpointSubset,
  EndpointsObject,
  NodeObject,
  Resource,
  ServiceObject,
  TargetRef,
} from './objects.ts';
import { statusToJson } from './podStatus.ts';
import type { Stored } from './store.ts';
import { WORKLOAD_TEXT } from './workloadText.ts';

/** The object as `kubectl get -o json` would show it; a Pod without the spec that was given. */
export function textOf<R extends Resource>(resource: R, object: Stored[R]): string {
  return (TEXT_OF[resource] as (object: Stored[R]) => string)(object);
}

const TEXT_OF: { readonly [R in Resource]: (object: Stored[R]) => string } = {
  nodes: (node) => JSON.stringify(nodeJson(node)),
  pods: (pod) => JSON.stringify(podJson(pod)),
  services: (service) => JSON.stringify(serviceJson(service)),
  endpoints: endpointsText,
  endpointslices: sliceText,
  ...WORKLOAD_TEXT,
};

function podJson(pod: ApiPod): object {
  const { input } = pod;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: input.name,
      namespace: input.namespace,
      uid: input.uid,
      resourceVersion: String(pod.resourceVersion),
      generation: pod.generation,
      creationTimestamp: rfc3339(pod.creationTimestamp),
      ...given('labels', pod.labels),
      ...given('annotations', pod.annotations),
      ...(pod.deletionTimestamp !== null && {
        deletionTimestamp: rfc3339(pod.deletionTimestamp),
        deletionGracePeriodSeconds: pod.deletionGracePeriodSeconds,
      }),
      ...(input.owner && { ownerReferences: [ownerJson(`${input.owner.kind}/${input.owner.name}`, input.owner.uid)] }),
    },
    spec: {
      ...(input.node && { nodeName: input.node }),
      ...(input.target && { target: input.target }),
      ...((input.owner || input.isStatic) && {
        containers: input.containers.map(({ name, image }) => ({ name, image })),
      }),
    },
    status: statusToJson(pod.status),
  };
}

function nodeJson({ meta, cpuMillis, podCapacity, unschedulable, taints, ...node }: NodeObject): object {
  const { ready, readyReason, lastHeartbeatTime, lastTransitionTime } = node;
  const cpu = cpuMillis % 1000 === 0 ? `${cpuMillis / 1000}` : `${cpuMillis}m`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: metaJson(meta),
    spec: {
      ...(unschedulable && { unschedulable }),
      ...(taints.length > 0 && {
        taints: taints.map(({ key, value, effect, timeAdded }) => ({
          key,
          ...(value && { value }),
          effect,
          ...(timeAdded !== null && { timeAdded: rfc3339(timeAdded) }),
        })),
      }),
    },
    status: {
      allocatable: { ...(cpuMillis > 0 && { cpu }), pods: String(podCapacity) },
      ...(ready && {
        conditions: [
          {
            type: 'Ready',
            status: ready,
            ...(readyReason && { reason: readyReason }),
            lastHeartbeatTime: rfc3339(lastHeartbeatTime),
            lastTransitionTime: rfc3339(lastTransitionTime),
          },
        ],
      }),
    },
  };
}

function serviceJson({ meta, spec }: ServiceObject): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metaJson(meta),
    spec: {
      type: spec.type,
      ...(spec.clusterIP && { clusterIP: spec.clusterIP, clusterIPs: spec.clusterIPs }),
      ...(spec.externalName && { externalName: spec.externalName }),
      ...(spec.ipFamilies.length > 0 && { ipFamilies: spec.ipFamilies }),
      ports: spec.ports.map(({ name, protocol, port, targetPort, nodePort, appProtocol }) => ({
        ...(name && { name }),
        protocol,
        port,
        targetPort,
        ...(nodePort > 0 && { nodePort }),
        ...(appProtocol !== null && { appProtocol }),
      })),
      ...(spec.selector && { selector: spec.selector }),
      ...(spec.publishNotReadyAddresses && { publishNotReadyAddresses: true }),
      internalTrafficPolicy: spec.internalTrafficPolicy,
      ...(spec.type !== 'ClusterIP' && { externalTrafficPolicy: spec.externalTrafficPolicy }),
      ...(spec.trafficDistribution && { trafficDistribution: spec.trafficDistribution }),
      ...(spec.healthCheckNodePort > 0 && { healthCheckNodePort: spec.healthCheckNodePort }),
      ...(spec.externalIPs.length > 0 && { externalIPs: spec.externalIPs }),
      ...(spec.loadBalancerSourceRanges.length > 0 && { loadBalancerSourceRanges: spec.loadBalancerSourceRanges }),
      sessionAffinity: spec.affinitySeconds === null ? 'None' : 'ClientIP',
      ...(spec.affinitySeconds !== null && {
        sessionAffinityConfig: { clientIP: { timeoutSeconds: spec.affinitySeconds } },
      }),
    },
    status: { loadBalancer: spec.loadBalancerIngress.length > 0 ? { ingress: spec.loadBalancerIngress } : {} },
  };
}

const targetJson = (ref: TargetRef | null): object => (ref ? { targetRef: { kind: 'Pod', ...ref } } : {});
const portJson = ({ name, port, protocol, appProtocol }: EndpointPort): object => ({
  ...(name && { name }),
  port,
  protocol,
  ...(appProtocol !== null && { appProtocol }),
});

/** Most addresses of a version are those of the version before: the text of each is made once. */
function remembered<T extends object>(json: (one: T) => object): (one: T) => string {
  const texts = new WeakMap<T, string>();
  return (one) => {
    let text = texts.get(one);
    if (text === undefined) {
      text = JSON.stringify(json(one));
      texts.set(one, text);
    }
    return text;
  };
}

/** `json` with one more field at its end, an array of these texts. */
const withList = (json: object, name: string, texts: readonly string[]): string =>
  `${JSON.stringify(json).slice(0, -1)},"${name}":[${texts.join(',')}]}`;

const addressText = remembered(({ ip, hostname, nodeName, targetRef }: EndpointAddress) => ({
  ip,
  ...(hostname && { hostname }),
  ...(nodeName !== null && { nodeName }),
  ...targetJson(targetRef),
}));

function endpointsText({ meta, subsets }: EndpointsObject): string {
  const head = { apiVersion: 'v1', kind: 'Endpoints', metadata: metaJson(meta) };
  return withList(head, 'subsets', subsets.map(subsetText));
}

function subsetText({ addresses, notReadyAddresses, ports }: EndpointSubset): string {
  const fields = [
    ...listText('addresses', addresses.map(addressText)),
    ...listText('notReadyAddresses', notReadyAddresses.map(addressText)),
    ...listText(
      'ports',
      ports.map((port) => JSON.stringify(portJson(port))),
    ),
  ];
  return `{${fields.join(',')}}`;
}

/** A field; none for an empty list. */
const listText = (name: string, texts: readonly string[]): readonly string[] =>
  texts.length > 0 ? [`"${name}":[${texts.join(',')}]`] : [];

const endpointText = remembered((endpoint: Endpoint) => {
  const { addresses, ready, serving, terminating, hostname, nodeName, zone, hints } = endpoint;
  return {
    addresses,
    conditions: {
      ...(ready !== null && { ready }),
      ...(serving !== null && { serving }),
      ...(terminating !== null && { terminating }),
    },
    ...(hostname && { hostname }),
    ...(nodeName !== null && { nodeName }),
    ...(zone !== null && { zone }),
    ...(hints && {
      hints: {
        ...(hints.zones.length > 0 && { forZones: hints.zones.map((name) => ({ name })) }),
        ...(hints.nodes.length > 0 && { forNodes: hints.nodes.map((name) => ({ name })) }),
      },
    }),
    ...targetJson(endpoint.targetRef),
  };
});

function sliceText({ meta, addressType, ports, endpoints }: EndpointSliceObject): string {
  const head = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: metaJson(meta),
    addressType,
    ports: ports.map(portJson),
  };
  return withList(head, 'endpoints', endpoints.map(endpointText));
}
