import { formatDuration } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import type { ClientEvent } from './controlPlane.ts';

const OUTCOME: Readonly<Record<string, string>> = {
  served: 'is answered',
  errorAnswer: 'gets an error',
  wrongPod: 'is answered, but by a Pod that the Service does not select',
  refused: 'is refused by the Pod',
  rejected: 'is rejected by the rules: no backend',
  timeout: 'gets no answer',
  reset: 'is reset',
  noAddress: 'has nowhere to go: no address',
};

const CLOSED: Readonly<Record<string, string>> = {
  idleTimeout: 'the client did not use it any more',
  maxRequests: 'it has carried as many requests as it may',
  byApp: 'the app ended it',
  reset: 'the other end is gone',
  timeout: 'no answer came',
};

const ANSWERED_BY: Readonly<Record<string, string>> = {
  clientCache: 'from its own cache',
  nodeLocal: 'from the cache of its node',
  cache: 'from the cache of CoreDNS',
  coredns: 'from CoreDNS',
};

/** One event of a client as one phrase. */
export function clientText(event: ClientEvent): string {
  const name = event.subject.object || event.subject.pod;
  switch (event.kind) {
    case 'clientStart': {
      const { service, target, every } = event.payload;
      return `Client ${name} asks ${service === '' ? target : `Service ${service}`} every ${formatDuration(every)}`;
    }
    case 'clientAttempt':
      return attemptText(event);
    case 'connectionOpened':
      return `${name} keeps connection ${event.payload.connection} to ${event.payload.pod} open`;
    case 'connectionClosed':
      return `Connection ${event.payload.connection} of ${name} is closed: ${CLOSED[event.payload.reason] ?? ''}`;
    case 'dnsLookup': {
      const { name: asked, from, answer, ttl } = event.payload;
      return `${name} looks up ${asked}: ${answer}, ${ANSWERED_BY[from] ?? from}, good for ${ttl} s`;
    }
    case 'targetHealth':
      return `The load balancer of ${name} takes ${event.payload.node} for ${event.payload.state}`;
  }
}

function attemptText({ payload, subject }: TraceEvent<'clientAttempt'>): string {
  const { n, pod, backend, outcome, code, try: turn, connection } = payload;
  const to = backend === '' ? '' : ` to ${pod === '' ? backend : pod}`;
  const again = turn > 0 ? `, retry ${turn},` : '';
  const over = connection > 0 ? ` over connection ${connection}` : '';
  return `Request ${n} of ${subject.object}${again}${to}${over} ${OUTCOME[outcome] ?? outcome}${code > 0 ? ` (${code})` : ''}`;
}
