import type { Answer } from '../../sim/scenario.ts';
import { unknownPortError } from '../manifest/port.ts';
import type { Handler } from '../manifest/workload.ts';

/** What an app does with a probe. `takes` in whole µs. */
export interface Reply {
  readonly kind: 'ok' | 'fail' | 'refuse' | 'hang' | 'error' | 'redirect';
  readonly status: number;
  readonly takes: number;
}

/** A closed port answers at once; the length is our own assumption. */
const REFUSED_TAKES = 300;

const portOf = (target: string): string => /^:[^/]*/.exec(target)?.[0] ?? target;

function failure({ type, target }: Handler, { status, takes }: Reply): Answer {
  const outcome = 'failure';
  switch (type) {
    case 'httpGet':
      return { outcome, takes, message: `HTTP probe failed with statuscode: ${status}` };
    case 'tcpSocket':
      return { outcome, takes: REFUSED_TAKES, message: `dial tcp ${target}: connect: connection refused` };
    case 'grpc':
      return { outcome, takes, message: 'service unhealthy (responded with "NOT_SERVING")' };
    case 'exec':
      return { outcome, takes, message: '' };
  }
}

function refusal(handler: Handler, reply: Reply, timeoutSeconds: number): Answer {
  const { type, target } = handler;
  switch (type) {
    case 'httpGet':
      return {
        outcome: 'failure',
        takes: REFUSED_TAKES,
        message: `Get "http://${target}": dial tcp ${portOf(target)}: connect: connection refused`,
      };
    case 'grpc': // redialled until the timeout (K-148)
      return {
        outcome: 'failure',
        takes: Number.POSITIVE_INFINITY,
        message: `timeout: failed to connect service "${portOf(target)}" within ${timeoutSeconds}s: context deadline exceeded`,
      };
    case 'tcpSocket':
    case 'exec':
      return failure(handler, reply);
  }
}

function error({ type }: Handler, takes: number): Answer {
  const message =
    type === 'exec'
      ? 'rpc error: code = Unknown desc = failed to exec in container'
      : 'failed to read response body: unexpected EOF';
  return { outcome: 'error', takes, message };
}

/** K-146: a redirect to another host is not followed, and counts as a success; only HTTP knows redirects. */
function redirection({ type }: Handler, takes: number): Answer {
  if (type !== 'httpGet') return { outcome: 'success', takes, message: '' };
  return { outcome: 'warning', takes, message: 'Probe terminated redirects, Response body: ' };
}

/** What cannot be carried out at all. */
export const brokenAnswer = (message: string): Answer => ({ outcome: 'error', takes: 0, message });

/** The answer that one try of a probe gets, with the words that the kubelet's event would have. `timeoutSeconds` of the probe. */
export function answerOf(reply: Reply, handler: Handler, timeoutSeconds: number): Answer {
  if (handler.unknownPort !== null) return brokenAnswer(unknownPortError(handler.unknownPort));
  switch (reply.kind) {
    case 'ok':
      return { outcome: 'success', takes: reply.takes, message: '' };
    case 'redirect':
      return redirection(handler, reply.takes);
    case 'hang':
      return { outcome: 'failure', takes: Number.POSITIVE_INFINITY, message: '' };
    case 'fail':
      return failure(handler, reply);
    case 'refuse':
      return refusal(handler, reply, timeoutSeconds);
    case 'error':
      return error(handler, reply.takes);
  }
}
