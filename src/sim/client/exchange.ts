import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Protocol } from '../api/objects.ts';
import type { Outcome } from '../clientInput.ts';
import type { Scheduler } from '../kernel/kernel.ts';
import type { Serve } from '../scenario.ts';
import type { Connection } from './connections.ts';
import type { Listening, PodAddress, PodNetwork } from './podNetwork.ts';
import { at, wait } from './waits.ts';

export interface Result {
  readonly outcome: Outcome;
  /** HTTP status; 0 without an answer. */
  readonly code: number;
  /** Identity of the Pod that owns the address; '' where nobody ever did. */
  readonly pod: string;
  /** With whom the connection stays open; null when it does not. */
  readonly keeps: Listening | null;
}

/** How requests travel. */
export interface Exchange {
  readonly kernel: Scheduler;
  readonly pods: PodNetwork;
  /** Node of the client; '' from outside. */
  readonly node: string;
  readonly path: string;
  readonly protocol: Protocol;
  /** One way, and from the request's start, µs. */
  readonly network: MicrosSpan;
  readonly timeout: MicrosSpan;
}

/** Called when the client knows what a request came to. */
export type Then = (result: Result) => void;

/**
 * One short request to `backend` (`ip:port`), over `open` or over a connection of its own. The app's state at the
 * arrival decides, also if it changes meanwhile, unless the process ends before it has answered (T-010, T-012).
 */
export function exchange(how: Exchange, backend: string, open: Connection | null, then: Then): void {
  const { kernel, network, timeout, pods, node } = how;
  const deadline = later(kernel.now, timeout);
  wait(kernel, Math.min(network, timeout) as MicrosSpan, () => {
    const found = pods.lookUp(backend, node);
    const met = found && meets(how, found, open);
    const pod = found?.pod ?? '';
    if (met === 'refused' || met === 'reset') know(how, failed(met, pod), kernel.now + network, deadline, then);
    else if (met) answer(how, met, pod, deadline, then);
    else know(how, failed('timeout', pod), deadline, deadline, then);
  });
}

/** The client knows the result at `knownAt`; what would come after the deadline is a timeout. */
function know({ kernel }: Exchange, result: Result, knownAt: number, deadline: Micros, then: Then): void {
  const isLate = knownAt > deadline;
  at(kernel, (isLate ? deadline : knownAt) as Micros, () => then(isLate ? failed('timeout', result.pod) : result));
}

export const failed = (outcome: Outcome, pod = ''): Result => ({ outcome, code: 0, pod, keeps: null });

interface Met {
  readonly listening: Listening;
  readonly serve: Serve;
}

/** What a request meets that arrives now; null for silence. */
function meets(
  { kernel, path }: Exchange,
  { state }: PodAddress,
  open: Connection | null,
): Met | 'refused' | 'reset' | null {
  if (state === 'gone') return null;
  if (open !== null && !open.isOpenTo(state, kernel.now)) return 'reset';
  if (state === 'closed') return 'refused';
  const serve = state.serve(path);
  if (serve.state !== 'refuse') return { listening: state, serve };
  // A closed port leaves what is open, until the app closes that too.
  if (open === null) return 'refused';
  return serve.code === 0 ? 'reset' : { listening: state, serve };
}

/** The answer of an app to a request that has come to it now, unless its process ends first. */
function answer(how: Exchange, { listening, serve }: Met, pod: string, deadline: Micros, then: Then): void {
  const { kernel, network, protocol } = how;
  const answersAt = serve.state === 'hang' ? Number.POSITIVE_INFINITY : kernel.now + serve.takes;
  const knownAt = answersAt + network;
  const isLate = knownAt > deadline;
  const timer = kernel.at((isLate ? deadline : knownAt) as Micros, 'client', () => {
    forget();
    then(isLate ? failed('timeout', pod) : answered(listening, serve, pod));
  });
  const forget = listening.onEnd((isSilent) => {
    // What was sent before the end arrives.
    if (kernel.now > answersAt) return;
    forget();
    timer.cancelled = true;
    // UDP knows no connection that could be reset.
    const isTold = !isSilent && protocol !== 'UDP';
    const resetAt = kernel.now + network;
    know(how, failed(isTold ? 'reset' : 'timeout', pod), isTold ? resetAt : deadline, deadline, then);
  });
}

function answered(listening: Listening, { state, code }: Serve, pod: string): Result {
  return { outcome: code < 400 ? 'served' : 'errorAnswer', code, pod, keeps: state === 'answer' ? listening : null };
}
