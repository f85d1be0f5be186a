import { memoizedWeakly } from '../../base/memoized.ts';

/**
 * The API objects of the control plane, as stored: immutable, one object for each version.
 * Times of objects are whole wall-clock seconds since the Unix epoch (C-005).
 */
export interface ObjectMeta {
  readonly namespace: string;
  readonly name: string;
  /** What the name was generated from; '' when it was given. */
  readonly generateName: string;
  readonly uid: string;
  /** 0 before the first commit. */
  readonly resourceVersion: number;
  /** 0 for kinds without generation. */
  readonly generation: number;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly creationTimestamp: number;
  readonly deletionTimestamp: number | null;
  /** UID of the controlling owner; '' without one. */
  readonly ownerUid: string;
  /** Its kind and name, `ReplicaSet/web-1`; '' without one. */
  readonly ownerName: string;
}

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export type Labels = Readonly<Record<string, string>>;
export type Protocol = 'TCP' | 'UDP' | 'SCTP';
export type IpFamily = 'IPv4' | 'IPv6';

export interface NodeObject {
  readonly meta: ObjectMeta;
  /** status.allocatable.cpu, millicores; 0 when it is not said. */
  readonly cpuMillis: number;
  /** status.allocatable.pods. */
  readonly podCapacity: number;
  readonly unschedulable: boolean;
  readonly taints: readonly Taint[];
  /** Status of the Ready condition; null before anybody has reported one. */
  readonly ready: ConditionStatus | null;
  /** Its reason, and its times in whole wall-clock seconds. */
  readonly readyReason: string;
  readonly lastHeartbeatTime: number;
  readonly lastTransitionTime: number;
}

/** What a Node is that nobody has said more about. */
export const PLAIN_NODE = {
  podCapacity: 110,
  unschedulable: false,
  taints: [],
  readyReason: '',
  lastHeartbeatTime: 0,
  lastTransitionTime: 0,
} as const satisfies Partial<NodeObject>;

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: TaintEffect;
  /** Wall-clock seconds; null when not set. */
  readonly timeAdded: number | null;
}
export interface Toleration {
  /** '' with operator Exists tolerates all keys. */
  readonly key: string;
  readonly operator: 'Exists' | 'Equal';
  readonly value: string;
  /** '' tolerates all effects. */
  readonly effect: TaintEffect | '';
  /** Null: for ever. */
  readonly tolerationSeconds: number | null;
}

/** Whether one of the tolerations tolerates the taint (k8s.io/component-helpers scheduling/corev1 helpers). */
export const tolerates = (tolerations: readonly Toleration[], taint: Taint): boolean =>
  tolerations.some((toleration) => toleratesTaint(toleration, taint));

const toleratesTaint = (toleration: Toleration, { key, value, effect }: Taint): boolean =>
  (toleration.effect === '' || toleration.effect === effect) &&
  (toleration.key === '' || toleration.key === key) &&
  (toleration.operator === 'Exists' || toleration.value === value);

/** The controlling owner of an object. */
export interface OwnerRef {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface ServiceObject {
  readonly meta: ObjectMeta;
  readonly spec: ServiceSpec;
}

/** Defaulted as the API server does (semantics, section 1.1). */
export interface ServiceSpec {
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  /** '' and 'None' as the API has them: none given, and headless. */
  readonly clusterIP: string;
  readonly clusterIPs: readonly string[];
  readonly ports: readonly ServicePort[];
  /** Null: no selector at all; an empty one matches every Pod (C-112). */
  readonly selector: Labels | null;
  /** Empty when the object does not say (C-203). */
  readonly ipFamilies: readonly IpFamily[];
  readonly publishNotReadyAddresses: boolean;
  readonly internalTrafficPolicy: 'Cluster' | 'Local';
  readonly externalTrafficPolicy: 'Cluster' | 'Local';
  readonly trafficDistribution: '' | 'PreferClose' | 'PreferSameZone' | 'PreferSameNode';
  /** 0 when there is none. */
  readonly healthCheckNodePort: number;
  readonly externalIPs: readonly string[];
  readonly loadBalancerSourceRanges: readonly string[];
  /** status.loadBalancer.ingress. */
  readonly loadBalancerIngress: readonly { readonly ip: string; readonly ipMode: 'VIP' | 'Proxy' }[];
  /** Seconds of ClientIP affinity; null for sessionAffinity None. */
  readonly affinitySeconds: number | null;
  readonly externalName: string;
}

export interface ServicePort {
  readonly name: string;
  readonly protocol: Protocol;
  readonly port: number;
  /** A number, or the name of a container's port. */
  readonly targetPort: number | string;
  /** 0 when there is none. */
  readonly nodePort: number;
  readonly appProtocol: string | null;
}

export interface TargetRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface EndpointsObject {
  readonly meta: ObjectMeta;
  readonly subsets: readonly EndpointSubset[];
}
export interface EndpointSubset {
  readonly addresses: readonly EndpointAddress[];
  readonly notReadyAddresses: readonly EndpointAddress[];
  readonly ports: readonly EndpointPort[];
}
export interface EndpointAddress {
  readonly ip: string;
  readonly hostname: string;
  readonly nodeName: string | null;
  readonly targetRef: TargetRef | null;
}
/** A port of an Endpoints subset or of an EndpointSlice. */
export interface EndpointPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: Protocol;
  readonly appProtocol: string | null;
}

