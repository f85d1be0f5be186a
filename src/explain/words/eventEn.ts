import { formatDuration } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import { controlPlaneText } from './controlPlaneEn.ts';
import { en } from './en.ts';
import type { EventWords } from './words.ts';

export const eventEn: EventWords = { event: eventText };

const CHANNEL: Readonly<Record<string, string>> = {
  config: 'a change of its Pods',
  pleg: 'a change in the container runtime (PLEG)',
  sync: 'its 1 s tick with Pods that are due',
  housekeeping: 'its housekeeping tick',
};

const PRE_STOP: Readonly<Record<string, string>> = {
  completed: ' is done',
  gracePeriodExceeded: ' outlives the grace period and is left running',
};

function probeRunText({ payload, subject, at, end }: TraceEvent<'probeRun'>): string {
  const name = `${subject.probe} probe of ${subject.container}`;
  switch (payload.outcome) {
    case 'attempt':
      return `${name}: ${payload.result} after ${formatDuration(end - at)}`;
    case 'onHold':
      return `${name}: on hold until a new container`;
    case 'noStatus':
      return `${name}: not probed, the Pod has no status yet`;
    case 'noContainer':
      return `${name}: not probed, the container has no id yet`;
    case 'notRunning':
      return `${name}: not probed, the container is not running`;
    case 'podTerminated':
      return `${name}: the Pod has ended, the worker leaves`;
    case 'deletionRequested':
      return `${name}: the Pod is being deleted, the worker leaves`;
    default:
      return payload.node.startsWith('waiting.delayed')
        ? `${name}: not probed, initialDelaySeconds is not over`
        : `${name}: not probed, gated by startup`;
  }
}

const SERVE: Readonly<Record<string, string>> = {
  refuse: 'refused',
  hang: 'accepted and never answered',
  answer: 'answered',
};

/** One event as one phrase. */
function eventText(event: TraceEvent): string {
  switch (event.kind) {
    case 'action':
      return en.action(event.payload);
    case 'appState': {
      const { state, detail } = event.payload;
      return `App in ${event.subject.container}: ${state}${detail === '' ? '' : ` (${detail})`}`;
    }
    case 'appServe': {
      const { state, code } = event.payload;
      return `App in ${event.subject.container}: new connections are ${SERVE[state] ?? state}${code > 0 ? ` with ${code}` : ''}`;
    }
    case 'processStart':
      return 'The kubelet starts';
    case 'processStop':
      return 'The kubelet process ends';
    case 'housekeeping':
      return `Housekeeping: ${event.payload.work}`;
    case 'syncLoop': {
      const { channel, op, pods } = event.payload;
      const what = CHANNEL[channel] ?? `a ${channel} result`;
      return `syncLoop receives ${what}${op === '' ? '' : `: ${op}`}${pods === '' ? '' : ` ${pods}`}`;
    }
    case 'podWorkerWake':
      return `Pod worker takes up its next pass (${event.payload.work})`;
    case 'syncPod': {
      const { work, pass, error } = event.payload;
      return `Pod worker: pass ${pass} (${work})${error === '' ? '' : `, error: ${error}`}`;
    }
    case 'syncPodStep':
      return `SyncPod, step ${event.payload.step}${event.payload.error === '' ? '' : `, error: ${event.payload.error}`}`;
    case 'pullImage':
      return `Runtime: pull of ${event.payload.image}${event.payload.error === '' ? '' : `, error: ${event.payload.error}`}`;
    case 'killContainer':
      return `Container ${event.subject.container} is killed, grace ${event.payload.gracePeriodSeconds}\u00a0s`;
    case 'preStop':
      return `preStop hook of ${event.subject.container}${PRE_STOP[event.payload.result] ?? ' is running'}`;
    case 'preStopFailed':
      return `preStop hook of ${event.subject.container} fails`;
    case 'hook':
      return `Runtime: ${event.payload.hook} command in ${event.subject.container}${event.payload.result === '' ? '' : `: ${event.payload.result}`}`;
    case 'backOff':
      return `Not restarted yet: ${event.payload.message}`;
    case 'requeue':
      return `Next pass at the latest in ${formatDuration(event.payload.delay)} (${event.payload.reason})`;
    case 'workerAdded':
      return `${event.subject.probe} worker of ${event.subject.container} is created`;
    case 'workersStopped':
      return `Probe workers are told to stop (${event.payload.op})`;
    case 'workerExited':
      return `${event.subject.probe} worker of ${event.subject.container} leaves`;
    case 'updatePodStatus':
      return 'Prober fills in started and ready';
    case 'poke':
      return `${event.subject.probe} worker of ${event.subject.container} gets a manual trigger`;
    case 'pokeDropped':
      return `${event.subject.probe} worker of ${event.subject.container} already has a manual trigger: this one is dropped`;
    case 'startSleep':
      return `${event.subject.probe} worker of ${event.subject.container} sleeps ${formatDuration(event.payload.length)} before its first turn`;
    case 'probeRun':
      return probeRunText(event);
    case 'resultSet':
      return `${event.subject.probe} result of ${event.subject.container}: ${event.payload.result}${event.payload.was === '' ? '' : `, was ${event.payload.was}`}`;
    case 'resultRemove':
      return `${event.subject.probe} result of ${event.subject.container} is removed`;
    case 'runPodSandbox':
      return `Runtime: sandbox is made, address ${event.payload.ip}`;
    case 'createContainer':
      return `Runtime: container ${event.subject.container} is created, attempt ${event.payload.attempt}`;
    case 'startContainer':
      return `Runtime: container ${event.subject.container} is started, attempt ${event.payload.attempt}`;
    case 'stopContainer':
      return `Runtime: container ${event.subject.container} is stopped within ${event.payload.timeoutSeconds}\u00a0s`;
    case 'sigterm':
      return `${event.subject.container} gets SIGTERM`;
    case 'containerExit':
      return `${event.subject.container} exits with ${event.payload.exitCode}`;
    case 'stopPodSandbox':
      return 'Runtime: sandbox is stopped';
    case 'removeContainer':
      return `Runtime: container ${event.subject.container} is removed`;
    case 'removePodSandbox':
      return 'Runtime: sandbox is removed';
    case 'statusSet':
      return `Status manager stores v${event.payload.version} (${event.payload.op})`;
    case 'apiRequest': {
      const { verb, subresource, version } = event.payload;
      return `${verb.toUpperCase()} ${subresource === '' ? 'pod' : subresource}${version > 0 ? ` v${version}` : ''}`;
    }
    case 'kubeEvent':
      return `Event ${event.payload.reason}: ${event.payload.message}`;
    default:
      return controlPlaneText(event);
  }
}
