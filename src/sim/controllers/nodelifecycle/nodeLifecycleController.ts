import { MICROS_PER_SECOND, type MicrosSpan, milliseconds } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import { type Informer, startAll } from '../../api/informer.ts';
import type { Task } from '../../kernel/kernel.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { WorkloadClient } from '../workloads/client.ts';
import { informerOf, subjectOf, type WorkloadContext } from '../workloads/context.ts';
import { WorkloadEvents } from '../workloads/events.ts';
import { logLine } from '../workloads/log.ts';
import { forever, phaseOf, startLoops } from '../workloads/loops.ts';
import { WorkQueue } from '../workQueue.ts';
import type { NodeHealth } from './nodeHealth.ts';
import { NodeMonitor } from './nodeMonitor.ts';
import { NodeTaints, noScheduleChanges } from './nodeTaints.ts';
import { markPodsNotReady } from './podMarks.ts';
import { ZoneTainter } from './zoneTainter.ts';

/** How often waiting NoExecute taints are looked at. */
const TAINT_PERIOD = milliseconds(100);
const NODE_WORKERS = 8;
const POD_WORKERS = 4;
const BASE_DELAY = milliseconds(5);
const MAX_DELAY = (1000 * MICROS_PER_SECOND) as MicrosSpan;

/**
 * Judges nodes by their Leases and heartbeats, marks the Pods of those that are lost, and taints them (N-031 to N-040).
 * Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go. Left out: labels of architecture and system.
 */
export class NodeLifecycleController {
  private readonly context: WorkloadContext;
  private readonly client: WorkloadClient;
  private readonly events: WorkloadEvents;
  private readonly nodes: Informer<'nodes'>;
  private readonly pods: Informer<'pods'>;
  private readonly leases: Informer<'leases'>;
  private readonly taints: NodeTaints;
  private readonly health = new Map<string, NodeHealth>();
  private readonly zones: ZoneTainter;
  private readonly monitor: NodeMonitor;
  private readonly nodeUpdates: WorkQueue;
  private readonly podUpdates: WorkQueue;

  constructor(context: WorkloadContext) {
    this.context = context;
    this.client = new WorkloadClient(context, 'nodelifecycle');
    this.events = new WorkloadEvents(context, 'nodelifecycle');
    this.nodes = informerOf(context, 'nodelifecycle', 'nodes');
    this.pods = informerOf(context, 'nodelifecycle', 'pods');
    this.leases = informerOf(context, 'nodelifecycle', 'leases');
    this.taints = new NodeTaints(context, this.client);
    const { client, events, nodes, leases, taints, health } = this;
    this.zones = new ZoneTainter({ context, taints, nodes, health });
    const podsOn = (node: string): readonly ApiPod[] =>
      [...this.pods.values()].filter(({ input }) => input.node === node);
    const mark = (node: string, pods: readonly ApiPod[], ref: Ref): Task<boolean> => this.mark(node, pods, ref);
    this.monitor = new NodeMonitor({ context, client, events, nodes, leases, podsOn, mark, zones: this.zones, health });
    this.nodeUpdates = this.queue(NODE_WORKERS, (node, ref) => this.taintNoSchedule(node, ref));
    this.podUpdates = this.queue(POD_WORKERS, (pod, ref) => this.markBound(pod, ref));
  }

  /** Lists and watches from now on. */
  start(): void {
    this.nodes.onEvent(({ key, now, ref }) => {
      if (now) this.nodeUpdates.add(key, ref);
      else this.monitor.forget(key);
    });
    this.pods.onEvent((event) => {
      const { key, old, now } = event;
      if (now?.input.node && now.input.node !== old?.input.node) this.podUpdates.add(key, event.ref);
    });
    startAll([this.leases, this.nodes, this.pods], () => {});
    const { kernel, workloads } = this.context;
    const { monitorPeriod } = workloads.nodeLifecycle;
    const phase = phaseOf(this.context, 'nodelifecycle', monitorPeriod);
    startLoops(kernel, () => {
      this.nodeUpdates.run();
      this.podUpdates.run();
      return [
        forever(() => this.zones.pass(), TAINT_PERIOD, 0 as MicrosSpan),
        forever(() => this.monitor.pass(), monitorPeriod, phase),
      ];
    });
  }

  private queue(workers: number, process: (key: string, ref: Ref) => Task<void>): WorkQueue {
    const { context } = this;
    return new WorkQueue({
      kernel: context.kernel,
      trace: context.trace,
      subjectOf: (key) => subjectOf(context, 'nodelifecycle', key),
      workers,
      baseDelay: BASE_DELAY,
      maxDelay: MAX_DELAY,
      process: (key, causes) => process(key, causes[0] ?? NO_REF),
    });
  }

  private mark(node: string, pods: readonly ApiPod[], cause: Ref): Task<boolean> {
    const { context, client, events } = this;
    const ref = logLine(context, 'nodelifecycle', { key: node, message: 'markPodsNotReady' }, cause);
    return markPodsNotReady({ context, client, events }, node, pods, ref);
  }

  /** Keeps a node's NoSchedule taints as its conditions say, at once. Source: doNoScheduleTaintingPass. */
  private *taintNoSchedule(name: string, ref: Ref): Task<void> {
    const node = this.nodes.get(name);
    if (!node) return;
    const { add, remove } = noScheduleChanges(node);
    if (add.length > 0 || remove.length > 0) yield* this.taints.swap(node, add, remove, ref);
  }

  /** Marks a Pod that was bound to a node which is not ready (N-034). Source: processPod. */
  private *markBound(key: string, ref: Ref): Task<void> {
    const pod = this.pods.get(key);
    const node = pod?.input.node ?? '';
    const ready = this.health.get(node)?.node.ready ?? null;
    if (!pod || ready === null || ready === 'True') return;
    const isDone = this.nodes.get(node) !== undefined && (yield* this.mark(node, [pod], ref));
    if (!isDone) this.podUpdates.addRateLimited(key, ref);
  }
}
