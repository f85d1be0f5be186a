/** Events of the API server, the controllers, the proxies and the clients: told apart from the kubelet's, so that each has its file. */
import type { EventKind } from '../../sim/trace/kinds.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';

/** Kinds of event that only runs with a cluster have. */
export type ControlPlaneKind = Extract<
  EventKind,
  | 'stored'
  | 'apiWrite'
  | 'watchList'
  | 'watchEvent'
  | 'queueAddAfter'
  | 'queueAdd'
  | 'queueGet'
  | 'queueDone'
  | 'podSynced'
  | 'controllerSync'
  | 'endpointsCompared'
  | 'queueRetry'
  | 'queueDropped'
  | 'mirrorCleanup'
  | 'controllerLog'
  | 'controllerEvent'
  | 'proxyChange'
  | 'proxySync'
  | 'rulesChanged'
  | 'proxySyncFailed'
  | 'proxyError'
  | 'proxyNotInitialised'
  | 'proxyTopology'
  | 'deleteStaleChains'
  | 'conntrackList'
  | 'conntrackDelete'
  | 'healthCheck'
  | ClientKind
>;
export type ControlPlaneEvent = TraceEvent<ControlPlaneKind>;

/** Of these, what a client does and sees. */
type ClientKind =
  | 'clientStart'
  | 'clientAttempt'
  | 'connectionOpened'
  | 'connectionClosed'
  | 'dnsLookup'
  | 'targetHealth';
export type ClientEvent = TraceEvent<ClientKind>;

/** `Service default/web` of `services/default/web`; the name of another subject as it is. */
export function objectName(object: string): string {
  const [resource = '', ...name] = object.split('/');
  const kind = KINDS[resource];
  return kind === undefined ? object : `${kind} ${name.join('/')}`;
}
export const kindName = (resource: string): string => KINDS[resource] ?? resource;

const KINDS: Readonly<Record<string, string>> = {
  nodes: 'Node',
  pods: 'Pod',
  services: 'Service',
  endpoints: 'Endpoints',
  endpointslices: 'EndpointSlice',
  deployments: 'Deployment',
  replicasets: 'ReplicaSet',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  controllerrevisions: 'ControllerRevision',
  poddisruptionbudgets: 'PodDisruptionBudget',
  leases: 'Lease',
};

/** How the components call themselves. */
const COMPONENTS: Readonly<Record<string, string>> = {
  endpointsController: 'endpoints controller',
  endpointSliceController: 'EndpointSlice controller',
  mirroringController: 'EndpointSliceMirroring controller',
  kubeProxy: 'kube-proxy',
  deployment: 'Deployment controller',
  replicaset: 'ReplicaSet controller',
  statefulset: 'StatefulSet controller',
  daemonset: 'DaemonSet controller',
  nodelifecycle: 'node lifecycle controller',
  tainteviction: 'taint eviction controller',
  podgc: 'Pod garbage collector',
  disruption: 'disruption controller',
  scheduler: 'scheduler',
};
export const componentName = ({ subject }: ControlPlaneEvent): string =>
  COMPONENTS[subject.component] ?? subject.component;

/** `Deployment shop/web`: what a controller syncs; a node or a key of another kind as it is. */
export function syncedName({ subject: { component, object, node } }: ControlPlaneEvent): string {
  const kind = SYNCED[component];
  const key = object || node;
  return kind === undefined ? key : `${kind} ${key}`;
}
const SYNCED: Readonly<Record<string, string>> = {
  endpointsController: 'Service',
  endpointSliceController: 'Service',
  mirroringController: 'Endpoints',
  deployment: 'Deployment',
  replicaset: 'ReplicaSet',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
  disruption: 'PodDisruptionBudget',
};

/** What a write is about: its object, or how the name begins that the server completes. */
export const writtenName = ({ payload }: TraceEvent<'apiWrite'>): string =>
  `${kindName(payload.resource)} ${payload.name === '' ? `${payload.generateName}…` : payload.name}`;
