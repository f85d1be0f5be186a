import { memoizedWeakly } from '../../base/memoized.ts';
import { rfc3339 } from '../../base/rfc3339.ts';
import type { ObjectText } from '../trace/textEdits.ts';
import { fieldPieces, furtherFields, itemText, listed, sameText } from './jsonPieces.ts';
import { headPieces } from './metaText.ts';
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
  ServiceSpec,
  TargetRef,
} from './objects.ts';
import { podPieces } from './podText.ts';
import type { Stored } from './store.ts';
import { WORKLOAD_TEXT } from './workloadText.ts';

/** The object as `kubectl get -o json` would show it, a Pod without the spec that was given; in pieces, of which most are those of the version before. */
export function piecesOf<R extends Resource>(resource: R, object: Stored[R]): ObjectText {
  return (PIECES_OF[resource] as (object: Stored[R]) => ObjectText)(object);
}

/** Whether two versions of an object have the same text. */
export const sameObject = <R extends Resource>(resource: R, a: Stored[R], b: Stored[R]): boolean =>
  a === b || sameText(piecesOf(resource, a), piecesOf(resource, b));

const PIECES_OF: { readonly [R in Resource]: (object: Stored[R]) => ObjectText } = {
  nodes: (node) => headPieces('v1', 'Node', node.meta, `${furtherFields(nodeJson(node))}}`),
  pods: podPieces,
  services: (service) => headPieces('v1', 'Service', service.meta, `${furtherFields(serviceJson(service))}}`),
  endpoints: endpointsPieces,
  endpointslices: slicePieces,
  ...WORKLOAD_TEXT,
};

function nodeJson({ cpuMillis, podCapacity, unschedulable, taints, ...node }: NodeObject): object {
  const { ready, readyReason, lastHeartbeatTime, lastTransitionTime } = node;
  const cpu = cpuMillis % 1000 === 0 ? `${cpuMillis / 1000}` : `${cpuMillis}m`;
  return {
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

/** Whether the API server gives it an externalTrafficPolicy (pkg/apis/core/v1/defaults.go, SetDefaults_Service). */
const isOutside = ({ type, externalIPs }: ServiceSpec): boolean =>
  type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && externalIPs.length > 0);

function serviceJson({ spec }: ServiceObject): object {
  return {
    spec: {
      type: spec.type,
      ...(spec.clusterIP && { clusterIP: spec.clusterIP, clusterIPs: spec.clusterIPs }),
      ...(spec.externalName && { externalName: spec.externalName }),
      ...(spec.ipFamilies.length > 0 && { ipFamilies: spec.ipFamilies }),
      ...(spec.ports.length > 0 && {
        ports: spec.ports.map(({ name, protocol, port, targetPort, nodePort, appProtocol }) => ({
          ...(name && { name }),
          protocol,
          port,
          targetPort,
          ...(nodePort > 0 && { nodePort }),
          ...(appProtocol !== null && { appProtocol }),
        })),
      }),
      ...(spec.selector && { selector: spec.selector }),
      ...(spec.publishNotReadyAddresses && { publishNotReadyAddresses: true }),
      ...(spec.type !== 'ExternalName' && { internalTrafficPolicy: spec.internalTrafficPolicy }),
      ...(isOutside(spec) && { externalTrafficPolicy: spec.externalTrafficPolicy }),
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

const addressText = memoizedWeakly(({ ip, hostname, nodeName, targetRef }: EndpointAddress) =>
  itemText({
    ip,
    ...(hostname && { hostname }),
    ...(nodeName !== null && { nodeName }),
    ...targetJson(targetRef),
  }),
);

function endpointsPieces({ meta, subsets }: EndpointsObject): ObjectText {
  const head = headPieces('v1', 'Endpoints', meta, ',"subsets":[');
  return [...head, ...subsets.flatMap(subsetPieces), ']}'];
}

function subsetPieces({ addresses, notReadyAddresses, ports }: EndpointSubset, place: number): readonly string[] {
  const fields = [
    ...fieldPieces('addresses', addresses.map(addressText)),
    ...fieldPieces('notReadyAddresses', notReadyAddresses.map(addressText)),
    ...fieldPieces(
      'ports',
      ports.map((port) => itemText(portJson(port))),
    ),
  ];
  return [place === 0 ? '{' : ',{', ...listed(fields), '}'];
}

const endpointText = memoizedWeakly((endpoint: Endpoint) => {
  const { addresses, ready, serving, terminating, hostname, nodeName, zone, hints } = endpoint;
  return itemText({
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
  });
});

/** A slice's port without a name has an empty one. */
const portsText = memoizedWeakly((ports: readonly EndpointPort[]) =>
  JSON.stringify(ports.map((port) => ({ name: port.name, ...portJson(port) }))),
);

function slicePieces({ meta, addressType, ports, endpoints }: EndpointSliceObject): ObjectText {
  const rest = `,"addressType":"${addressType}","ports":${portsText(ports)},"endpoints":[`;
  const head = headPieces('discovery.k8s.io/v1', 'EndpointSlice', meta, rest);
  return [...head, ...listed(endpoints.map(endpointText)), ']}'];
}
