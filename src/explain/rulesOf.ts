/** Which rules made an event what it is. */
import type { TraceEvent } from '../sim/trace/reader.ts';
import { controlPlaneRulesOf } from './controlPlaneRulesOf.ts';
import type { RuleNumber } from './rules.ts';

const SYNC_LOOP: Readonly<Record<string, RuleNumber>> = {
  pleg: 'K-015',
  readiness: 'K-016',
  liveness: 'K-016',
  startup: 'K-016',
  sync: 'K-017',
};
const STATUS_OP: readonly (readonly [part: string, number: RuleNumber])[] = [
  ['readiness', 'K-174'],
  ['startup', 'K-175'],
];
const TURN: Readonly<Record<string, RuleNumber>> = {
  onHold: 'K-124',
  noStatus: 'K-120',
  noContainer: 'K-122',
  notRunning: 'K-125',
  podTerminated: 'K-121',
  deletionRequested: 'K-126',
};

/** Numbers of the rules that made the event what it is, the most telling first; empty for what only the world does. */
export function rulesOf(event: TraceEvent): readonly RuleNumber[] {
  switch (event.kind) {
    case 'syncLoop':
      return event.payload.channel === 'config'
        ? [CONFIG[event.payload.op] ?? 'K-008']
        : [SYNC_LOOP[event.payload.channel] ?? 'K-008'];
    case 'podWorkerWake':
      return ['K-032'];
    case 'syncPod':
      return [PASS[event.payload.work] ?? 'K-046'];
    case 'syncPodStep':
      return ['K-046'];
    case 'pullImage':
      return ['K-075'];
    case 'preStop':
    case 'preStopFailed':
      return ['K-082'];
    case 'hook':
      return [event.payload.hook === 'postStart' ? 'K-072' : 'K-082'];
    case 'housekeeping':
      return ['K-018'];
    case 'killContainer':
      return ['K-067', 'K-082'];
    case 'stopContainer':
    case 'sigterm':
      return ['K-082'];
    case 'backOff':
      return ['K-078'];
    case 'requeue':
      return ['K-040'];
    case 'workerAdded':
      return ['K-110'];
    case 'workersStopped':
      return ['K-114'];
    case 'workerExited':
      return ['K-118'];
    case 'updatePodStatus':
      return ['K-204'];
    case 'poke':
    case 'pokeDropped':
      return ['K-205'];
    case 'startSleep':
      return ['K-116'];
    case 'probeRun':
      return probeRunRules(event);
    case 'resultSet':
      return event.payload.was === '' ? ['K-123', 'K-160'] : ['K-160'];
    case 'resultRemove':
      return ['K-161'];
    case 'runPodSandbox':
    case 'stopPodSandbox':
    case 'removePodSandbox':
      return ['K-060'];
    case 'createContainer':
    case 'startContainer':
    case 'removeContainer':
      return ['K-072'];
    case 'containerExit':
      return ['K-101'];
    case 'statusSet':
      return [STATUS_OP.find(([part]) => event.payload.op.toLowerCase().includes(part))?.[1] ?? 'K-173'];
    case 'apiRequest':
      return ['K-185'];
    case 'kubeEvent':
      return EVENT[event.payload.reason]?.(event.payload.message) ?? [];
    case 'action':
    case 'appState':
    case 'appServe':
    case 'processStart':
    case 'processStop':
      return [];
    default:
      return controlPlaneRulesOf(event);
  }
}

const CONFIG: Readonly<Record<string, RuleNumber>> = {
  ADD: 'K-010',
  UPDATE: 'K-011',
  DELETE: 'K-011',
  REMOVE: 'K-012',
  RECONCILE: 'K-013',
};
const PASS: Readonly<Record<string, RuleNumber>> = { terminating: 'K-048', terminated: 'K-050' };

/** One message for the attempts that answered, another for those that could not ask. */
const EVENT: Readonly<Record<string, (message: string) => readonly RuleNumber[]>> = {
  Unhealthy: (message) => [message.includes('probe errored') ? 'K-135' : 'K-136'],
  ProbeWarning: () => ['K-136'],
};

function probeRunRules({ payload }: TraceEvent<'probeRun'>): readonly RuleNumber[] {
  const manual: readonly RuleNumber[] = payload.cause === 'manual' ? ['K-205'] : [];
  if (payload.outcome !== 'attempt') {
    const skipped = payload.node.startsWith('waiting.delayed') ? 'K-127' : 'K-128';
    return [TURN[payload.outcome] ?? skipped, ...manual];
  }
  if (payload.result === 'error') return ['K-129', 'K-135', ...manual];
  return payload.node.startsWith('onHold') ? ['K-133', 'K-131', ...manual] : ['K-131', ...manual];
}
