import { MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { ApiPod } from '../api/apiPod.ts';
import { isTerminal } from '../api/podStatus.ts';
import type { DrawStream } from '../kernel/draws.ts';
import { inStartOrder } from '../kernel/goroutines.ts';
import { Gate, type Process, type Task } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { type KubeletContext, subjectOf } from './context.ts';
import type { Pleg } from './pleg.ts';
import type { RuntimePod } from './runtime/records.ts';
import type { SettledStatus, SettledStatuses } from './status/settledStatuses.ts';
import type { NewStatus } from './status/statusManager.ts';
import type { QueuePlace, WorkQueue } from './workQueue.ts';

export type WorkType = 'sync' | 'terminating' | 'terminated';

/** What a pass came to. */
export interface PassResult {
  /** How many actions on the runtime it took: any, and it asks for a relist (K-046 step 15). */
  readonly actions: number;
  /** SyncPod: the Pod has ended by itself. */
  readonly terminal: boolean;
  readonly error: string;
  /** Earliest end of a back-off among the errors, µs. */
  readonly retryAt: Micros | null;
}

/** An end that the kubelet itself decided on (KillPodOptions, K-043). */
export interface PodKill {
  readonly graceSeconds: number;
  /** What the killer makes of the status with which the end begins. */
  change(status: NewStatus): NewStatus;
  /** Nothing of the Pod runs any more. */
  killed(): void;
}

/** A pass's view of its worker. */
export interface Pass {
  readonly pod: PodInput;
  /** The pod manager's object when the update was asked for that the pass has taken; of a static Pod its mirror (K-006). */
  readonly stored: ApiPod | undefined;
  readonly view: RuntimePod;
  /** The event of the pass. */
  readonly ref: Ref;
  /** Seconds that override the spec's grace; null when the Pod ends by itself (K-036, K-052). */
  readonly grace: number | null;
  /** The killer, if the kubelet ends the Pod. */
  readonly killer: PodKill | null;
  /** Opens when the Pod begins to end, or shall end sooner: what may be interrupted is (K-035). */
  readonly cancelled: Gate;
}

/** SyncPod, SyncTerminatingPod and SyncTerminatedPod. */
export interface Syncers extends Readonly<Record<WorkType, (pass: Pass) => Task<PassResult>>> {
  /** Does what `sync` would if that came to nothing (`IDLE`); else returns false and has done nothing. */
  syncIdle(pod: PodInput, standing: SettledStatus, view: RuntimePod, ref: Ref): boolean;
}

/** What most passes come to. */
export const IDLE: PassResult = { actions: 0, terminal: false, error: '', retryAt: null };

/** What the workers need of the kubelet around them. */
export interface WorkersHost {
  readonly context: KubeletContext;
  readonly pleg: Pleg;
  readonly queue: WorkQueue<Worker>;
  readonly syncers: Syncers;
  readonly settled: SettledStatuses;
  /** A Pod begins to end. */
  onEnd(pod: PodInput): void;
}

/** podSyncStatus (K-030). */
export interface Worker {
  readonly pod: PodInput;
  readonly subject: number;
  readonly requeueDraws: DrawStream;
  readonly standing: SettledStatus;
  readonly place: QueuePlace<Worker>;
  /** The pod manager's object at the last update (mergeLastUpdate). */
  stored: ApiPod | undefined;
  /** Causes of the pending update; null when there is none. */
  pending: Ref[] | null;
  working: boolean;
  /** The running pass's context. */
  cancelled: Gate;
  /** End of the last pass. */
  lastSync: Micros | null;
  passes: number;
  terminating: boolean;
  terminated: boolean;
  finished: boolean;
  /** A deletion was seen, or the Pod is no longer configured. */
  deleted: boolean;
  /** 0 until something asked for an end (K-036). */
  grace: number;
  /** The last one; null when nobody but the API ends the Pod. */
  killer: PodKill | null;
}

/** An update that a worker has taken, and the view that it was waiting for. */
interface Taken extends Pick<Pass, 'stored' | 'view' | 'grace'> {
  readonly worker: Worker;
  readonly work: WorkType;
}

/** The Pod as its source has it: of a static one the API only has a mirror, which says nothing of its end (K-192). */
export const ownObject = ({ pod, stored }: Pick<Pass, 'pod' | 'stored'>): ApiPod | undefined =>
  pod.isStatic ? undefined : stored;

/** Whether it is known that a source has the Pod and nobody ends it: what a pass would find has been found before. */
export const isQuiet = ({ standing }: Worker): boolean => standing.quietView !== null;

/** K-040. */
const ERROR_BACK_OFF_SECONDS = 10;
const MAX_RETRY = 60 * MICROS_PER_SECOND;
const JITTER = 0.5;

/**
 * One worker for each Pod: takes the pending update, waits for a view of the runtime that is newer than its last
 * pass, runs the pass, queues the next one.
 *
 * Source: pkg/kubelet/pod_workers.go, UpdatePod, podWorkerLoop, completeWork (K-030 to K-041).
 * Left out: static Pods of one full name that follow each other (K-037).
 */
export class PodWorkers {
  private readonly context: KubeletContext;
  private readonly pleg: Pleg;
  private readonly queue: WorkQueue<Worker>;
  /** Workers are known to be all there are: housekeeping has compared them with the configured Pods. */
  private synced = false;
  private readonly syncers: Syncers;
  private readonly settled: SettledStatuses;
  private readonly workers = new Map<string, Worker>();
  /** Null: none waits for its turn. */
  private waking: Worker[] | null = null;
  private readonly takeWaking: () => void;
  private readonly onEnd: WorkersHost['onEnd'];

  constructor({ context, pleg, queue, syncers, settled, onEnd }: WorkersHost) {
    this.context = context;
    this.pleg = pleg;
    this.queue = queue;
    this.syncers = syncers;
    this.settled = settled;
    this.onEnd = onEnd;
    this.takeWaking = () => {
      const woken = this.waking ?? [];
      this.waking = null;
      for (const worker of inStartOrder(woken)) this.take(worker);
    };
  }

  /**
   * Asks for a pass. Any number of requests during one pass cost exactly one more (K-032).
   * `stored` is the pod manager's object; `kill`: the Pod is no longer configured.
   */
  updatePod(pod: PodInput, stored: ApiPod | undefined, cause: Ref, kill = false): void {
    const worker = this.workers.get(pod.identity) ?? this.add(pod, stored);
    if (worker.finished) return;
    worker.stored = stored;
    this.noteEnd(worker, kill);
    this.ask(worker, cause);
  }

  /** Ends the Pod though nobody deleted it (K-043). A Pod without a worker, or that has terminated, is left alone. */
  killPod(pod: PodInput, stored: ApiPod | undefined, killer: PodKill, cause: Ref): void {
    const worker = this.workers.get(pod.identity);
    if (!worker || worker.terminated) return killer.killed();
    worker.stored = stored;
    worker.killer = killer;
    this.noteEnd(worker, false);
    this.ask(worker, cause);
  }

  /** `updatePod` for a worker whose Pod may be quiet: then nothing is looked at. False: it is not, and nothing is done. */
  updateQuiet(worker: Worker | null, cause: Ref): boolean {
    if (!worker || !isQuiet(worker)) return false;
    this.ask(worker, cause);
    return true;
  }

  private ask(worker: Worker, cause: Ref): void {
    if (worker.pending) {
      worker.pending.push(cause);
      return;
    }
    worker.pending = [cause];
    if (!worker.working) this.wake(worker);
  }

  /** Workers wake after everything of this round: two events of one relist are one pass (D-8). */
  private wake(worker: Worker): void {
    if (this.waking) {
      this.waking.push(worker);
      return;
    }
    this.waking = [worker];
    this.context.kernel.post('kubelet', this.takeWaking);
  }

  /** Whether containers of the Pod could still run: a Pod without a worker has none, once all Pods are known (K-189). */
  couldRun(pod: PodInput): boolean {
    const worker = this.workers.get(pod.identity);
    return worker === undefined ? !this.synced : !worker.terminated;
  }

  isTerminating(pod: PodInput): boolean {
    const worker = this.workers.get(pod.identity);
    if (!worker) return false;
    return worker.terminating && !worker.terminated;
  }

  /** Housekeeping has run since all sources were seen. */
  markSynced(): void {
    this.synced = true;
  }

  /** Whether everything of the Pod may be removed from the runtime: deleted or evicted, and terminated, or not known any more. */
  contentMayGo(pod: PodInput): boolean {
    const worker = this.workers.get(pod.identity);
    return worker === undefined ? this.synced : (worker.deleted || worker.killer !== null) && worker.terminated;
  }

  knows({ identity }: PodInput): boolean {
    return this.workers.has(identity);
  }

  /** Pods that have a worker. */
  get pods(): readonly PodInput[] {
    return [...this.workers.values()].map(({ pod }) => pod);
  }

  /** Pods whose worker has finished. */
  get finishedPods(): readonly PodInput[] {
    return [...this.workers.values()].filter(({ finished }) => finished).map(({ pod }) => pod);
  }

  /** Housekeeping: the worker of a Pod that is no longer configured goes. */
  forget(pod: PodInput): void {
    this.workers.delete(pod.identity);
    this.queue.placeOf(pod).worker = null;
  }

  private add(pod: PodInput, stored: ApiPod | undefined): Worker {
    // A Pod that has ended, found by a new kubelet, only needs the last of the three passes (K-033).
    const phase = ownObject({ pod, stored })?.status.phase;
    const ended = phase !== undefined && isTerminal(phase) && this.isAtRest(pod);
    const worker: Worker = {
      pod,
      subject: subjectOf(this.context, 'podWorker', pod),
      requeueDraws: this.context.draws.stream(`podWorkers/requeue/${pod.identity}`),
      standing: this.settled.of(pod),
      place: this.queue.placeOf(pod),
      stored,
      pending: null,
      working: false,
      cancelled: new Gate(),
      lastSync: null,
      passes: 0,
      terminating: ended,
      terminated: ended,
      finished: false,
      deleted: false,
      grace: 0,
      killer: null,
    };
    worker.place.worker = worker;
    this.workers.set(pod.identity, worker);
    return worker;
  }

  private isAtRest(pod: PodInput): boolean {
    const { containers, sandboxes } = this.pleg.cached(pod);
    return containers.every(({ state }) => state !== 'running') && sandboxes.every(({ ready }) => !ready);
  }

  /** K-034 and K-036: what makes the Pod end, and how long it may take; the grace only shrinks. */
  private noteEnd(worker: Worker, kill: boolean): void {
    const stored = ownObject(worker);
    if (kill || stored?.deletionTimestamp != null) worker.deleted = true;
    const ends =
      worker.deleted || kill || worker.killer !== null || (stored !== undefined && isTerminal(stored.status.phase));
    if (!ends) return;
    const { terminating: wasTerminating, grace: before } = worker;
    worker.terminating = true;
    const asked = stored?.deletionGracePeriodSeconds ?? null;
    for (const wanted of [asked, worker.killer?.graceSeconds ?? null])
      if (wanted !== null && (worker.grace === 0 || wanted < worker.grace)) worker.grace = wanted;
    if (worker.grace === 0) worker.grace = worker.pod.terminationGracePeriodSeconds;
    worker.grace = Math.max(worker.grace, 1);
    if (!wasTerminating || worker.grace < before) worker.cancelled.open();
    if (!wasTerminating) this.onEnd(worker.pod);
  }

  private take(worker: Worker): void {
    if (worker.working || !worker.pending) return;
    const { kernel, trace } = this.context;
    const work: WorkType = worker.terminated ? 'terminated' : worker.terminating ? 'terminating' : 'sync';
    const wake = trace.event('podWorkerWake', kernel.now, worker.subject, { work }, worker.pending);
    const { stored } = worker;
    const grace = worker.grace === 0 ? null : worker.grace;
    worker.pending = null;
    worker.working = true;
    if (!worker.cancelled.isUnused) worker.cancelled = new Gate();
    const view = this.pleg.newerThan(worker.pod, worker.lastSync, worker.standing.quietView);
    if (view) this.begin({ worker, work, stored, grace, view }, [wake]);
    else this.awaitView({ worker, work, stored, grace }, wake);
  }

  private awaitView(taken: Omit<Taken, 'view'>, wake: Ref): void {
    const { pod, lastSync } = taken.worker;
    this.pleg.awaitNewer(pod, lastSync, (view, relist) => this.begin({ ...taken, view }, [wake, relist]));
  }

  private begin(taken: Taken, causes: readonly Ref[]): void {
    const { worker, work, view } = taken;
    const { kernel, trace, latency } = this.context;
    const payload = { work, pass: ++worker.passes, error: '' };
    const ref = trace.event('syncPod', kernel.now, worker.subject, payload, causes, NO_REF, NaN);
    const go = (): void => {
      // Most passes find nothing to do, and need no process.
      if (work === 'sync' && this.syncers.syncIdle(worker.pod, worker.standing, view, ref))
        this.end(worker, work, IDLE, ref);
      else kernel.start(this.pass(taken, ref), 'kubelet');
    };
    if (latency.syncPod > 0) kernel.after(latency.syncPod, 'kubelet', go);
    else go();
  }

  private *pass({ worker, work, stored, grace, view }: Taken, ref: Ref): Process {
    const { pod, killer, cancelled } = worker;
    const result = yield* this.syncers[work]({ pod, stored, view, ref, grace, killer, cancelled });
    this.end(worker, work, result, ref);
  }

  private end(worker: Worker, work: WorkType, result: PassResult, ref: Ref): void {
    const { kernel, trace, behaviour } = this.context;
    trace.end<'syncPod'>(ref, kernel.now, result.error ? { error: result.error } : null, false);
    worker.lastSync = kernel.now;
    const asks = work === 'sync' && result.actions > 0 && !result.error && behaviour.hasOnDemandRelist;
    if (asks) this.pleg.request(worker.pod, ref);
    this.complete(worker, work, result, ref);
  }

  /** completeWork, and the phase transitions before it. */
  private complete(worker: Worker, work: WorkType, result: PassResult, ref: Ref): void {
    worker.working = false;
    if (work === 'terminated') {
      worker.finished = true;
      worker.pending = null;
      return;
    }
    const transition = work === 'terminating' || result.terminal;
    if (work === 'terminating') {
      worker.terminated = true;
      worker.killer?.killed();
    }
    if (work === 'sync' && result.terminal) worker.terminating = true;
    this.requeue(worker, transition, result, ref);
    if (transition) worker.pending = [...(worker.pending ?? []), ref];
    this.take(worker);
  }

  /** K-040: the next pass without any other reason, with a new draw at the end of every pass. */
  private requeue(
    { pod, subject, requeueDraws, place }: Worker,
    transition: boolean,
    { error, retryAt }: PassResult,
    cause: Ref,
  ): void {
    const { kernel, config, trace } = this.context;
    const base = transition ? 0 : this.requeueBase(error, retryAt, config.syncFrequencySeconds);
    const delay = requeueDraws.number(kernel.now, (u) => Math.floor(base * (1 + u * JITTER))) as MicrosSpan;
    const reason = transition ? 'phase transition' : retryAt !== null ? 'back-off' : error ? 'error' : 'resync';
    const ref = trace.event('requeue', kernel.now, subject, { delay, reason }, [cause]);
    this.queue.enqueue(place, pod, delay, ref);
  }

  private requeueBase(error: string, retryAt: Micros | null, syncFrequencySeconds: number): number {
    if (retryAt !== null && this.context.behaviour.retriesAtExpiry)
      return Math.min(Math.max(retryAt - this.context.kernel.now, 0), MAX_RETRY);
    return (error ? ERROR_BACK_OFF_SECONDS : syncFrequencySeconds) * MICROS_PER_SECOND;
  }
}
