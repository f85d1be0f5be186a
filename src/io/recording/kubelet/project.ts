import type { TraceEvent, TraceReader } from '../../../sim/trace/reader.ts';
import type { RecordedEvent } from '../event.ts';

/** A recorded event with what orders it within its instant. */
interface Placed {
  readonly event: RecordedEvent;
  /** Ends of spans come before what they cause. */
  readonly rank: number;
}

const STARTS = 1;
const ENDS = 0;

/**
 * A trace in the schema of `traces/kubelet`: lanes, types and fields as its README lists them. What that folder leaves
 * out is left out here. `podName` gives a Pod's display name for its identity. `saysNode`: events of the lanes kubelet and
 * probe that name no Pod name their node, as where several kubelets run.
 */
export function projectKubelet(
  trace: TraceReader,
  podName: (identity: string) => string,
  saysNode = false,
): RecordedEvent[] {
  const heldWorkers = new Set<number>();
  const stops = trace.events().filter(({ kind }) => kind === 'processStop');
  /** A kubelet that has waited since `at` stopped before `until`. */
  const stopsWithin = ({ at, subject }: TraceEvent, until: number): boolean =>
    stops.some((stop) => stop.subject.node === subject.node && stop.at > at && stop.at < until);
  const placed = trace.events().flatMap((event, index) => {
    const wasOnHold = heldWorkers.has(event.subjectIndex);
    if (event.kind === 'workerAdded') heldWorkers.delete(event.subjectIndex);
    if (event.kind === 'probeRun') {
      if (event.payload.node.startsWith('onHold')) heldWorkers.add(event.subjectIndex);
      else heldWorkers.delete(event.subjectIndex);
    }
    // A request that was on its way is never committed, and a call returns to nobody, when the kubelet stops.
    if (event.kind === 'apiRequest' && stopsWithin(event, event.payload.committedAt)) return [];
    const all = project(trace, event, podName(event.subject.pod), wasOnHold);
    const made = event.kind === 'stopContainer' && stopsWithin(event, event.end) ? all.slice(0, 1) : all;
    const named = saysNode ? made.map((one) => withNode(one, event.subject.node)) : made;
    return named.map((one) => ({ ...one, index }));
  });
  return placed
    .filter(({ event }) => event.t < trace.data.horizon)
    .sort(
      (a, b) => a.event.t - b.event.t || lastLane(a.event) - lastLane(b.event) || a.rank - b.rank || a.index - b.index,
    )
    .map(({ event }) => event);
}

const NODE_LANES: ReadonlySet<string> = new Set(['kubelet', 'probe']);
const withNode = (placed: Placed, node: string): Placed =>
  NODE_LANES.has(placed.event.lane) && !('pod' in placed.event)
    ? { ...placed, event: { ...placed.event, node } }
    : placed;

/** Within one instant the lane `events` comes last. */
const lastLane = ({ lane }: RecordedEvent): number => (lane === 'events' ? 1 : 0);

