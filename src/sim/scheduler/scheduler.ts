import type { ApiPod } from '../api/apiPod.ts';
import { Informer, startAll } from '../api/informer.ts';
import type { NodeObject } from '../api/objects.ts';
import { isTerminal } from '../api/podStatus.ts';
import { WorkloadClient } from '../controllers/workloads/client.ts';
import { hop, type WorkloadContext } from '../controllers/workloads/context.ts';
import { Gate, type Task } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import { tolerates } from './taints.ts';

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
        to: 'scheduler',
        subject: trace.subjectOf({ ...nowhere, object: resource }),
        phase: 'controller',
      });
    this.pods = informer('pods');
    this.nodes = informer('nodes');
  }

  /** Lists and watches from now on. */
  start(): void {
    this.pods.onEvent(({ key, old, now, ref }) => this.onPod(key, old, now, ref));
    this.nodes.onEvent(({ ref }) => this.retryAll(ref));
    const { kernel } = this.context;
    startAll([this.nodes, this.pods], () => kernel.start(this.run(), 'controller'));
  }

  private onPod(key: string, old: ApiPod | null, now: ApiPod | null, ref: Ref): void {
    if (!now) {
      this.unschedulable.delete(key);
      return this.retryAll(ref);
    }
    if (!old && !now.input.node && now.deletionTimestamp === null) this.activate(key, ref);
  }

  /** Pods that have not ended, as the API server has them, by the node where they are or will be. */
  private living(): readonly { readonly pod: ApiPod; readonly node: string }[] {
    return this.context.store
      .list('pods')
      .filter(({ status }) => !isTerminal(status.phase))
      .map((pod) => ({ pod, node: this.assumed.get(pod.input.identity) ?? pod.input.node }));
  }

  private retryAll(ref: Ref): void {
    const waiting = [...this.unschedulable.keys()];
    this.unschedulable.clear();
    for (const key of waiting) this.activate(key, ref);
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
        this.assumed.set(next.key, node);
        yield* this.bind(pod, node, next.ref);
        this.assumed.delete(next.key);
      } else {
        this.unschedulable.set(next.key, next.ref);
        this.tellUnschedulable(next.key, next.ref);
      }
    }
  }

  private nodeFor(pod: ApiPod): string | null {
    const { target } = pod.input;
    const counts = new Map<string, { places: number; all: number; own: number }>();
    for (const { pod: one, node } of this.living()) {
      const count = counts.get(node) ?? { ...NO_PODS };
      counts.set(node, count);
      count.places++;
      if (one.deletionTimestamp !== null) continue;
      count.all++;
      if (ownerOf(one) === ownerOf(pod)) count.own++;
    }
    const of = (node: NodeObject): typeof NO_PODS => counts.get(node.meta.name) ?? NO_PODS;
    const fitting = [...this.nodes.values()].filter(
      (node) =>
        (!target || node.meta.name === target) &&
        !node.unschedulable &&
        of(node).places < node.podCapacity &&
        node.taints.every((taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod.input.tolerations, taint)),
    );
    const [best] = fitting.sort(
      (a, b) => of(a).own - of(b).own || of(a).all - of(b).all || (a.meta.name < b.meta.name ? -1 : 1),
    );
    return best?.meta.name ?? null;
  }

  /** A Binding: refused for a Pod that goes or is bound (C-009). */
  private *bind(pod: ApiPod, node: string, ref: Ref): Task<void> {
    yield* this.client.changePod('update', 'binding', pod, ref, (stored) =>
      stored.deletionTimestamp !== null || stored.input.node
        ? { code: 409, error: `Operation cannot be fulfilled on pods/binding "${pod.input.name}"` }
        : { ...stored, input: { ...stored.input, node } },
    );
  }

  private tellUnschedulable(pod: string, ref: Ref): void {
    const { trace, kernel } = this.context;
    const nowhere = { node: '', container: '', probe: '', object: '' } as const;
    const subject = trace.subjectOf({ component: 'scheduler', pod, ...nowhere });
    trace.event('controllerLog', kernel.now, subject, { message: 'unschedulable', values: '{}' }, [ref]);
  }
}

/** Places that Pods take on a node, those that go included; Pods that count for its choice, and those of the same owner. */
const NO_PODS = { places: 0, all: 0, own: 0 };

/** Pods of one owner are spread; a bare Pod is its own. */
const ownerOf = ({ input }: ApiPod): string => input.owner?.uid ?? input.identity;
