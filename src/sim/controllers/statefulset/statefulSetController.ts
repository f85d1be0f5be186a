import { MICROS_PER_SECOND, type Micros, type MicrosSpan, milliseconds } from '../../../base/units.ts';
import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import { type Informer, type InformerEvent, startAll } from '../../api/informer.ts';
import type { ControllerRevisionObject, StatefulSetObject } from '../../api/workloadObjects.ts';
import { RESOURCE_NAMES } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { informerOf, type WorkloadContext } from '../workloads/context.ts';
import { byRevision } from '../workloads/revisions.ts';
import { nextAvailable, SetSync } from '../workloads/setSync.ts';
import { StatefulPods } from './statefulPods.ts';
import { revisionsOf, truncateHistory } from './statefulSetHistory.ts';
import { completed, isNews, type StatefulSetStatus, statusOf } from './statefulSetStatus.ts';
import { syncReplicas } from './statefulSetSync.ts';

const WORKERS = 5;
/** Writes of the status that meet a conflict: attempts, wait between them, and the random part of it (client-go retry.DefaultRetry). */
const STATUS_ATTEMPTS = 5;
const STATUS_WAIT = milliseconds(10);
const STATUS_JITTER = 0.1;

/** Gives StatefulSets their Pods (N-022). Source: pkg/controller/statefulset/stateful_set.go. */
export class StatefulSetController {
  private readonly context: WorkloadContext;
  private readonly own: SetSync<'statefulsets'>;
  private readonly statefulPods: StatefulPods;
  private readonly revisions: Informer<'controllerrevisions'>;

  constructor(context: WorkloadContext) {
    this.context = context;
    this.own = new SetSync({
      context,
      resource: 'statefulsets',
      workers: WORKERS,
      sync: (key, set, ref) => this.sync(key, set, ref),
      forget: () => {},
    });
    this.revisions = informerOf(context, 'statefulset', 'controllerrevisions');
    this.statefulPods = new StatefulPods(this.own.client, this.own.events, this.own.ownWrites);
  }

  /** Lists and watches from now on. */
  start(): void {
    const { sets, pods, work } = this.own;
    sets.onEvent(({ key, ref }) => work.queue.add(key, ref));
    pods.onEvent((event) => this.onPod(event));
    startAll([sets, pods, this.revisions], () => work.queue.run());
  }

  private onPod(event: InformerEvent<'pods'>): void {
    const { old, now } = event;
    const owner = this.own.ownerOf(old, now);
    if (!owner) return;
    const { ref } = event;
    const { key, set } = owner;
    const { work } = this.own;
    work.queue.add(key, ref);
    const { minReadySeconds } = set.spec;
    if (!old || !now || isPodReady(old) || !isPodReady(now) || minReadySeconds === 0) return;
    work.log(key, 'recheckAfterMinReady', { minReadySeconds }, ref);
    work.queue.addAfter(key, (minReadySeconds * MICROS_PER_SECOND) as MicrosSpan, ref);
  }

  private *sync(key: string, set: StatefulSetObject, ref: Ref): Task<string> {
    const pods = this.own.podsOf.of(set.meta);
    const { now } = this.context.kernel;
    const { status, error } = yield* this.update(key, set, pods, now, ref);
    if (status) this.lookAgain(key, set, pods, status, now, ref);
    return error;
  }

  /** UpdateStatefulSet: Pods, then the status, then the history; the status only if all went well. */
  private *update(
    key: string,
    set: StatefulSetObject,
    pods: readonly ApiPod[],
    now: Micros,
    ref: Ref,
  ): Task<{ readonly status: StatefulSetStatus | null; readonly error: string }> {
    const sorted = byRevision([...this.revisions.values()].filter(({ meta }) => meta.ownerUid === set.meta.uid));
    const revisions = yield* revisionsOf(this.own.client, set, sorted, ref);
    if ('error' in revisions) return { status: null, error: revisions.error };
    const { current, update } = revisions;
    const { status, error } = yield* this.moveOn(key, set, pods, { current, update }, now, ref);
    const truncated = yield* truncateHistory(this.own.client, set, pods, sorted, [current, update], ref);
    const failed = error || truncated;
    return { status: failed ? null : status, error: failed };
  }

  private *moveOn(
    key: string,
    set: StatefulSetObject,
    pods: readonly ApiPod[],
    between: { readonly current: ControllerRevisionObject; readonly update: ControllerRevisionObject },
    now: Micros,
    ref: Ref,
  ): Task<{ readonly status: StatefulSetStatus; readonly error: string }> {
    const { kernel, wall } = this.context;
    const judged = { set, ...between, clock: { now, wall } };
    const log = (message: string, values: object): void => this.own.work.log(key, message, values, ref);
    const before = statusOf(judged, pods);
    const { replaced, error } = yield* syncReplicas(judged, pods, { kernel, pods: this.statefulPods, log, ref });
    const status = completed(set, { ...before, currentReplicas: before.currentReplicas - replaced });
    const written = isNews(set, status) ? yield* this.writeStatus(key, set, status, ref) : '';
    return { status, error: error || written };
  }

  /** Writes the status; a conflict is tried again on what the cache has by then (stateful_set_status_updater.go). */
  private *writeStatus(key: string, set: StatefulSetObject, status: StatefulSetStatus, ref: Ref): Task<string> {
    const { draws, kernel } = this.context;
    let onto = set;
    for (let attempt = 1; ; attempt++) {
      const answer = yield* this.own.client.updateStatus('statefulsets', { ...onto, status }, ref);
      if (!('error' in answer)) {
        this.own.ownWrites.wrote(key, RESOURCE_NAMES.statefulsets, answer.object?.meta.resourceVersion ?? 0);
        return '';
      }
      if (answer.code !== 409 || attempt === STATUS_ATTEMPTS) return answer.error;
      onto = this.own.sets.get(key) ?? onto;
      const jitter = (u: number): number => Math.floor(STATUS_WAIT * (1 + STATUS_JITTER * u));
      yield draws.number(`statefulset/statusRetry/${key}`, kernel.now, jitter) as MicrosSpan;
    }
  }

  /** Comes back when the next Pod is due to be available. */
  private lookAgain(
    key: string,
    { spec: { minReadySeconds } }: StatefulSetObject,
    pods: readonly ApiPod[],
    status: StatefulSetStatus,
    at: Micros,
    ref: Ref,
  ): void {
    if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return;
    const next = nextAvailable(this.context, pods, minReadySeconds, { now: at, wall: this.context.wall });
    this.own.work.queue.addAfter(key, next ?? ((minReadySeconds * MICROS_PER_SECOND) as MicrosSpan), ref);
  }
}