export interface EndpointSliceObject {
  readonly meta: ObjectMeta;
  readonly addressType: IpFamily;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}
/** An endpoint of a slice. A condition that is null is not set (P-012). */
export interface Endpoint {
  readonly addresses: readonly string[];
  readonly ready: boolean | null;
  readonly serving: boolean | null;
  readonly terminating: boolean | null;
  readonly hostname: string;
  readonly nodeName: string | null;
  readonly zone: string | null;
  /** forZones and forNodes; null without hints. */
  readonly hints: { readonly zones: readonly string[]; readonly nodes: readonly string[] } | null;
  readonly targetRef: TargetRef | null;
}

export const LABEL = {
  serviceName: 'kubernetes.io/service-name',
  sliceManagedBy: 'endpointslice.kubernetes.io/managed-by',
  endpointsManagedBy: 'endpoints.kubernetes.io/managed-by',
  headless: 'service.kubernetes.io/headless',
  skipMirror: 'endpointslice.kubernetes.io/skip-mirror',
  proxyName: 'service.kubernetes.io/service-proxy-name',
  zone: 'topology.kubernetes.io/zone',
} as const;

export const ANNOTATION = {
  triggerTime: 'endpoints.kubernetes.io/last-change-trigger-time',
  overCapacity: 'endpoints.kubernetes.io/over-capacity',
  topologyMode: 'service.kubernetes.io/topology-mode',
  topologyAwareHints: 'service.kubernetes.io/topology-aware-hints',
  leader: 'control-plane.alpha.kubernetes.io/leader',
  lastApplied: 'kubectl.kubernetes.io/last-applied-configuration',
} as const;

/** Values of `LABEL.sliceManagedBy` and `LABEL.endpointsManagedBy`. */
export const MANAGED_BY = {
  endpointSliceController: 'endpointslice-controller.k8s.io',
  mirroringController: 'endpointslicemirroring-controller.k8s.io',
  endpointsController: 'endpoint-controller',
} as const;

/** Resources that the API server stores. */
export const RESOURCES = [
  'nodes',
  'pods',
  'services',
  'endpoints',
  'endpointslices',
  'deployments',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'controllerrevisions',
  'poddisruptionbudgets',
  'leases',
] as const;
export type Resource = (typeof RESOURCES)[number];

/** `namespace/name`. */
export const keyOf = ({ meta }: { readonly meta: ObjectMeta }): string => `${meta.namespace}/${meta.name}`;

/** Whether `labels` has all of `selector`. */
export function selects(selector: Labels, labels: Labels): boolean {
  for (const [key, value] of entriesOf(selector)) if (labels[key] !== value) return false;
  return true;
}

/** Selectors do not change, and are asked often. */
const entriesOf = memoizedWeakly((selector: Labels) => Object.entries(selector));

/** A Service without a cluster IP of its own (C-140). */
export const isHeadless = ({ spec }: ServiceObject): boolean => spec.clusterIP === '' || spec.clusterIP === 'None';

export const familyOf = (ip: string): IpFamily => (ip.includes(':') ? 'IPv6' : 'IPv4');
