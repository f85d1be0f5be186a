import { later, type Micros, type MicrosSpan, milliseconds } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import { asDisruptionTarget, isDisruptionTarget } from '../../api/disruptionTarget.ts';
import { type Informer, type InformerEvent, startAll } from '../../api/informer.ts';
import type { NodeObject, Taint } from '../../api/objects.ts';
import type { Task, Timer } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { WorkloadClient } from '../workloads/client.ts';
import { informerOf, type WorkloadContext } from '../workloads/context.ts';
import { WorkloadEvents } from '../workloads/events.ts';
import { logLine } from '../workloads/log.ts';
import { tolerationTime } from './tolerations.ts';

/** An eviction that fails: attempts, and the wait between them. */
const ATTEMPTS = 5;
const RETRY = milliseconds(10);
const REASON = 'DeletionByTaintManager';
const MESSAGE = 'Taint manager: deleting due to NoExecute taint';

interface Eviction {
  readonly createdAt: Micros;
  /** Null: it began at once. */
  readonly timer: Timer | null;
}

/**
 * Evicts Pods from nodes with NoExecute taints once their tolerations are over (N-036).
 * Source: pkg/controller/tainteviction/taint_eviction.go, timed_workers.go.
 */
export class TaintEvictionController {
  private readonly context: WorkloadContext;
  private readonly client: WorkloadClient;
  private readonly events: WorkloadEvents;
  private readonly nodes: Informer<'nodes'>;
  private readonly pods: Informer<'pods'>;
  /** NoExecute taints of the nodes that have some. */
  private readonly tainted = new Map<string, readonly Taint[]>();
  private readonly evictions = new Map<string, Eviction>();

  constructor(context: WorkloadContext) {
    this.context = context;
    this.client = new WorkloadClient(context, 'tainteviction');
    this.events = new WorkloadEvents(context, 'tainteviction');
    this.nodes = informerOf(context, 'tainteviction', 'nodes');
    this.pods = informerOf(context, 'tainteviction', 'pods');
  }

  /** Lists and watches from now on. */
  start(): void {
    this.nodes.onEvent(({ key, old, now, ref }) => this.onNode(key, old, now, ref));
    this.pods.onEvent((event) => this.onPod(event));
    startAll([this.pods, this.nodes], () => {});
  }

  private onNode(name: string, old: NodeObject | null, now: NodeObject | null, ref: Ref): void {
    if (!now) {
      this.tainted.delete(name);
      return;
    }
    const taints = noExecuteOf(now);
    if (old && sameTaints(noExecuteOf(old), taints)) return;
    if (taints.length > 0) this.tainted.set(name, taints);
    else this.tainted.delete(name);
    const pods = [...this.pods.values()].filter(({ input }) => input.node === name);
    if (pods.length === 0) return;
    if (taints.length === 0) {
      this.log(name, 'evictionsCancelled', {}, ref);
      for (const pod of pods) this.cancel(pod.input.identity, ref);
      return;
    }
    for (const pod of pods) this.process(pod, taints, ref);
  }

  private onPod(event: InformerEvent<'pods'>): void {
    const { key, old, now } = event;
    if (!now) {
      if (this.evictions.has(key)) this.cancel(key, event.ref);
      return;
    }
    if (old && old.input.node === now.input.node) return;
    const taints = this.tainted.get(now.input.node);
    if (taints) this.process(now, taints, event.ref);
  }

  /** Source: processPodOnNode. */
  private process({ input }: ApiPod, taints: readonly Taint[], ref: Ref): void {
    const { now } = this.context.kernel;
    const { identity } = input;
    const time = tolerationTime(input.tolerations, taints);
    if (time === 'none' || time === null) {
      this.cancel(identity, ref);
      if (time === 'none') this.schedule(identity, now, now, ref);
      return;
    }
    const planned = this.evictions.get(identity);
    const createdAt = planned?.timer ? planned.createdAt : now;
    if (planned?.timer && createdAt < now) return;
    if (planned?.timer) this.cancel(identity, ref);
    this.schedule(identity, createdAt, later(now, time), ref);
  }

  /** Nothing happens while the Pod has an eviction already (TimedWorkerQueue.AddWork). */
  private schedule(pod: string, createdAt: Micros, at: Micros, cause: Ref): void {
    if (this.evictions.has(pod)) return;
    const { kernel } = this.context;
    const ref = this.log(pod, 'evictionSet', { firedTimeUs: at }, cause);
    const fire = (): void => kernel.start(this.evict(pod, ref), 'controller');
    const delay = (at - createdAt) as MicrosSpan;
    this.evictions.set(pod, { createdAt, timer: delay > 0 ? kernel.after(delay, 'controller', fire) : null });
    if (delay <= 0) fire();
  }

  private cancel(pod: string, ref: Ref): void {
    const planned = this.evictions.get(pod);
    if (!planned) return;
    this.evictions.delete(pod);
    this.log(pod, 'evictionCancelled', {}, ref);
    if (!planned.timer) return;
    planned.timer.cancelled = true;
    this.tell(pod, 'Cancelling deletion of', ref);
  }

  private *evict(pod: string, cause: Ref): Task<void> {
    const ref = this.log(pod, 'evictionFires', {}, cause);
    this.tell(pod, 'Marking for deletion', ref);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (yield* this.markAndDelete(pod, ref)) break;
      yield RETRY;
    }
    this.evictions.delete(pod);
  }

  /** False when a request failed. Source: addConditionAndDeletePod. */
  private *markAndDelete(identity: string, ref: Ref): Task<boolean> {
    const { client, context } = this;
    const pod = yield* client.get('pods', identity, identity.slice(identity.indexOf('/') + 1));
    if (!pod) return false;
    const now = context.wall.seconds(context.kernel.now);
    if (!isDisruptionTarget(pod, REASON, MESSAGE)) {
      const answer = yield* client.changePod('patch', 'status', pod, ref, (stored) =>
        asDisruptionTarget(stored, REASON, MESSAGE, now),
      );
      if ('error' in answer) return false;
    }
    return !('error' in (yield* client.deletePod(pod, null, ref)));
  }

  private tell(identity: string, what: string, ref: Ref): void {
    const given = identity.slice(identity.indexOf('/') + 1);
    const name = this.context.api.get(identity)?.input.name ?? given;
    const message = `${what} Pod ${identity.slice(0, -given.length)}${name}`;
    this.events.tell({ kind: 'Pod', key: identity, uid: '', name }, 'TaintManagerEviction', message, ref);
  }

  private log(key: string, message: string, values: object, cause: Ref): Ref {
    return logLine(this.context, 'tainteviction', { key, message, values }, cause);
  }
}

const noExecuteOf = ({ taints }: NodeObject): readonly Taint[] => taints.filter(({ effect }) => effect === 'NoExecute');

const sameTaints = (a: readonly Taint[], b: readonly Taint[]): boolean => JSON.stringify(a) === JSON.stringify(b);
