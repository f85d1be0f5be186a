import { later, type MicrosSpan } from '../../base/units.ts';
import { selects } from '../api/objects.ts';
import type { ClientInput, Outcome } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { DrawStream } from '../kernel/draws.ts';
import type { Task } from '../kernel/kernel.ts';
import { hostPort } from '../proxy/address.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { type Connection, Connections } from './connections.ts';
import { type Exchange, exchange, type Result } from './exchange.ts';
import type { PodNetwork } from './podNetwork.ts';
import type { Choice, Route } from './route.ts';

/** A pick is a fraction of this. */
const PICKS = 65_536;

/** One of the tries of request `n`. */
interface Attempt {
  readonly n: number;
  readonly turn: number;
  /** The kept connection that it goes over; null for a new one. */
  readonly open: Connection | null;
  /** Backends that the request has met. */
  readonly tried: Set<string>;
  /** The try before. */
  readonly before: Ref;
  /** Whether that outcome ends the request. */
  readonly isLast: (outcome: Outcome) => boolean;
}

/**
 * Makes requests at a fixed rate, each over a new connection or one that it has kept open. What a new connection meets
 * follows from the rules in force at that instant, and then, as on an old one, from the app at the instant of arrival
 * (T-010, T-012).
 */
export class Client {
  private readonly context: ClusterContext;
  private readonly input: ClientInput;
  private readonly route: Route;
  private readonly pods: PodNetwork;
  private readonly how: Exchange;
  private readonly subject: number;
  private readonly picks: DrawStream;
  private readonly connections: Connections | null;

  constructor(context: ClusterContext, input: ClientInput, route: Route, pods: PodNetwork, subject: number) {
    this.context = context;
    this.subject = subject;
    this.input = input;
    this.route = route;
    this.pods = pods;
    const { name, from, keepAlive, network, protocol, path, timeout } = input;
    const node = from.type === 'outside' ? '' : from.node;
    this.how = { kernel: context.kernel, pods, node, path, protocol, network, timeout };
    this.picks = context.draws.stream(`client/pick/${name}`);
    const keeps = protocol === 'UDP' ? null : keepAlive;
    this.connections = keeps && new Connections(context, keeps, network, subject);
  }

  start(): void {
    const { kernel, trace } = this.context;
    const { start, every, service, to } = this.input;
    const target = targetText(to);
    const payload = { service: service?.service ?? '', port: service?.port ?? '', target, every };
    kernel.at(start, 'client', () => {
      trace.event('clientStart', kernel.now, this.subject, payload);
    });
    this.queue(0);
  }

  /** Queues the next request as each begins. */
  private queue(n: number): void {
    const { kernel } = this.context;
    const { start, every, count } = this.input;
    if (n >= count) return;
    kernel.at(later(start, (n * every) as MicrosSpan), 'client', () => {
      if (this.isThere()) kernel.start(this.request(n), 'client');
      this.queue(n + 1);
    });
  }

  /** A client asks while its node is on; in a Pod, while that has an address and is not at its end. */
  private isThere(): boolean {
    const { from } = this.input;
    if (from.type === 'outside') return true;
    if (!this.pods.isOn(from.node)) return false;
    if (from.type === 'node') return true;
    const pod = this.context.store.get('pods', from.pod);
    return pod?.status.phase === 'Running' && pod.status.podIPs.length > 0;
  }

  private *request(n: number): Task<void> {
    const { count, on, delay } = this.input.retries;
    const tried = new Set<string>();
    let before = NO_REF;
    for (let turn = 0; ; turn++) {
      const isLast = (outcome: Outcome): boolean => turn >= count || !on.includes(outcome);
      const open = this.connections?.take() ?? null;
      if (!open && this.route.resolve) yield* this.route.resolve();
      const { outcome, ref } = yield* this.attempt({ n, turn, open, tried, before, isLast });
      if (isLast(outcome)) return;
      before = ref;
      yield delay;
    }
  }

  private *attempt({ n, turn, open, tried, before, isLast }: Attempt): Task<{
    readonly outcome: Outcome;
    readonly ref: Ref;
  }> {
    const { kernel, trace } = this.context;
    const choice = open ? along(open) : this.choose(tried);
    const { backend, of, via } = choice;
    tried.add(backend);
    const payload = { n, try: turn, via, backend, of, connection: open?.number ?? 0, ...UNKNOWN };
    const ref = trace.event(
      'clientAttempt',
      kernel.now,
      this.subject,
      payload,
      [choice.ref, before, choice.nodeChosenBy ?? NO_REF],
      NO_REF,
      Number.NaN,
    );
    const result = backend ? yield* exchange(this.how, backend, open) : this.without(choice);
    const { at, code, pod } = result;
    if (at > kernel.now) yield (at - kernel.now) as MicrosSpan;
    const connection = this.keep(open, backend, result, ref);
    const outcome = this.isWrong(result) ? 'wrongPod' : result.outcome;
    const end = { outcome, code, pod, connection, final: isLast(outcome) ? 1 : 0 };
    trace.end<'clientAttempt'>(ref, at, end, false);
    return { outcome, ref };
  }

  private choose(tried: ReadonlySet<string>): Choice {
    const pick = this.picks.number(this.context.kernel.now, (u) => Math.floor(u * PICKS));
    return this.route.choose(pick / PICKS, tried);
  }

  /** No backend: told so at once, or nobody answers. */
  private without({ verdict }: Choice): Result {
    const { now } = this.context.kernel;
    const nothing = { code: 0, pod: '', keeps: null };
    if (verdict === 'drop') return { ...nothing, outcome: 'timeout', at: later(now, this.input.timeout) };
    return { ...nothing, outcome: verdict === 'noAddress' ? 'noAddress' : 'rejected', at: now };
  }

  /** What becomes of the connection; its number, 0 for one that nobody keeps. */
  private keep(open: Connection | null, backend: string, { outcome, keeps, pod }: Result, ref: Ref): number {
    if (open) {
      const broken = outcome === 'reset' || outcome === 'timeout' ? outcome : null;
      this.connections?.giveBack(open, keeps ? null : (broken ?? 'byApp'));
      return open.number;
    }
    return keeps && this.connections ? this.connections.open(backend, pod, keeps, ref) : 0;
  }

  private isWrong({ outcome, pod }: Result): boolean {
    const { store } = this.context;
    if (outcome !== 'served' || !this.input.service) return false;
    const selector = store.get('services', this.input.service.service)?.spec.selector;
    const owner = store.get('pods', pod);
    return selector != null && owner !== undefined && !selects(selector, owner.labels);
  }
}

const UNKNOWN = { pod: '', outcome: '', code: 0, final: 0 } as const;

const along = ({ backend, opened }: Connection): Choice => ({
  verdict: 'backend',
  backend,
  of: 0,
  via: '',
  ref: opened,
});

function targetText(to: ClientInput['to']): string {
  switch (to.type) {
    case 'address':
      return hostPort(to.ip, to.port);
    case 'nodePort':
      return `nodePort:${to.port}`;
    case 'loadBalancer':
      return hostPort(to.balancer.ip ?? '', to.balancer.port);
    case 'endpoints':
      return to.resolver.type === 'dns' ? to.resolver.name : 'EndpointSlices';
    case 'pod':
      return `${to.pod}:${to.port}`;
  }
}
