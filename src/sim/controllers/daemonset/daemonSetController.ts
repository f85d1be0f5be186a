import { MICROS_PER_SECOND, type MicrosSpan } from '../../../base/units.ts';
import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import { type Informer, type InformerEvent, startAll } from '../../api/informer.ts';
import type { NodeObject } from '../../api/objects.ts';
import type { DaemonSetObject } from '../../api/workloadObjects.ts';
import { RESOURCE_NAMES } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { informerOf, type WorkloadContext } from '../workloads/context.ts';
import { Expectations } from '../workloads/expectations.ts';
import { SetSync } from '../workloads/setSync.ts';
import { nodePodsOf } from './daemonNodes.ts';
import { DaemonPods } from './daemonPods.ts';
import { historyOf } from './daemonSetHistory.ts';
import { type DaemonSetStatus, isNews, statusOf } from './daemonSetStatus.ts';
import { syncPods, viewOf } from './daemonSetSync.ts';
import { EndedPods } from './endedPods.ts';
import { NodeUpdates } from './nodeUpdates.ts';

const WORKERS = 2;
/** Writes of the status: the first, and one more onto the live object. */
const STATUS_ATTEMPTS = 2;

/** Gives every node its Pod of each DaemonSet (N-022). Source: pkg/controller/daemon/daemon_controller.go. */
export class DaemonSetController {
  private readonly context: WorkloadContext;
  private readonly own: SetSync<'daemonsets'>;
  private readonly daemonPods: DaemonPods;
  private readonly endedPods: EndedPods;
  private readonly nodeUpdates: NodeUpdates;
  private readonly nodes: Informer<'nodes'>;
  private readonly revisions: Informer<'controllerrevisions'>;
  private readonly expectations: Expectations;

  constructor(context: WorkloadContext) {
    this.context = context;
    this.expectations = new Expectations(context.kernel);
    this.own = new SetSync({
      context,
      resource: 'daemonsets',
      workers: WORKERS,
      sync: (key, set, ref) => this.sync(key, set, ref),
      forget: (key) => this.expectations.forget(key),
    });
    this.nodes = informerOf(context, 'daemonset', 'nodes');
    this.revisions = informerOf(context, 'daemonset', 'controllerrevisions');
    const { client, events, ownWrites, work } = this.own;
    this.daemonPods = new DaemonPods({ context, client, events, expectations: this.expectations, ownWrites });
    this.endedPods = new EndedPods(context, events, work);
    this.nodeUpdates = new NodeUpdates(context, this, (key, ref) => work.queue.add(key, ref));
  }

  /** Lists and watches from now on. */
  start(): void {
    const { sets, pods, work } = this.own;
    sets.onEvent(({ key, now, ref }) => {
      if (!now) this.expectations.forget(key);
      work.queue.add(key, ref);
    });
    this.revisions.onEvent(({ old, now, ref }) => {
      if (!old) return;
      const owner = (now ?? old).meta;
      const key = `${owner.namespace}/${owner.ownerName.slice('DaemonSet/'.length)}`;
      if (sets.get(key)?.meta.uid === owner.ownerUid) work.queue.add(key, ref);
    });
    pods.onEvent((event) => this.onPod(event));
    this.nodes.onEvent(({ old, now, ref }) => this.nodeUpdates.onNode(old, now, ref));
    startAll([sets, pods, this.nodes, this.revisions], () => {
      work.queue.run();
      this.nodeUpdates.run();
    });
  }

  private onPod(event: InformerEvent<'pods'>): void {
    const { old, now } = event;
    const owner = this.own.ownerOf(old, now);
    if (!owner) return;
    const { ref } = event;
    const { key, set } = owner;
    const { queue } = this.own.work;
    const isGoing = !now || now.deletionTimestamp !== null;
    if (isGoing) this.expectations.deletionObserved(key);
    else if (!old) this.expectations.creationObserved(key);
    queue.add(key, ref);
    const { minReadySeconds } = set.spec;
    if (isGoing || !old || minReadySeconds === 0 || isPodReady(old) || !isPodReady(now)) return;
    queue.addAfter(key, ((minReadySeconds + 1) * MICROS_PER_SECOND) as MicrosSpan, ref);
  }

  /** All sets, and the Pods of one that are bound to a node. */
  allSets(): readonly (readonly [string, DaemonSetObject])[] {
    return [...this.own.sets.values()].map((set) => [`${set.meta.namespace}/${set.meta.name}`, set]);
  }
  podsOn(set: DaemonSetObject, node: string): readonly ApiPod[] {
    return this.own.podsOf.of(set.meta).filter(({ input }) => input.node === node);
  }
  node(name: string): NodeObject | undefined {
    return this.nodes.get(name);
  }

  private *sync(key: string, set: DaemonSetObject, ref: Ref): Task<string> {
    if (set.meta.deletionTimestamp !== null) return '';
    const nodes = [...this.nodes.values()];
    const known = [...this.revisions.values()].filter(({ meta }) => meta.ownerUid === set.meta.uid);
    const history = yield* historyOf(this.own.client, set, known, ref);
    if ('error' in history) return `failed to construct revisions of DaemonSet: ${history.error}`;
    if (!this.expectations.satisfied(key)) return yield* this.updateStatus(key, set, nodes, false, ref);
    const error = yield* syncPods(set, nodes, history.old, {
      context: this.context,
      client: this.own.client,
      daemonPods: this.daemonPods,
      pods: () => this.own.podsOf.of(set.meta),
      isSettled: () => this.expectations.satisfied(key),
      mayReplace: (pod, node) => this.endedPods.mayReplace(set, pod, node, ref),
      log: (message, values) => this.own.work.log(key, message, values, ref),
      ref,
    });
    const written = yield* this.updateStatus(key, set, nodes, true, ref);
    return error || written;
  }

  /** Writes a status that says something new, and comes back if Pods wait for minReadySeconds (updateDaemonSetStatus). */
  private *updateStatus(
    key: string,
    set: DaemonSetObject,
    nodes: readonly NodeObject[],
    observes: boolean,
    ref: Ref,
  ): Task<string> {
    const status = statusOf(viewOf(this.context, set, nodes), nodePodsOf(this.own.podsOf.of(set.meta)));
    if (isNews(set, status)) {
      const error = yield* this.writeStatus(key, set, observes ? set.meta.generation : null, status, ref);
      if (error) return error;
    }
    const { minReadySeconds } = set.spec;
    if (minReadySeconds > 0 && status.numberReady !== status.numberAvailable)
      this.own.work.queue.addAfter(key, (minReadySeconds * MICROS_PER_SECOND) as MicrosSpan, ref);
    return '';
  }

  /** `generation`: the observed one; null: as it was. */
  private *writeStatus(
    key: string,
    set: DaemonSetObject,
    generation: number | null,
    status: DaemonSetStatus,
    ref: Ref,
  ): Task<string> {
    let onto = set;
    for (let attempt = 1; ; attempt++) {
      const observedGeneration = generation ?? onto.status.observedGeneration;
      const next = { ...onto, status: { ...status, observedGeneration } };
      const answer = yield* this.own.client.updateStatus('daemonsets', next, ref);
      if (!('error' in answer)) {
        this.own.ownWrites.wrote(key, RESOURCE_NAMES.daemonsets, answer.object?.meta.resourceVersion ?? 0);
        return '';
      }
      if (attempt === STATUS_ATTEMPTS) return answer.error;
      const live = yield* this.own.client.get('daemonsets', key, set.meta.name);
      if (!live) return answer.error;
      onto = live;
    }
  }
}