function project(trace: TraceReader, event: TraceEvent, pod: string, wasOnHold: boolean): Placed[] {
  const { at, end } = event;
  const { container, probe } = event.subject;
  const start = (lane: string, type: string, fields: object): Placed => ({
    event: { t: at, lane, type, ...fields },
    rank: STARTS,
  });
  const ended = (lane: string, type: string, fields: object): Placed[] =>
    Number.isNaN(end) ? [] : [{ event: { t: end, lane, type, ...fields }, rank: end > at ? ENDS : STARTS }];
  switch (event.kind) {
    case 'processStart':
    case 'processStop':
      return [start('kubelet', event.kind, {})];
    case 'action':
      return projectAction(event.payload, pod, start);
    case 'syncLoop':
      return [start('kubelet', 'syncLoop', syncLoopFields(event.payload))];
    case 'podWorkerWake':
      return [start('kubelet', 'podWorkerWake', { pod, work: event.payload.work })];
    case 'syncPod': {
      const { work: kind, error } = event.payload;
      const failed = error ? ended('kubelet', 'syncPodError', { pod, error }) : [];
      return [
        start('kubelet', 'syncPodStart', { pod, kind }),
        ...ended('kubelet', 'syncPodEnd', { pod, kind }),
        ...failed,
      ];
    }
    case 'killContainer':
      return [
        start('kubelet', 'killContainer', { pod, container, gracePeriodSeconds: event.payload.gracePeriodSeconds }),
      ];
    case 'preStop': {
      const over =
        event.payload.result === ''
          ? []
          : ended('kubelet', 'preStopEnd', { pod, container, result: event.payload.result });
      return [start('kubelet', 'preStopStart', { pod, container }), ...over];
    }
    case 'preStopFailed':
      return [{ ...start('kubelet', 'preStopEnd', { pod, container, result: 'failed' }), rank: ENDS - 1 }];
    case 'hook': {
      const { hook, result } = event.payload;
      const over = ended('runtime', 'hookEnd', { pod, container, hook, result });
      // A hook that its process takes along ends after the process.
      const after = over.map((one) => ({ ...one, rank: result === 'killed' ? STARTS + 1 : one.rank }));
      return [start('runtime', 'hookStart', { pod, container, hook }), ...after];
    }
    case 'backOff':
      // The real log line names neither, and so the recording has them empty. Its pass ends in the same instant, after it.
      return [
        { ...start('kubelet', 'backOff', { pod: '', container: '', message: event.payload.message }), rank: ENDS - 1 },
      ];
    case 'workerAdded':
      return [start('probe', 'worker', { op: 'added', pod, container, probe })];
    case 'workersStopped':
      return [start('probe', 'worker', { op: event.payload.op, pod })];
    case 'updatePodStatus':
      return [start('probe', 'updatePodStatus', { pod })];
    case 'pokeDropped':
      return [start('probe', 'pokeDropped', { probe })];
    case 'probeRun':
      return projectProbeRun(event, pod, wasOnHold, start, ended);
    case 'resultSet': {
      const { id, result, was } = event.payload;
      return [start('results', 'set', { pod, probe, id, result, ...(was && { was }) })];
    }
    case 'resultRemove':
      return [start('results', 'remove', { probe, id: event.payload.id })];
    case 'runPodSandbox':
      return [
        start('runtime', 'runPodSandboxStart', { pod }),
        ...ended('runtime', 'runPodSandboxEnd', { pod, ...event.payload }),
      ];
    case 'createContainer':
    case 'startContainer':
      return ended('runtime', event.kind, { pod, container, ...event.payload });
    case 'stopContainer': {
      const { attempt, timeoutSeconds } = event.payload;
      return [
        start('runtime', 'stopContainerStart', { pod, container, attempt, timeoutSeconds }),
        ...ended('runtime', 'stopContainerEnd', { pod, container, attempt }),
      ];
    }
    case 'sigterm':
      return [start('runtime', 'sigterm', { pod, container, attempt: event.payload.attempt })];
    case 'containerExit':
      return [start('runtime', 'containerExit', { pod, container, ...event.payload })];
    case 'stopPodSandbox':
    case 'removePodSandbox':
      return ended('runtime', event.kind, { pod, sandbox: event.payload.sandbox });
    case 'removeContainer':
      return ended('runtime', 'removeContainer', { pod, container, attempt: event.payload.attempt });
    case 'statusSet': {
      const { op, version, object } = event.payload;
      // A forced version that changed nothing is not in the recordings: they show changes of the cache.
      if (version > 1 && sameAsBefore(trace, event.subject.pod, object)) return [];
      return [start('status', 'set', { op, pod, version, status: statusOf(trace, object) })];
    }
    case 'apiRequest': {
      const { verb, subresource, committedAt, object, error } = event.payload;
      const status = object >= 0 ? { status: statusOf(trace, object) } : {};
      const fields = {
        verb,
        resource: 'pods',
        ...(subresource && { subresource }),
        name: pod,
        ...status,
        ...(error && { error }),
        ...(verb === 'delete' && { gracePeriodSeconds: 0 }),
      };
      return [{ event: { t: committedAt, lane: 'api', type: 'request', ...fields }, rank: ENDS }];
    }
    case 'kubeEvent':
      return [start('events', 'event', { ...event.payload })];
    default:
      return [];
  }
}

/** What the folder shows of an action: restarts only as the kubelet's own end and start. */
function projectAction(
  { action, detail }: { action: string; detail: string },
  pod: string,
  start: (lane: string, type: string, fields: object) => Placed,
): Placed[] {
  if (action === 'restartKubelet') return [];
  if (action === 'deletePod') return [start('world', action, { pod, graceSeconds: Number(detail) })];
  if (action === 'patchCondition') {
    const [condition = '', status = ''] = detail.split('=');
    return [start('world', action, { pod, condition, status })];
  }
  return [start('world', action, { pod })];
}

