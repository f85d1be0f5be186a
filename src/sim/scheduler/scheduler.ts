import type { ApiPod } from '../api/apiPod.ts';
import { Informer, type InformerEvent, startAll } from '../api/informer.ts';
import { type NodeObject, tolerates } from '../api/objects.ts';
import { WorkloadClient } from '../controllers/workloads/client.ts';
import { hop, type WorkloadContext } from '../controllers/workloads/context.ts';
import { Gate, type Task } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import { NodeCounts } from './nodeCounts.ts';

/**
 * A simple scheduler: one Pod at a time, onto the node with the fewest Pods of the same owner, then the fewest Pods, then
 * by name; cordoned, full and tainted nodes are skipped (N-001).
 */
export class SimpleScheduler {
  private readonly context: WorkloadContext;
  private readonly client: WorkloadClient;
  private readonly pods: Informer<'pods'>;
  private readonly nodes: Informer<'nodes'>;
  /** In order; Pods that fit nowhere wait apart. */
  private readonly active: { readonly key: string; readonly ref: Ref }[] = [];
  private readonly unschedulable = new Map<string, Ref>();
  /** Nodes of Pods that will be bound as soon as their request arrives. */
  private readonly assumed = new Map<string, string>();
  private readonly counts = new NodeCounts();
  private more = new Gate();

  constructor(context: WorkloadContext) {
    this.context = context;
    this.client = new WorkloadClient(context, 'scheduler');
    const { kernel, trace, store } = context;
    const nowhere = { component: 'scheduler', node: '', pod: '', container: '', probe: '' } as const;
    const informer = <R extends 'pods' | 'nodes'>(resource: R): Informer<R> =>
      new Informer({
        kernel,
        trace,
        store,
        resource,
        latency: hop(context, `watch/scheduler/${resource}`),
        removalExtra: hop(context, 'watch/removal'),
        listExtra: hop(context, 'listExtra'),
        subject: trace.subjectOf({ ...nowhere, object: resource }),
        phase: 'controller',
        tellsUsedOnly: true,
      });
    this.pods = informer('pods');
    this.nodes = informer('nodes');
    for (const pod of store.list('pods')) this.count(pod.input.identity, pod);
    store.subscribe('pods', ({ key, now }) => this.count(key, now));
  }

  /** Lists and watches from now on. */
  start(): void {
    this.pods.onEvent((event) => this.onPod(event));
    this.nodes.onEvent((event) => this.retryAll(event));
    const { kernel } = this.context;
    startAll([this.nodes, this.pods], () => kernel.start(this.run(), 'controller'));
  }

  private onPod(event: InformerEvent<'pods'>): void {
    const { key, old, now } = event;
    if (!now) {
      this.unschedulable.delete(key);
      return this.retryAll(event);
    }
    if (!old && !now.input.node && now.deletionTimestamp === null) this.activate(key, event.ref);
  }

  /** As the API server has the Pod, on the node where it is or will be. */
  private count(key: string, pod: ApiPod | null): void {
    this.counts.update(key, pod, this.assumed.get(key) ?? pod?.input.node ?? '');
  }

  private assume(key: string, node: string | null): void {
    if (node === null) this.assumed.delete(key);
    else this.assumed.set(key, node);
    this.count(key, this.context.store.get('pods', key) ?? null);
  }

  private retryAll(event: InformerEvent<'pods' | 'nodes'>): void {
    const waiting = [...this.unschedulable.keys()];
    this.unschedulable.clear();
    for (const key of waiting) this.activate(key, event.ref);
  }

  private activate(key: string, ref: Ref): void {
    this.active.push({ key, ref });
    this.more.open();
  }

  private *run(): Task<void> {
    for (;;) {
      const next = this.active.shift();
      if (!next) {
        this.more = new Gate();
        yield this.more;
        continue;
      }
      const pod = this.pods.get(next.key);
      if (!pod || pod.input.node || pod.deletionTimestamp !== null) continue;
      yield hop(this.context, 'scheduler/cycle');
      const node = this.nodeFor(pod);
      if (node) {
        this.assume(next.key, node);
        yield* this.bind(pod, node, next.ref);
        this.assume(next.key, null);
      } else {
        this.unschedulable.set(next.key, next.ref);
        this.tellUnschedulable(next.key, pod, next.ref);
      }
    }
  }

  private nodeFor(pod: ApiPod): string | null {
    const { counts } = this;
    const fitting = [...this.nodes.values()].filter((node) => this.obstacle(pod, node) === null);
    const [best] = fitting
      .map(({ meta: { name } }) => ({ name, own: counts.own(name, pod), all: counts.all(name) }))
      .sort((a, b) => a.own - b.own || a.all - b.all || (a.name < b.name ? -1 : 1));
    return best?.name ?? null;
  }

  /** Why the node cannot take the Pod, in the words of kube-scheduler; null when it can. */
  private obstacle({ input: { target, tolerations } }: ApiPod, node: NodeObject): string | null {
    const { meta, unschedulable, podCapacity, taints } = node;
    if (target && meta.name !== target) return "node(s) didn't match Pod's node affinity/selector";
    if (unschedulable) return 'node(s) were unschedulable';
    const repels = taints.some((taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(tolerations, taint));
    if (repels) return 'node(s) had untolerated taint(s)';
    return this.counts.places(meta.name) < podCapacity ? null : 'Too many pods';
  }

  /** A Binding: refused for a Pod that goes or is bound (C-009). */
  private *bind(pod: ApiPod, node: string, ref: Ref): Task<void> {
    yield* this.client.changePod('update', 'binding', pod, ref, (stored) =>
      stored.deletionTimestamp !== null || stored.input.node
        ? { code: 409, error: `Operation cannot be fulfilled on pods/binding "${pod.input.name}"` }
        : { ...stored, input: { ...stored.input, node } },
    );
  }

  /** With the text of the FailedScheduling event. */
  private tellUnschedulable(pod: string, stored: ApiPod, ref: Ref): void {
    const { trace, kernel } = this.context;
    const nowhere = { node: '', container: '', probe: '', object: '' } as const;
    const subject = trace.subjectOf({ component: 'scheduler', pod, ...nowhere });
    const nodes = [...this.nodes.values()];
    const counts = new Map<string, number>();
    for (const node of nodes) {
      const obstacle = this.obstacle(stored, node) ?? '';
      counts.set(obstacle, (counts.get(obstacle) ?? 0) + 1);
    }
    const reasons = [...counts].map(([obstacle, count]) => `${count} ${obstacle}`).sort();
    const reason = `0/${nodes.length} nodes are available: ${reasons.join(', ')}.`;
    trace.event(
      'controllerLog',
      kernel.now,
      subject,
      { message: 'unschedulable', values: JSON.stringify({ reason }) },
      [ref],
    );
  }
}
