import { rfc3339 } from '../../base/rfc3339.ts';
import type { ApiPod } from './apiPod.ts';
import type {
  Endpoint,
  EndpointAddress,
  EndpointPort,
  EndpointSliceObject,
  EndpointsObject,
  Labels,
  NodeObject,
  ObjectMeta,
  Resource,
  ServiceObject,
  TargetRef,
} from './objects.ts';
import { statusToJson } from './podStatus.ts';
import type { Stored } from './store.ts';

/** The object as `kubectl get -o json` would show it; a Pod without the spec that was given. */
export function textOf<R extends Resource>(resource: R, object: Stored[R]): string {
  return JSON.stringify((JSON_OF[resource] as (object: Stored[R]) => object)(object));
}

const JSON_OF: { readonly [R in Resource]: (object: Stored[R]) => object } = {
  nodes: nodeJson,
  pods: podJson,
  services: serviceJson,
  endpoints: endpointsJson,
  endpointslices: sliceJson,
};

const given = (name: string, labels: Labels): object => (Object.keys(labels).length > 0 ? { [name]: labels } : {});

const metaJson = (meta: ObjectMeta): object => ({
  name: meta.name,
  ...(meta.generateName && { generateName: meta.generateName }),
  ...(meta.namespace && { namespace: meta.namespace }),
  uid: meta.uid,
  resourceVersion: String(meta.resourceVersion),
  ...(meta.generation > 0 && { generation: meta.generation }),
  creationTimestamp: rfc3339(meta.creationTimestamp),
  ...(meta.deletionTimestamp !== null && { deletionTimestamp: rfc3339(meta.deletionTimestamp) }),
  ...given('labels', meta.labels),
  ...given('annotations', meta.annotations),
});

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
      ...given('labels', pod.labels),
      ...given('annotations', pod.annotations),
      ...(pod.deletionTimestamp !== null && {
        deletionTimestamp: rfc3339(pod.deletionTimestamp),
        deletionGracePeriodSeconds: pod.deletionGracePeriodSeconds,
      }),
    },
    spec: { nodeName: input.node },
    status: statusToJson(pod.status),
  };
}

function nodeJson({ meta, cpuMillis, ready }: NodeObject): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: metaJson(meta),
    status: {
      ...(cpuMillis > 0 && { allocatable: { cpu: cpuMillis % 1000 === 0 ? `${cpuMillis / 1000}` : `${cpuMillis}m` } }),
      conditions: [{ type: 'Ready', status: ready }],
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

const addressJson = ({ ip, hostname, nodeName, targetRef }: EndpointAddress): object => ({
  ip,
  ...(hostname && { hostname }),
  ...(nodeName !== null && { nodeName }),
  ...targetJson(targetRef),
});

function endpointsJson({ meta, subsets }: EndpointsObject): object {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: metaJson(meta),
    subsets: subsets.map(({ addresses, notReadyAddresses, ports }) => ({
      ...(addresses.length > 0 && { addresses: addresses.map(addressJson) }),
      ...(notReadyAddresses.length > 0 && { notReadyAddresses: notReadyAddresses.map(addressJson) }),
      ...(ports.length > 0 && { ports: ports.map(portJson) }),
    })),
  };
}

function endpointJson(endpoint: Endpoint): object {
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
}

function sliceJson({ meta, addressType, ports, endpoints }: EndpointSliceObject): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: metaJson(meta),
    addressType,
    ports: ports.map(portJson),
    endpoints: endpoints.map(endpointJson),
  };
}