function syncLoopFields({
  channel,
  op,
  source,
  pods,
  id,
}: {
  channel: string;
  op: string;
  source: string;
  pods: string;
  id: string;
}): object {
  const names = pods === '' ? [] : pods.split(',');
  if (channel === 'config') return { channel, op, source, pods: names };
  if (channel === 'sync') return { channel, pods: names };
  return { channel, op, pod: names[0], ...(id && { id }) };
}

function projectProbeRun(
  event: Extract<TraceEvent, { kind: 'probeRun' }>,
  pod: string,
  wasOnHold: boolean,
  start: (lane: string, type: string, fields: object) => Placed,
  ended: (lane: string, type: string, fields: object) => Placed[],
): Placed[] {
  const { container, probe } = event.subject;
  const { cause, outcome, result, tries, tryEnds } = event.payload;
  // An attempt that the recording's end cut off was never logged: its turn looks like one that did not probe. And a turn
  // that ends a hold without probing is called by the hold that it found.
  const unfinished = outcome === 'attempt' && Number.isNaN(event.end);
  const skipped = outcome === 'skipped' || unfinished;
  const seen = skipped ? (wasOnHold ? 'onHold' : 'skipped') : outcome;
  const turn = start('probe', 'turn', { pod, container, probe, cause, outcome: seen });
  if (outcome !== 'attempt') return [turn];
  const tryEndT = tryEnds === '' ? {} : { tryEndT: tryEnds.split(',').map((offset) => event.at + Number(offset)) };
  const fields = {
    pod,
    container,
    probe,
    startT: event.at,
    endT: event.end,
    result,
    tries: tries.split(','),
    ...tryEndT,
  };
  return [turn, ...ended('probe', 'attempt', fields)];
}

function sameAsBefore(trace: TraceReader, pod: string, version: number): boolean {
  const versions = trace.versionsOf(`status/Pod/${pod}`);
  const before = versions[versions.findIndex(({ index }) => index === version) - 1];
  const text = (index: number): string =>
    JSON.stringify((JSON.parse(trace.versionText(index)) as PodStatusText).status);
  return before !== undefined && text(before.index) === text(version);
}

interface PodStatusText {
  readonly status: {
    readonly phase: string;
    readonly reason?: string;
    readonly podIP?: string;
    readonly conditions: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly lastTransitionTime: string;
    }[];
    readonly initContainerStatuses?: readonly ContainerText[];
    readonly containerStatuses: readonly ContainerText[];
  };
}
interface ContainerText {
  readonly name: string;
  readonly containerID?: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: { readonly waiting?: { readonly reason: string } };
  readonly lastState: Readonly<Record<string, unknown>>;
}

/** The part of a Pod status that the recordings keep. */
function statusOf(trace: TraceReader, version: number): object {
  const { status } = JSON.parse(trace.versionText(version)) as PodStatusText;
  const kept = status.conditions.filter(({ type }) => type !== 'PodScheduled');
  return {
    phase: status.phase,
    ...(status.reason && { reason: status.reason }),
    ...(status.podIP && { podIP: status.podIP }),
    conditions: Object.fromEntries(
      kept.map(({ type, status: value, reason, lastTransitionTime }) => [
        type,
        { status: value, since: lastTransitionTime, ...(reason && { reason }) },
      ]),
    ),
    ...(status.initContainerStatuses && { initContainers: status.initContainerStatuses.map(containerFields) }),
    containers: status.containerStatuses.map(containerFields),
  };
}

const containerFields = ({
  name,
  containerID,
  ready,
  started,
  restartCount,
  state,
  lastState,
}: ContainerText): object => ({
  name,
  ...(containerID && { id: containerID }),
  ready,
  started,
  restartCount,
  state: withoutMessage(state),
  ...(Object.keys(lastState).length > 0 && { lastState }),
});

/** Waiting messages are not in the recordings. */
function withoutMessage(state: { readonly waiting?: { readonly reason: string } }): object {
  const { waiting } = state;
  return waiting ? { waiting: { reason: waiting.reason } } : state;
}
