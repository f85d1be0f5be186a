import { capitalised, formatDuration } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import { clientText } from './clientEn.ts';
import {
  type ControlPlaneEvent,
  componentName,
  kindName,
  objectName,
  syncedName,
  writtenName,
} from './controlPlane.ts';
import { LOGS } from './logEn.ts';
import { logText } from './logs.ts';

const STORED: Readonly<Record<string, string>> = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' };

/** One event of the control plane or of a proxy as one phrase. */
export function controlPlaneText(event: ControlPlaneEvent): string {
  const name = componentName(event);
  switch (event.kind) {
    case 'stored': {
      const { type, resource, resourceVersion } = event.payload;
      const object =
        event.subject.pod === '' ? objectName(event.subject.object) : `${kindName(resource)} ${event.subject.pod}`;
      return `API server: ${object} is ${STORED[type] ?? type}, resourceVersion ${resourceVersion}`;
    }
    case 'apiWrite':
      return writeText(event);
    case 'watchList':
      return `${capitalised(name)} gets the list of ${event.payload.resource}: ${event.payload.count}`;
    case 'watchEvent': {
      const { resource, type, name: object } = event.payload;
      return `${capitalised(name)} hears of ${kindName(resource)} ${object}: ${type}`;
    }
    case 'queueAddAfter': {
      const { delay } = event.payload;
      return `${capitalised(name)}: ${event.subject.object} is to be queued ${delay > 0 ? `in ${formatDuration(delay)}` : 'at once'}`;
    }
    case 'queueAdd':
      return `${capitalised(name)}: ${event.subject.object} is queued`;
    case 'queueGet':
      return `${capitalised(name)} takes ${event.subject.object} from its queue after ${formatDuration(event.payload.waited)}`;
    case 'queueDone':
      return `${capitalised(name)} is done with ${event.subject.object} after ${formatDuration(event.payload.processed)}`;
    case 'podSynced':
      return `${capitalised(name)} looks for the Services of the Pod`;
    case 'controllerSync': {
      const { isBare, error } = event.payload;
      const outcome = error !== '' ? `, error: ${error}` : isBare ? ': nothing to do for it' : '';
      return `${capitalised(name)} syncs ${syncedName(event)}${outcome}`;
    }
    case 'endpointsCompared': {
      const { isEqual, ready, notReady } = event.payload;
      return `${capitalised(name)}: ${ready} ready, ${notReady} not ready; ${isEqual ? 'as stored, so nothing is written' : 'not as stored, so it writes'}`;
    }
    case 'queueRetry':
      return `${capitalised(name)} tries ${event.subject.object} again: ${event.payload.error}`;
    case 'queueDropped':
      return `${capitalised(name)} gives ${event.subject.object} up: ${event.payload.error}`;
    case 'mirrorCleanup':
      return `${capitalised(name)} removes the slices that it made for ${event.subject.object}`;
    case 'controllerLog': {
      const about = [capitalised(name), event.subject.object || event.subject.node].filter(Boolean).join(', ');
      return `${about}: ${logText(LOGS, event.payload.message, event.payload.values)}`;
    }
    case 'controllerEvent': {
      const { reason, message, about, count } = event.payload;
      return `Event ${reason} about ${about}${count > 1 ? `, ×${count}` : ''}: ${message}`;
    }
    case 'clientStart':
    case 'clientAttempt':
    case 'connectionOpened':
    case 'connectionClosed':
    case 'dnsLookup':
    case 'targetHealth':
      return clientText(event);
    default:
      return proxyText(event);
  }
}

function writeText(event: TraceEvent<'apiWrite'>): string {
  const { actor, verb, code, noop, error } = event.payload;
  const outcome =
    error !== ''
      ? `, ${code}: ${error}`
      : noop
        ? ', which changes nothing'
        : Number.isNaN(event.end)
          ? ', not answered yet'
          : '';
  return `${actor}: ${verb.toUpperCase()} ${writtenName(event)}${outcome}`;
}

type ProxyEvent = Extract<
  ControlPlaneEvent,
  {
    readonly kind:
      | `proxy${string}`
      | 'rulesChanged'
      | 'deleteStaleChains'
      | 'conntrackList'
      | 'conntrackDelete'
      | 'healthCheck';
  }
>;

function proxyText(event: ProxyEvent): string {
  const name = event.subject.object;
  switch (event.kind) {
    case 'proxyChange': {
      const { kind, op, name: object } = event.payload;
      return `${name} notes a change: ${kind} ${object}${op === '' ? '' : `, ${op}`}`;
    }
    case 'proxySync': {
      const { isFull, family, result } = event.payload;
      const outcome = result === 'failed' ? ', which fails: the old rules stay' : '';
      return `${name} writes ${isFull ? 'all rules' : 'the rules of what changed'}${family === '' ? '' : ` (${family})`}${outcome}`;
    }
    case 'rulesChanged':
      return `${name}: other rules for Service ${event.payload.service} are in force`;
    case 'proxySyncFailed':
      return `${name} tries again in ${formatDuration(event.payload.retry)} at the latest`;
    case 'proxyError':
      return `${name} logs: ${event.payload.message}${event.payload.error === '' ? '' : `: ${event.payload.error}`}`;
    case 'proxyNotInitialised':
      return `${name} writes nothing: it does not know all Services and slices yet`;
    case 'proxyTopology':
      return `${name} sees other topology labels on its node: ${event.payload.labels}`;
    case 'deleteStaleChains':
      return `${name} deletes ${event.payload.chains} chains that nothing uses any more`;
    case 'conntrackList':
      return `${name} looks through ${event.payload.entries} UDP connections`;
    case 'conntrackDelete': {
      const { protocol, dest, backend } = event.payload;
      return `${name} forgets the ${protocol} connection to ${dest} that ${backend} answers`;
    }
    case 'healthCheck': {
      const { service, port, localEndpoints, httpStatus } = event.payload;
      return `${name} answers ${httpStatus} for ${service} on health check port ${port}: ${localEndpoints} local endpoints`;
    }
  }
}
