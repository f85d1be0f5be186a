import {
  type Endpoint,
  type EndpointAddress,
  type EndpointPort,
  type EndpointSliceObject,
  type EndpointsObject,
  type NodeObject,
  type ObjectMeta,
  PLAIN_NODE,
  type ServiceObject,
  type ServicePort,
  type TargetRef,
} from '../../sim/api/objects.ts';
import type { EndpointSliceManifest, EndpointsManifest, NodeManifest } from '../schema/endpoints.ts';
import type { ServiceManifest } from '../schema/service.ts';
import { type Allocation, clusterIPsOf, familiesOf } from './serviceAddresses.ts';

/** Seconds of ClientIP affinity when none are given (pkg/apis/core/v1/defaults.go, SetDefaults_Service). */
const DEFAULT_AFFINITY_S = 10_800;
/** What a Node has when its manifest does not say: decides about hints by zone only (C-232). */
const DEFAULT_CPU_MILLIS = 4_000;

type Metadata = NodeManifest['metadata'];

/** uid, resource version, generation and creation time are the API server's to give. */
const metaOf = ({ name, namespace, labels = {}, annotations = {} }: Metadata, hasNamespace = true): ObjectMeta => ({
  namespace: hasNamespace ? (namespace ?? 'default') : '',
  name,
  generateName: '',
  uid: '',
  resourceVersion: 0,
  generation: 0,
  labels,
  annotations,
  creationTimestamp: 0,
  deletionTimestamp: null,
  ownerUid: '',
  ownerName: '',
});

/** The Node as the API server has it; without a manifest of its own it has a name only. */
export function nodeObject({ metadata, spec, status }: Pick<NodeManifest, 'metadata' | 'spec' | 'status'>): NodeObject {
  const cpu = status?.allocatable?.cpu;
  const hostname = { 'kubernetes.io/hostname': metadata.name };
  const meta = metaOf(metadata, false);
  return {
    meta: { ...meta, labels: { ...hostname, ...meta.labels } },
    ...PLAIN_NODE,
    podCapacity: Number(status?.allocatable?.pods ?? PLAIN_NODE.podCapacity),
    unschedulable: spec?.unschedulable ?? false,
    taints: (spec?.taints ?? []).map(({ key, value = '', effect }) => ({ key, value, effect, timeAdded: null })),
    cpuMillis: cpu === undefined ? DEFAULT_CPU_MILLIS : millisOf(String(cpu)),
    ready: status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'True',
  };
}

const millisOf = (cpu: string): number =>
  cpu.endsWith('m') ? Number.parseInt(cpu, 10) : Math.round(Number(cpu) * 1000) || 0;

/** The Service with its defaults (semantics, section 1.1). `isDualStack`: of the cluster. */
export function serviceObject(
  { metadata, spec, status }: ServiceManifest,
  allocation: Allocation,
  isDualStack: boolean,
): ServiceObject {
  const { type = 'ClusterIP', selector = null, sessionAffinity, ports = [], externalIPs = [] } = spec;
  const isOutside = type === 'NodePort' || type === 'LoadBalancer';
  const isExternalName = type === 'ExternalName';
  const hasNodePorts = isOutside && !(type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts === false);
  const families = isExternalName ? [] : familiesOf(spec, isDualStack);
  const clusterIPs = clusterIPsOf(spec, families, allocation);
  const externalTrafficPolicy = spec.externalTrafficPolicy ?? 'Cluster';
  const checksHealth = type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
  const drawn = families.map((family) => ({ ip: allocation.loadBalancerIPs[family], ipMode: 'VIP' as const }));
  const ingress = status?.loadBalancer?.ingress ?? drawn;
  return {
    meta: metaOf(metadata),
    spec: {
      type,
      clusterIP: isExternalName ? '' : (clusterIPs[0] ?? ''),
      clusterIPs: isExternalName ? [] : clusterIPs,
      ports: ports.map((port) => portOf(port, hasNodePorts ? allocation.nodePort : () => 0)),
      selector: isExternalName ? null : selector,
      ipFamilies: families,
      publishNotReadyAddresses: spec.publishNotReadyAddresses ?? false,
      internalTrafficPolicy: spec.internalTrafficPolicy ?? 'Cluster',
      externalTrafficPolicy,
      trafficDistribution: spec.trafficDistribution ?? '',
      healthCheckNodePort: checksHealth ? spec.healthCheckNodePort || allocation.nodePort() : 0,
      externalIPs,
      loadBalancerSourceRanges: spec.loadBalancerSourceRanges ?? [],
      loadBalancerIngress:
        type === 'LoadBalancer'
          ? ingress.flatMap(({ ip, ipMode = 'VIP' }) => (ip === undefined ? [] : [{ ip, ipMode }]))
          : [],
      affinitySeconds:
        sessionAffinity === 'ClientIP'
          ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? DEFAULT_AFFINITY_S)
          : null,
      externalName: spec.externalName ?? '',
    },
  };
}

