/** Which rules an event of a run tells of by itself. What only a whole history shows is not claimed here. */
import { rulesOf } from '../../src/explain/rulesOf.ts';
import type { Payload } from '../../src/sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../../src/sim/trace/reader.ts';

const STATUS_OPS: Readonly<Record<string, readonly string[]>> = {
  setPodStatus: ['K-187', 'K-188', 'K-200', 'K-202', 'K-207', 'K-209'],
  terminatePod: ['K-176'],
};
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  get: ['K-182', 'K-183'],
  patch: ['K-189'],
  delete: ['K-186'],
};
/** What controllers of workloads and nodes log. */
const LOGGED: Readonly<Record<string, readonly string[]>> = {
  scaledUpNew: ['N-011'],
  scaledDownOld: ['N-011'],
  progressCheckIn: ['N-014'],
  tooFew: ['N-020'],
  tooMany: ['N-020', 'N-021'],
  waitReady: ['N-022'],
  waitTerminate: ['N-022'],
  markPodsNotReady: ['N-033'],
  taintQueue: ['N-035'],
  zoneState: ['N-035'],
  evictionSet: ['N-036'],
  evictionCancelled: ['N-036'],
  orphan: ['N-037'],
  unschedulable: ['N-001'],
};
const REQUEUES: Readonly<Record<string, readonly string[]>> = { 'back-off': ['K-076'], 'phase transition': ['K-052'] };

function ofProbeRun({ cause, outcome, result, tries, node }: Payload<'probeRun'>): readonly string[] {
  const rules: string[] = ['K-117'];
  if (result === 'success' || result === 'failure') rules.push('K-130');
  if (tries.includes(',')) rules.push('K-135');
  if (cause === 'manual' && outcome === 'attempt') rules.push('K-205');
  if (node.startsWith('waiting.gated')) rules.push('K-128');
  return rules;
}

/** Rules in the event's own payload, beyond those that the page explains it with. */
function own(event: TraceEvent, causes: readonly TraceEvent[]): readonly string[] {
  switch (event.kind) {
    case 'processStart':
      return ['K-001'];
    case 'syncLoop':
      if (event.payload.channel === 'config') return ['K-005'];
      if (event.payload.channel === 'sync') return ['K-042'];
      // Of the causes of what a relist tells, a pass is the one that asked for it.
      return event.payload.channel === 'pleg'
        ? ['K-092', ...(causes.some(({ kind }) => kind === 'syncPod') ? ['K-096'] : [])]
        : [];
    case 'podWorkerWake':
      return event.payload.work === 'terminating' ? ['K-034'] : [];
    case 'syncPod':
      return event.payload.pass > 1 ? ['K-099'] : ['K-098'];
    case 'requeue':
      return REQUEUES[event.payload.reason] ?? [];
    case 'killContainer':
      return ['K-083'];
    case 'preStop':
      return event.payload.result === 'gracePeriodExceeded' ? ['K-086'] : [];
    case 'backOff':
      return ['K-076', 'K-077'];
    case 'workersStopped':
      return event.payload.op === 'stopLivenessAndStartup' ? ['K-113'] : [];
    case 'probeRun':
      return ofProbeRun(event.payload);
    case 'resultSet':
      return event.payload.was === '' ? ['K-123'] : ['K-132'];
    case 'resultRemove':
      return ['K-161'];
    case 'createContainer':
      return event.payload.attempt > 0 ? ['K-066'] : [];
    case 'statusSet':
      return [
        'K-170',
        'K-177',
        ...(STATUS_OPS[event.payload.op] ?? []),
        ...(causes.some(({ kind }) => kind === 'runPodSandbox') ? ['K-070'] : []),
      ];
    case 'apiRequest':
      return event.payload.verb === 'create' ? ['K-192'] : (REQUESTS[event.payload.verb] ?? []);
    case 'controllerLog':
      return LOGGED[event.payload.message] ?? [];
    case 'kubeEvent':
      return event.payload.reason === 'Killing' ? ['K-084'] : [];
    default:
      return [];
  }
}

/** Numbers of all rules that some event of the run tells of. */
export function exercisedRules(reader: TraceReader): ReadonlySet<string> {
  const found = new Set<string>();
  for (const event of reader.events()) {
    const causes = reader.causesOf(event.ref).map((ref) => reader.event(ref));
    for (const rule of [...rulesOf(event), ...own(event, causes)]) found.add(rule);
  }
  return found;
}
