import type { Micros } from '../../base/units.ts';
import type { KeepAliveInput } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Timer } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import type { Listening, PodAddress } from './podNetwork.ts';

type Reason = 'idleTimeout' | 'maxRequests' | 'byApp' | 'reset' | 'timeout';

/** A connection that is kept open. It stays with its backend, whatever the rules say since (P-056, T-012). */
export interface Connection {
  /** From 1, among the client's. */
  readonly number: number;
  readonly backend: string;
  /** The event of its opening. */
  readonly opened: Ref;
  /** Whether whoever has the address now is still at the other end. */
  isOpenTo(found: PodAddress['state'], at: Micros): boolean;
}

interface Held extends Connection {
  readonly pod: string;
  requests: number;
  /** When the app closes it for being idle; Infinity when never. */
  appClosesAt: number;
  /** When the process at the other end ended; the client knows one way later. */
  endedAt: Micros | null;
  timers: Timer[];
  forget: () => void;
}

/** The connections that a client keeps open, to a Pod that drains as well (T-013): the one used last is used next, as most HTTP clients do. */
export class Connections {
  private readonly context: ClusterContext;
  private readonly input: KeepAliveInput;
  private readonly network: number;
  private readonly subject: number;
  private readonly idle: Held[] = [];
  private made = 0;

  constructor(context: ClusterContext, input: KeepAliveInput, network: number, subject: number) {
    this.context = context;
    this.input = input;
    this.network = network;
    this.subject = subject;
  }

  /** An open connection that nobody uses now. */
  take(): Connection | null {
    const held = this.idle.pop() ?? null;
    if (held) stopTimers(held);
    return held;
  }

  /** The request that opened a connection is over, and left it open: it may carry more. */
  open(backend: string, pod: string, listening: Listening, cause: Ref): number {
    const { kernel, trace } = this.context;
    const number = ++this.made;
    const opened = trace.event('connectionOpened', kernel.now, this.subject, { connection: number, backend, pod }, [
      cause,
    ]);
    const held: Held = {
      number,
      backend,
      pod,
      opened,
      requests: 1,
      appClosesAt: Number.POSITIVE_INFINITY,
      endedAt: null,
      timers: [],
      forget: () => {},
      isOpenTo: (found, at) => typeof found !== 'string' && found.id === listening.id && at < held.appClosesAt,
    };
    held.forget = listening.onEnd((isSilent) => {
      if (isSilent) return;
      held.endedAt = kernel.now;
      if (this.idle.includes(held)) this.closeAt(held, held.endedAt + this.network, 'byApp');
    });
    this.rest(held);
    return number;
  }

  /** A further request is over; `broken` when the connection did not live through it. */
  giveBack(connection: Connection, broken: 'reset' | 'timeout' | 'byApp' | null): void {
    const held = connection as Held;
    held.requests++;
    if (broken) this.close(held, broken);
    else this.rest(held);
  }

  private rest(held: Held): void {
    const { kernel } = this.context;
    const { idleTimeout, appIdleTimeout, maxRequests } = this.input;
    if (maxRequests !== null && held.requests >= maxRequests) return this.close(held, 'maxRequests');
    this.idle.push(held);
    if (held.endedAt !== null) this.closeAt(held, held.endedAt + this.network, 'byApp');
    if (idleTimeout !== null) this.closeAt(held, kernel.now + idleTimeout, 'idleTimeout');
    if (appIdleTimeout === null) return;
    held.appClosesAt = kernel.now + appIdleTimeout - this.network;
    this.closeAt(held, kernel.now + appIdleTimeout, 'byApp');
  }

  private closeAt(held: Held, at: number, reason: Reason): void {
    const { kernel } = this.context;
    held.timers.push(kernel.at(Math.max(at, kernel.now) as Micros, 'client', () => this.close(held, reason)));
  }

  private close(held: Held, reason: Reason): void {
    const { kernel, trace } = this.context;
    stopTimers(held);
    held.forget();
    const place = this.idle.indexOf(held);
    if (place >= 0) this.idle.splice(place, 1);
    trace.event('connectionClosed', kernel.now, this.subject, { connection: held.number, reason }, [held.opened]);
  }
}

function stopTimers(held: Held): void {
  for (const timer of held.timers) timer.cancelled = true;
  held.timers = [];
}
