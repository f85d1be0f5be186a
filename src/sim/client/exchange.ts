import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Protocol } from '../api/objects.ts';
import type { Outcome } from '../clientInput.ts';
import { Gate, type Scheduler, type Task } from '../kernel/kernel.ts';
import type { Serve } from '../scenario.ts';
import type { Connection } from './connections.ts';
import type { Listening, PodNetwork } from './podNetwork.ts';

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
  const { kernel, pods, node, path, protocol, network, timeout } = how;
  const began = kernel.now;
  yield network;
  const arrived = kernel.now;
  const colon = backend.lastIndexOf(':');
  const found = pods.lookUp(backend.slice(0, colon), Number(backend.slice(colon + 1)), node);
  const lost = { code: 0, pod: found?.pod ?? '', keeps: null };
  const silent: Result = { ...lost, outcome: 'timeout', at: later(began, timeout) };
  if (!found || found.state === 'gone') return silent;
  const back = later(arrived, network);
  const isClosed = open !== null && !open.isOpenTo(found.state, arrived);
  if (isClosed) return { ...lost, outcome: 'reset', at: back };
  if (found.state === 'closed') return { ...lost, outcome: 'refused', at: back };
  const listening = found.state;
  const serve = listening.serve(path);
  if (serve.state === 'refuse' && (open === null || serve.code === 0)) {
    return { ...lost, outcome: open ? 'reset' : 'refused', at: back };
  }
  const takes = serve.state === 'hang' ? Number.POSITIVE_INFINITY : serve.takes;
  const ended = yield* endOf(kernel, listening, Math.min(takes, timeout));
  // UDP knows no connection that could be reset.
  if (ended === 'silently' || (ended !== null && protocol === 'UDP')) return silent;
  if (ended !== null) return { ...lost, outcome: 'reset', at: later(ended, network) };
  const answered = back + takes;
  if (answered > silent.at) return silent;
  return { ...lost, ...answerOf(serve), at: answered as Micros, keeps: serve.state === 'answer' ? listening : null };
}

const answerOf = ({ code }: Serve): Pick<Result, 'outcome' | 'code'> => ({
  outcome: code < 400 ? 'served' : 'errorAnswer',
  code,
});

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
