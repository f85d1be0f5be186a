import { later, type Micros, type MicrosSpan, milliseconds, seconds } from '../../base/units.ts';
import { WorkloadClient } from '../controllers/workloads/client.ts';
import type { WorkloadContext } from '../controllers/workloads/context.ts';
import { ProcessScheduler, type Task } from '../kernel/kernel.ts';
import { NO_REF } from '../trace/ref.ts';
import type { KubeletReportsInput } from '../workloadsInput.ts';
import { renewLease, reportReady } from './nodeReports.ts';

/** The renewal interval is this part of the Lease's length, and up to so much longer (pkg/kubelet/kubelet.go; component-helpers lease/controller.go). */
const RENEW_PART = 0.25;
const RENEW_JITTER = 0.04;
/** How long a renewal that fails is put off, doubling (component-helpers lease/controller.go, maxBackoff). */
const FIRST_BACKOFF = milliseconds(200);
const LONGEST_BACKOFF = seconds(7);

/** What the reports of a kubelet depend on. */
export interface ReportingNode {
  readonly node: string;
  /** Whether its requests reach the API server now. */
  reachesApi(): boolean;
  /** Whether it finds itself ready now. */
  isReady(): boolean;
}

/**
 * What one kubelet process tells of its node: a Lease that it renews, and the node's status, looked at every 10 s and sent
 * when it differs from the stored one or is 5 minutes old (N-030, N-040).
 * Source: pkg/kubelet/kubelet_node_status.go tryUpdateNodeStatus; component-helpers lease/controller.go.
 */
export class KubeletReports {
  private readonly context: WorkloadContext;
  private readonly input: KubeletReportsInput;
  private readonly about: ReportingNode;
  private readonly client: WorkloadClient;
  private readonly process: ProcessScheduler;
  private reportedAt: Micros | null = null;

  constructor(context: WorkloadContext, input: KubeletReportsInput, about: ReportingNode) {
    this.process = new ProcessScheduler(context.kernel);
    this.context = { ...context, kernel: this.process };
    this.input = input;
    this.about = about;
    this.client = new WorkloadClient(this.context, `kubelet/${about.node}`, 'kubelet');
  }

  /** Reports from now on: at once for a process that starts, at a drawn phase for one that has been there for long. */
  start(isNew: boolean): void {
    const { kernel, draws } = this.context;
    const phase = (ticker: string, period: MicrosSpan): MicrosSpan =>
      isNew
        ? (0 as MicrosSpan)
        : (draws.number(`kubelet/${ticker}Phase/${this.about.node}`, kernel.now, (u) =>
            Math.floor(u * period),
          ) as MicrosSpan);
    if (!isNew) this.reportedAt = kernel.now;
    kernel.start(this.renewals(phase('lease', this.renewInterval)), 'kubelet');
    kernel.start(this.statusTicks(phase('nodeStatus', this.input.statusUpdate)), 'kubelet');
  }

  /** The process ends. */
  stop(): void {
    this.process.stop();
  }

  private get renewInterval(): MicrosSpan {
    return Math.floor(this.input.leaseDuration * RENEW_PART) as MicrosSpan;
  }

  /** Renewals, each counted from the one before; while the API server is out of reach, tries after a growing wait. */
  private *renewals(wait: MicrosSpan): Task<void> {
    const { kernel, draws } = this.context;
    const { node } = this.about;
    yield wait;
    for (let backOff = FIRST_BACKOFF; ; ) {
      if (!this.about.reachesApi()) {
        yield backOff;
        backOff = Math.min(backOff * 2, LONGEST_BACKOFF) as MicrosSpan;
        continue;
      }
      backOff = FIRST_BACKOFF;
      yield* renewLease(this.context, this.client, node, NO_REF);
      yield draws.number(`kubelet/lease/${node}`, kernel.now, (u) =>
        Math.floor(this.renewInterval * (1 + u * RENEW_JITTER)),
      ) as MicrosSpan;
    }
  }

  private *statusTicks(wait: MicrosSpan): Task<void> {
    yield wait;
    for (;;) {
      if (this.about.reachesApi() && this.hasNews()) {
        this.reportedAt = this.context.kernel.now;
        yield* reportReady(this.context, this.client, this.about.node, this.about.isReady(), NO_REF);
      }
      yield this.input.statusUpdate;
    }
  }

  /** Whether the stored status says something else, or was told too long ago. */
  private hasNews(): boolean {
    const { store, kernel } = this.context;
    const stored = store.get('nodes', this.about.node);
    if (!stored) return false;
    const isDue = this.reportedAt === null || kernel.now >= later(this.reportedAt, this.input.statusReport);
    return isDue || stored.ready !== (this.about.isReady() ? 'True' : 'False');
  }
}
