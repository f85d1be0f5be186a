/** Which lane an event of the control plane or of a proxy belongs to. */
import type { TraceEvent, TraceReader } from '../../sim/trace/reader.ts';
import { rulesIn } from '../../sim/trace/rulesInForce.ts';
import { serviceOfSlice } from '../../sim/trace/storedObjects.ts';
import { laneId } from './lane.ts';
import type { LaneKind } from './marks.ts';
import { deploymentOf, replicaSetsOf } from './replicaSets.ts';

const CONTROLLER_LANE: Readonly<Record<string, LaneKind>> = {
  endpointsController: 'endpointsController',
  endpointSliceController: 'endpointSliceController',
  mirroringController: 'mirroringController',
};
const WRITER_LANE: Readonly<Record<string, LaneKind>> = {
  endpoints: 'endpointsController',
  endpointslices: 'endpointSliceController',
  mirroring: 'mirroringController',
};

/** Identity of a lane of a Service (`namespace/name`), or of a proxy by its name. */
export const objectLaneId = (kind: LaneKind, object: string): string => laneId(kind, { node: '', pod: '' }, '', object);

/** The lane of an event that is not the kubelet's; null for what no lane shows. */
export function controlPlaneLaneOf(event: TraceEvent, reader: TraceReader): string | null {
  const { component, object } = event.subject;
  if (event.kind === 'stored') return storedLaneOf(event, reader);
  if (event.kind === 'apiWrite') {
    const kind = WRITER_LANE[event.payload.actor];
    const service = serviceOfWrite(event, reader);
    return kind === undefined || service === '' ? null : objectLaneId(kind, service);
  }
  if (event.kind === 'rulesChanged') return rulesLaneOf(event, reader);
  if (component === 'client') return objectLaneId('client', object);
  if (component === 'kubeProxy') return objectLaneId('ruleSync', object);
  const kind = CONTROLLER_LANE[component];
  // What a controller hears is about a resource, not about one Service.
  return kind === undefined || !object.includes('/') ? null : objectLaneId(kind, object);
}

function storedLaneOf({ subject, payload }: TraceEvent<'stored'>, reader: TraceReader): string | null {
  const key = subject.object.slice(payload.resource.length + 1);
  switch (payload.resource) {
    case 'pods':
      return laneId('condition', subject, '', 'Ready');
    case 'endpoints':
      return objectLaneId('endpoints', key);
    case 'endpointslices':
      return objectLaneId('endpointSlices', serviceOfSlice(reader, key));
    case 'nodes':
      return laneId('nodeReady', { node: key, pod: '' }, '', '');
    case 'leases':
      return laneId('lease', { node: key.slice(key.indexOf('/') + 1), pod: '' }, '', '');
    case 'replicasets':
      return replicaSetLaneOf(key, reader);
    case 'deployments':
    case 'statefulsets':
    case 'daemonsets':
    case 'poddisruptionbudgets':
      return objectLaneId('workload', subject.object);
    default:
      return null;
  }
}

/** Identity of the lane of a Deployment's ReplicaSet number `index`, from 0: hashes are for display only. */
export const replicaSetLaneId = (deployment: string, index: number): string =>
  objectLaneId('replicaSet', `${deployment}#${index + 1}`);

function replicaSetLaneOf(key: string, reader: TraceReader): string | null {
  const deployment = deploymentOf(reader, key);
  return deployment === null ? null : replicaSetLaneId(deployment, replicaSetsOf(reader, deployment).indexOf(key));
}

/** Identity of the lane of one port of a Service in the rules of a proxy. */
export const rulesLaneId = (proxy: string, service: string, port: string): string =>
  objectLaneId('rules', `${proxy} ${service} ${port}`);

/** The lane of the first port; the syncs when the Service is gone. */
function rulesLaneOf({ subject, payload }: TraceEvent<'rulesChanged'>, reader: TraceReader): string {
  const [first] = rulesIn(reader, payload.rules).frontends;
  return first === undefined
    ? objectLaneId('ruleSync', subject.object)
    : rulesLaneId(subject.object, payload.service, first.port);
}

/** A write is caused by the sync of a Service; '' for one that a script makes. */
export function serviceOfWrite({ ref }: TraceEvent<'apiWrite'>, reader: TraceReader): string {
  const [sync] = reader.causesOf(ref);
  if (sync === undefined) return '';
  const { kind, subject } = reader.event(sync);
  return kind === 'controllerSync' ? subject.object : '';
}
