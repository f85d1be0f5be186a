import type { MicrosSpan } from '../../base/units.ts';
import type { ClientInput, LoadBalancerInput } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Task } from '../kernel/kernel.ts';
import type { HealthAnswer } from '../proxy/healthCheck.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { PodNetwork } from './podNetwork.ts';
import type { NodeRules } from './rulesRoute.ts';

interface Target {
  readonly node: string;
  /** What its checks have come to. */
  isHealthy: boolean;
  /** Checks in a row that speak against that. */
  against: number;
  /** Whether connections go there, since the event `ref`. */
  isUsed: boolean;
  ref: Ref;
}

/**
 * A cloud balancer outside of the cluster: it asks each node on a ticker of its own, and changes its mind after several
 * answers in a row (T-003, P-060). With no healthy node left it sends to all, as most of them do.
 */
export class LoadBalancer {
  private readonly context: ClusterContext;
  private readonly client: ClientInput;
  private readonly input: LoadBalancerInput;
  private readonly nodes: ReadonlyMap<string, NodeRules>;
  private readonly pods: PodNetwork;
  private readonly subject: number;
  private readonly targets: readonly Target[];

  constructor(
    context: ClusterContext,
    client: ClientInput,
    input: LoadBalancerInput,
    nodes: ReadonlyMap<string, NodeRules>,
    pods: PodNetwork,
    subject: number,
  ) {
    this.context = context;
    this.client = client;
    this.input = input;
    this.nodes = nodes;
    this.pods = pods;
    this.subject = subject;
    this.targets = input.nodes.map((node) => ({ node, isHealthy: true, against: 0, isUsed: true, ref: NO_REF }));
  }

  /** Where a new connection may go, and what said so. */
  candidates(): readonly Pick<Target, 'node' | 'ref'>[] {
    const used = this.targets.filter(({ isUsed }) => isUsed);
    return used.length > 0 ? used : this.targets;
  }

  /** Checks begin with the client; the first answer of a node is believed at once. */
  start(): void {
    const { kernel, draws } = this.context;
    const { start, name } = this.client;
    kernel.at(start, 'client', () => {
      for (const target of this.targets) {
        target.isHealthy = this.answersWell(target.node);
        this.use(target, this.causeOf(target));
        const phase = draws.number(`client/healthCheck/${name}/${target.node}`, kernel.now, (u) =>
          Math.floor(u * this.input.interval),
        );
        kernel.after(phase as MicrosSpan, 'client', () => kernel.start(this.check(target), 'client'));
      }
    });
  }

  private *check(target: Target): Task<void> {
    const { interval, healthyThreshold, unhealthyThreshold } = this.input;
    for (;;) {
      const isWell = this.answersWell(target.node);
      target.against = isWell === target.isHealthy ? 0 : target.against + 1;
      if (target.against >= (isWell ? healthyThreshold : unhealthyThreshold)) this.turn(target, isWell);
      yield interval;
    }
  }

  private turn(target: Target, isHealthy: boolean): void {
    target.against = 0;
    target.isHealthy = isHealthy;
    const cause = this.causeOf(target);
    this.context.kernel.after(this.input.delay, 'client', () => this.use(target, cause));
  }

  /** From now on connections go there, or do not. */
  private use(target: Target, cause: Ref): void {
    const { kernel, trace } = this.context;
    const { node, isHealthy } = target;
    target.isUsed = isHealthy;
    const state = isHealthy ? 'healthy' : 'unhealthy';
    target.ref = trace.event('targetHealth', kernel.now, this.subject, { node, state }, [cause]);
  }

  private causeOf({ node }: Target): Ref {
    return this.answerOf(node)?.ref ?? NO_REF;
  }

  /** The health check node port answers 200; without one, the node is on. */
  private answersWell(node: string): boolean {
    if (!this.pods.isOn(node)) return false;
    return !this.input.asksHealthCheckPort || this.answerOf(node)?.httpStatus === 200;
  }

  private answerOf(node: string): HealthAnswer | undefined {
    return this.nodes.get(node)?.healthAnswers.get(this.client.service?.service ?? '');
  }
}
