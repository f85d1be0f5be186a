import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Protocol } from '../api/objects.ts';
import type { Outcome } from '../clientInput.ts';
import { Gate, type Scheduler, type Task } from '../kernel/kernel.ts';
import type { Serve } from '../scenario.ts';
import type { Connection } from './connections.ts';
import type { Listening, PodAddress, PodNetwork } from './podNetwork.ts';

export interface Result {
  readonly outcome: Outcome;
  /** When the client knows. */
  readonly at: Micros;
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

/**
 * One short request to `backend` (`ip:port`), over `open` or over a connection of its own. The app's state at the
 * arrival decides, also if it changes meanwhile, unless the process ends before it has answered (T-010, T-012).
 */
export function* exchange(how: Exchange, backend: string, open: Connection | null): Task<Result> {
  const { kernel, network } = how;
  const deadline = later(kernel.now, how.timeout);
  yield network;
  const found = lookUp(how, backend);
  const met = found && meets(how, found, open);
  const pod = found?.pod ?? '';
  if (!met) return failed('timeout', deadline, pod);
  const back = later(kernel.now, network);
  if (met === 'refused' || met === 'reset') return failed(met, back, pod);
  const { listening, serve } = met;
  const takes = serve.state === 'hang' ? how.timeout : Math.min(serve.takes, how.timeout);
  const ended = yield* endOf(kernel, listening, takes);
  // UDP knows no connection that could be reset.
  if (ended === 'silently' || (ended !== null && how.protocol === 'UDP')) return failed('timeout', deadline, pod);
  if (ended !== null) return failed('reset', later(ended, network), pod);
  const answered = back + serve.takes;
  if (serve.state === 'hang' || answered > deadline) return failed('timeout', deadline, pod);
  const { code } = serve;
  const outcome = code < 400 ? 'served' : 'errorAnswer';
  return { outcome, at: answered as Micros, code, pod, keeps: serve.state === 'answer' ? listening : null };
}

const failed = (outcome: Outcome, at: Micros, pod: string): Result => ({ outcome, at, code: 0, pod, keeps: null });

function lookUp({ pods, node }: Exchange, backend: string): PodAddress | null {
  const colon = backend.lastIndexOf(':');
  return pods.lookUp(backend.slice(0, colon), Number(backend.slice(colon + 1)), node);
}

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

/** Waits `takes` µs; the instant at which the process ended, if it did before and the other side could tell. */
function* endOf(kernel: Scheduler, { onEnd }: Listening, takes: number): Task<Micros | 'silently' | null> {
  const gate = new Gate();
  let ended: Micros | 'silently' | null = null;
  const forget = onEnd((isSilent) => {
    ended = isSilent ? 'silently' : kernel.now;
    gate.open();
  });
  const timer = kernel.after(takes as MicrosSpan, 'client', () => gate.open());
  yield gate;
  timer.cancelled = true;
  forget();
  return ended;
}
