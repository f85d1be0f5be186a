/** Identity of lanes, and which lane an event belongs to. */
import type { TraceEvent, TraceReader } from '../../sim/trace/reader.ts';
import { controlPlaneLaneOf } from './controlPlaneLaneOf.ts';
import type { Lane, LaneKind } from './marks.ts';

export interface LaneOwner {
  readonly node: string;
  /** Pod identity; '' for a lane of the node. */
  readonly pod: string;
}

/** `kind|node|pod|container|part`: made of identities only, so it stays over edits and in links. */
export const laneId = (kind: LaneKind, { node, pod }: LaneOwner, container: string, part: string): string =>
  [kind, pod === '' ? node : '', pod, container, part].join('|');

/** Kinds that say more closely what other lanes say: shown on demand. */
const DETAILS: ReadonlySet<LaneKind> = new Set(['runtime', 'results', 'phase', 'container', 'events']);
/** Conditions of every Pod beside Ready, which is the question. */
export const DETAIL_CONDITIONS = [
  'ContainersReady',
  'Initialized',
  'PodReadyToStartContainers',
  'PodScheduled',
] as const;
const USUAL_CONDITIONS: ReadonlySet<string> = new Set(DETAIL_CONDITIONS);

/** Whether a lane comes hidden where its group has others. */
export const isDetail = ({ kind, part }: Pick<Lane, 'kind' | 'part'>): boolean =>
  DETAILS.has(kind) || (kind === 'condition' && USUAL_CONDITIONS.has(part));

/** A lane without marks. */
export const emptyLane = (owner: LaneOwner, kind: LaneKind, container: string, part = ''): Lane => ({
  id: laneId(kind, owner, container, part),
  kind,
  node: owner.node,
  pod: owner.pod,
  container,
  part,
  title: '',
  bands: [],
  bars: [],
  steps: [],
  glyphs: [],
  waits: [],
  parts: [],
});

/** The lane of a channel of a node's syncLoop. */
export const channelLaneId = (node: string, channel: string): string =>
  laneId('channel', { node, pod: '' }, '', channel);

/** Does an event stand on that lane, marked there or not? What a syncLoop receives stands on two. */
export function isOnLane(event: TraceEvent, lane: string, reader: TraceReader): boolean {
  const channel = channelOf(event);
  return laneOf(event, reader) === lane || (channel !== null && channelLaneId(event.subject.node, channel) === lane);
}

/** The channel of the syncLoop on which an event came; null for others. */
export function channelOf(event: TraceEvent): string | null {
  if (event.kind === 'housekeeping') return 'housekeeping';
  return event.kind === 'syncLoop' ? event.payload.channel : null;
}

/** The lane on which an event stands, marked there or not; null for what no lane shows. */
export function laneOf(event: TraceEvent, reader: TraceReader): string | null {
  const { subject } = event;
  const on = (kind: LaneKind, container = '', part = ''): string => laneId(kind, subject, container, part);
  switch (event.kind) {
    case 'appState':
    case 'appServe':
      return on('app', subject.container);
    case 'pullImage':
    case 'runPodSandbox':
    case 'createContainer':
    case 'startContainer':
    case 'stopContainer':
    case 'sigterm':
    case 'hook':
    case 'containerExit':
    case 'stopPodSandbox':
    case 'removeContainer':
    case 'removePodSandbox':
      return on('runtime');
    case 'workerAdded':
    case 'workerExited':
    case 'poke':
    case 'pokeDropped':
    case 'startSleep':
    case 'probeRun':
      return on('worker', subject.container, subject.probe);
    case 'resultSet':
    case 'resultRemove':
      return on('results');
    case 'processStart':
    case 'processStop':
    case 'housekeeping':
    case 'syncLoop':
      return laneId('syncLoop', { node: subject.node, pod: '' }, '', '');
    case 'podWorkerWake':
    case 'syncPod':
    case 'syncPodStep':
    case 'killContainer':
    case 'preStop':
    case 'preStopFailed':
    case 'backOff':
    case 'requeue':
    case 'workersStopped':
    case 'updatePodStatus':
      return on('podWorker');
    case 'statusSet':
    case 'apiRequest':
      return on('status');
    case 'kubeEvent':
      return on('events');
    case 'action':
      return null;
    default:
      return controlPlaneLaneOf(event, reader);
  }
}
