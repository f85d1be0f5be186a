import type { MicrosSpan } from '../../base/units.ts';
import { WorkloadClient } from '../controllers/workloads/client.ts';
import { hop, spreadOf, type WorkloadContext } from '../controllers/workloads/context.ts';
import type { Task, Timer } from '../kernel/kernel.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { AgentsInput } from '../workloadsInput.ts';
import { renewLease, reportReady } from './nodeReports.ts';

/** What an agent tells about its node: a Lease that it renews, and the node's status (N-030, N-040). */
export class NodeReporter {
  private readonly context: WorkloadContext;
  private readonly agents: AgentsInput;
  private readonly node: string;
  private readonly client: WorkloadClient;
  private leaseTimer: Timer | null = null;
  private statusTimer: Timer | null = null;
  private ready = true;
  private isConnected = true;

  constructor(context: WorkloadContext, agents: AgentsInput, node: string) {
    this.context = context;
    this.agents = agents;
    this.node = node;
    this.client = new WorkloadClient(context, `kubelet/${node}`, 'kubelet');
  }

  /** Reports once the Node is there. */
  start(): void {
    const { store } = this.context;
    store.subscribe('nodes', ({ key, before, ref }) => {
      if (key === this.node && !before) this.begin(ref);
    });
    if (store.get('nodes', this.node)) this.begin(NO_REF);
  }

  private begin(ref: Ref): void {
    if (!this.isConnected) return;
    this.renewIn(0 as MicrosSpan, ref);
    this.reportIn(0 as MicrosSpan, ref);
  }

  /** The connection is cut. */
  disconnect(): void {
    this.isConnected = false;
    for (const timer of [this.leaseTimer, this.statusTimer]) if (timer) timer.cancelled = true;
  }

  /** The connection is back: Lease and status follow after lengths of their own. */
  reconnect(ref: Ref): void {
    this.isConnected = true;
    this.renewIn(this.agents.back.lease, ref);
    this.reportIn(this.agents.back.nodeStatus, ref);
  }

  /** The kubelet itself finds its node ready or not, and says so at once. */
  setReady(ready: boolean, ref: Ref): void {
    this.ready = ready;
    if (this.isConnected) this.reportIn(0 as MicrosSpan, ref);
  }

  private renewIn(wait: MicrosSpan, ref: Ref): void {
    const { kernel } = this.context;
    if (this.leaseTimer) this.leaseTimer.cancelled = true;
    this.leaseTimer = kernel.after(wait, 'kubelet', () => kernel.start(this.renew(ref), 'kubelet'));
  }

  private reportIn(wait: MicrosSpan, ref: Ref): void {
    const { kernel } = this.context;
    if (this.statusTimer) this.statusTimer.cancelled = true;
    this.statusTimer = kernel.after(wait, 'kubelet', () => kernel.start(this.report(ref), 'kubelet'));
  }

  /** Renews the Lease; what is drawn is the instant of the next commit, µs. */
  private *renew(cause: Ref): Task<void> {
    const { context, agents, client, node } = this;
    const { kernel, draws } = context;
    yield* renewLease(context, client, node, cause);
    if (!this.isConnected) return;
    const request = hop(context, 'request/kubelet') + spreadOf(context, node);
    const next = draws.number(
      `kubelet/lease/${node}`,
      kernel.now,
      (u) => kernel.now + agents.leaseRenew + Math.floor(u * agents.leaseJitter) + request,
    );
    this.renewIn(Math.max(0, next - request - kernel.now) as MicrosSpan, NO_REF);
  }

  /** Writes the node's status, and again after the report period. The node's own clock shows in its Pods only. */
  private *report(cause: Ref): Task<void> {
    yield* reportReady(this.context, this.client, this.node, this.ready, cause);
    if (this.isConnected) this.reportIn(this.agents.statusReport, NO_REF);
  }
}