function portOf(
  { name = '', protocol = 'TCP', port, targetPort, nodePort, appProtocol }: PortManifest,
  allocate: () => number,
): ServicePort {
  return {
    name,
    protocol,
    port,
    targetPort: targetPort || port,
    nodePort: nodePort || allocate(),
    appProtocol: appProtocol ?? null,
  };
}
type PortManifest = NonNullable<ServiceManifest['spec']['ports']>[number];

type EndpointPortManifest = NonNullable<EndpointSliceManifest['ports']>[number];
const endpointPort = ({ name = '', port, protocol = 'TCP', appProtocol }: EndpointPortManifest): EndpointPort => ({
  name,
  port,
  protocol,
  appProtocol: appProtocol ?? null,
});

type TargetManifest = NonNullable<NonNullable<EndpointSliceManifest['endpoints']>[number]['targetRef']>;
const targetOf = (ref: TargetManifest | undefined, namespace: string): TargetRef | null =>
  ref?.name === undefined ? null : { namespace: ref.namespace ?? namespace, name: ref.name, uid: ref.uid ?? '' };

/** Endpoints as they were written by hand. */
export function endpointsObject({ metadata, subsets = [] }: EndpointsManifest): EndpointsObject {
  const meta = metaOf(metadata);
  const addressOf = (address: AddressManifest): EndpointAddress => ({
    ip: address.ip,
    hostname: address.hostname ?? '',
    nodeName: address.nodeName ?? null,
    targetRef: targetOf(address.targetRef, meta.namespace),
  });
  return {
    meta,
    subsets: subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => ({
      addresses: addresses.map(addressOf),
      notReadyAddresses: notReadyAddresses.map(addressOf),
      ports: ports.map(endpointPort),
    })),
  };
}
type AddressManifest = NonNullable<NonNullable<EndpointsManifest['subsets']>[number]['addresses']>[number];

/** An EndpointSlice as it was written by hand. */
export function sliceObject(manifest: EndpointSliceManifest): EndpointSliceObject {
  const meta = metaOf(manifest.metadata);
  return {
    meta,
    addressType: manifest.addressType,
    ports: (manifest.ports ?? []).map(endpointPort),
    endpoints: (manifest.endpoints ?? []).map(
      ({ addresses, conditions = {}, hostname, nodeName, zone, hints, targetRef }): Endpoint => ({
        addresses,
        ready: conditions.ready ?? null,
        serving: conditions.serving ?? null,
        terminating: conditions.terminating ?? null,
        hostname: hostname ?? '',
        nodeName: nodeName ?? null,
        zone: zone ?? null,
        hints: hints
          ? {
              zones: (hints.forZones ?? []).map(({ name }) => name),
              nodes: (hints.forNodes ?? []).map(({ name }) => name),
            }
          : null,
        targetRef: targetOf(targetRef, meta.namespace),
      }),
    ),
  };
}
