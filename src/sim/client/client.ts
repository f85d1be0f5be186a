import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { ClientInput } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Task } from '../kernel/kernel.ts';
import { Gate } from '../kernel/kernel.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { PodNetwork } from './podNetwork.ts';

/** What the rules in force on a node do with a new connection to a frontend. `ref` is the sync that wrote them. */
export interface FrontendRules {
  readonly verdict: 'dnat' | 'reject' | 'drop' | 'none' | 'noRealServer';
  /** `ip:port`, all equally likely. */
  readonly backends: readonly string[];
  readonly ref: Ref;
}
export type RulesInForce = (frontend: string) => FrontendRules | null;

/** Outcomes of an attempt (T-010). */
type Outcome = 'served' | 'errorAnswer' | 'refused' | 'rejected' | 'timeout' | 'reset';
interface Result {
  readonly outcome: Outcome;
  readonly at: Micros;
  readonly code: number;
  readonly pod: string;
}

/** A pick is a fraction of this. */
const PICKS = 65_536;

/**
 * Opens new connections to a frontend at a fixed rate, each one short request; what it meets follows from the rules in
 * force on its node, and then from the app at the instant of arrival (T-010).
 */
export class Client {
  private readonly context: ClusterContext;
  private readonly input: ClientInput;
  private readonly rules: RulesInForce;
  private readonly network: PodNetwork;
  private readonly subject: number;

  constructor(context: ClusterContext, input: ClientInput, rules: RulesInForce, network: PodNetwork) {
    this.context = context;
    this.input = input;
    this.rules = rules;
    this.network = network;
    const nobody = { pod: '', container: '', probe: '' } as const;
    this.subject = context.trace.subjectOf({ component: 'client', node: input.node, ...nobody, object: input.name });
  }

  /** Queues the next attempt as each begins. */
  start(n = 0): void {
    const { kernel } = this.context;
    const { start, every, count } = this.input;
    if (n >= count) return;
    kernel.at(later(start, (n * every) as MicrosSpan), 'client', () => {
      kernel.start(this.attempt(n), 'client');
      this.start(n + 1);
    });
  }

  private *attempt(n: number): Task<void> {
    const { kernel, trace, draws } = this.context;
    const { name, frontend } = this.input;
    const pick = draws.number(`client/pick/${name}`, kernel.now, (u) => Math.floor(u * PICKS));
    const rules = this.rules(frontend);
    const of = rules?.verdict === 'dnat' ? rules.backends.length : 0;
    const backend = (of > 0 && rules?.backends[Math.floor((pick * of) / PICKS)]) || '';
    const payload = { n, backend, of, outcome: '', code: 0, pod: '' };
    const causes = [rules?.ref ?? NO_REF];
    const ref = trace.event('clientAttempt', kernel.now, this.subject, payload, causes, NO_REF, Number.NaN);
    const { at, ...rest } = backend ? yield* this.connect(backend) : this.without(rules);
    if (at > kernel.now) yield (at - kernel.now) as MicrosSpan;
    trace.end<'clientAttempt'>(ref, at, rest, false);
  }

  /** No backend: refused by a rule at once, or nobody answers. */
  private without(rules: FrontendRules | null): Result {
    const { now } = this.context.kernel;
    const rejects = rules?.verdict === 'reject' || rules?.verdict === 'noRealServer';
    if (rejects) return { outcome: 'rejected', at: now, code: 0, pod: '' };
    return { outcome: 'timeout', at: later(now, this.input.timeout), code: 0, pod: '' };
  }

  private *connect(backend: string): Task<Result> {
    const { kernel } = this.context;
    const { network, timeout } = this.input;
    const began = kernel.now;
    yield network;
    const arrived = kernel.now;
    const colon = backend.lastIndexOf(':');
    const found = this.network.lookUp(backend.slice(0, colon), Number(backend.slice(colon + 1)), arrived);
    const pod = found?.pod ?? '';
    const silent: Result = { outcome: 'timeout', at: later(began, timeout), code: 0, pod };
    if (!found || found.state === 'gone') return silent;
    const back = later(arrived, network);
    if (found.state === 'closed') return { outcome: 'refused', at: back, code: 0, pod };
    const { serve } = found.state;
    if (serve.state === 'refuse') return { outcome: 'refused', at: back, code: 0, pod };
    const takes = serve.state === 'hang' ? Number.POSITIVE_INFINITY : serve.takes;
    const ended = yield* this.endedBefore(found.state, Math.min(takes, timeout));
    if (ended !== null) return { outcome: 'reset', at: later(ended, network), code: 0, pod };
    const answered = back + takes;
    if (answered > silent.at) return silent;
    const outcome = serve.code < 400 ? 'served' : 'errorAnswer';
    return { outcome, at: answered as Micros, code: serve.code, pod };
  }

  /** Waits `takes` µs; the instant at which the process ended, if it did before. */
  private *endedBefore({ onEnd }: { onEnd(then: () => void): () => void }, takes: number): Task<Micros | null> {
    const { kernel } = this.context;
    const gate = new Gate();
    let ended: Micros | null = null;
    const forget = onEnd(() => {
      ended = kernel.now;
      gate.open();
    });
    const timer = kernel.after(takes as MicrosSpan, 'client', () => gate.open());
    yield gate;
    timer.cancelled = true;
    forget();
    return ended;
  }
}
