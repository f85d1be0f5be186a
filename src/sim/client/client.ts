import { later, type MicrosSpan } from '../../base/units.ts';
import { selects } from '../api/objects.ts';
import type { ClientInput } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { DrawStream } from '../kernel/draws.ts';
import { hostPort } from '../proxy/address.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { type Connection, Connections } from './connections.ts';
import { type Exchange, exchange, failed, type Result } from './exchange.ts';
import type { PodNetwork } from './podNetwork.ts';
import type { Choice, Route } from './route.ts';
import { wait } from './waits.ts';

/** A pick is a fraction of this. */
const PICKS = 65_536;
const pickOf = (u: number): number => Math.floor(u * PICKS);

/** One of the tries of request `n`. */
interface Try {
  readonly n: number;
  readonly turn: number;
  /** Backends that the request has met before. */
  readonly tried: ReadonlySet<string>;
  /** The try before. */
  readonly before: Ref;
}

const NONE: ReadonlySet<string> = new Set();

/** A try under way: its event, and what it goes over. */
interface Attempt extends Try {
  readonly ref: Ref;
  readonly backend: string;
  /** The kept connection; null for a new one. */
  readonly open: Connection | null;
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
  /** How many requests have begun. */
  private begun = 0;

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
    this.queue();
  }

  /** Queues the next request. */
  private queue(): void {
    const { start, every, count } = this.input;
    if (this.begun >= count) return;
    this.context.kernel.at(later(start, (this.begun * every) as MicrosSpan), 'client', this.begin);
  }

  private readonly begin = (): void => {
    const n = this.begun++;
    if (this.isThere()) this.try({ n, turn: 0, tried: NONE, before: NO_REF });
    this.queue();
  };

  /** A client asks while its node is on; in a Pod, while that has an address and is not at its end. */
  private isThere(): boolean {
    const { from } = this.input;
    if (from.type === 'outside') return true;
    if (!this.pods.isOn(from.node)) return false;
    if (from.type === 'node') return true;
    const pod = this.context.store.get('pods', from.pod);
    return pod?.status.phase === 'Running' && pod.status.podIPs.length > 0;
  }

  private try(one: Try): void {
    const open = this.connections?.take() ?? null;
    if (open || !this.route.resolve) this.send(one, open);
    else this.route.resolve(() => this.send(one, null));
  }

  private send({ n, turn, tried, before }: Try, open: Connection | null): void {
    const { kernel, trace } = this.context;
    const choice = open ? along(open) : this.choose(tried);
    const { backend, of, via } = choice;
    const connection = open?.number ?? 0;
    const payload = { n, try: turn, via, backend, of, connection, pod: '', outcome: '', code: 0, final: 0 };
    const causes = [choice.ref, before, choice.nodeChosenBy ?? NO_REF];
    const ref = trace.event('clientAttempt', kernel.now, this.subject, payload, causes, NO_REF, Number.NaN);
    const attempt = { n, turn, tried, before, ref, backend, open };
    if (backend) exchange(this.how, backend, open, (result) => this.end(attempt, result));
    else this.without(choice, attempt);
  }

  /** The client knows what a try came to. */
  private end({ n, turn, tried, ref, backend, open }: Attempt, result: Result): void {
    const { kernel, trace } = this.context;
    const { count, on, delay } = this.input.retries;
    const { code, pod } = result;
    const connection = this.keep(open, backend, result, ref);
    const outcome = this.isWrong(result) ? 'wrongPod' : result.outcome;
    const isFinal = turn >= count || !on.includes(outcome);
    const end = { outcome, code, pod, connection, final: isFinal ? 1 : 0 };
    trace.end<'clientAttempt'>(ref, kernel.now, end, false);
    if (isFinal) return;
    const next = { n, turn: turn + 1, tried: new Set([...tried, backend]), before: ref };
    wait(kernel, delay, () => this.try(next));
  }

  private choose(tried: ReadonlySet<string>): Choice {
    const pick = this.picks.number(this.context.kernel.now, pickOf);
    return this.route.choose(pick / PICKS, tried);
  }

  /** No backend: told so at once, or nobody answers. */
  private without({ verdict }: Choice, attempt: Attempt): void {
    const { kernel } = this.context;
    if (verdict !== 'drop') this.end(attempt, failed(verdict === 'noAddress' ? 'noAddress' : 'rejected'));
    else wait(kernel, this.input.timeout, () => this.end(attempt, failed('timeout')));
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
