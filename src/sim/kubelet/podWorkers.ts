import { MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Process, Task } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { type NodeContext, subjectOf } from './context.ts';
import type { Pleg } from './pleg.ts';
import type { RuntimePod } from './runtime/containerRuntime.ts';
import type { WorkQueue } from './workQueue.ts';

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

/** SyncPod, SyncTerminatingPod and SyncTerminatedPod. `pass` is the event of the pass. */
export type Syncers = Readonly<Record<WorkType, (pod: PodInput, view: RuntimePod, pass: Ref) => Task<PassResult>>>;

/** podSyncStatus (K-030). */
interface Worker {
  readonly pod: PodInput;
  readonly subject: number;
  /** Causes of the pending update; null when there is none. */
  pending: Ref[] | null;
  working: boolean;
  /** End of the last pass. */
  lastSync: Micros | null;
  passes: number;
  terminating: boolean;
  terminated: boolean;
  finished: boolean;
}

/** Factors of K-040, in seconds. */
const ERROR_BACK_OFF_SECONDS = 10;
const MAX_RETRY = 60 * MICROS_PER_SECOND;
const JITTER = 0.5;

/**
 * One worker for each Pod: takes the pending update, waits for a view of the runtime that is newer than its last
 * pass, runs the pass, queues the next one.
 *
 * Source: pkg/kubelet/pod_workers.go, UpdatePod, podWorkerLoop, completeWork (K-030 to K-041).
 * Left out: deletion, eviction, static Pods, cancelled passes.
 */
export class PodWorkers {
  private readonly context: NodeContext;
  private readonly pleg: Pleg;
  private readonly queue: WorkQueue;
  private readonly syncers: Syncers;
  private readonly workers = new Map<string, Worker>();

  constructor(context: NodeContext, pleg: Pleg, queue: WorkQueue, syncers: Syncers) {
    this.context = context;
    this.pleg = pleg;
    this.queue = queue;
    this.syncers = syncers;
  }

  /** Asks for a pass. Any number of requests during one pass cost exactly one more (K-032). */
  updatePod(pod: PodInput, cause: Ref): void {
    const worker = this.workers.get(pod.identity) ?? this.add(pod);
    if (worker.finished) return;
    if (worker.pending) {
      worker.pending.push(cause);
      return;
    }
    worker.pending = [cause];
    // The worker wakes after everything of this round: two events of one relist are one pass (D-8).
    if (!worker.working) this.context.kernel.post('kubelet', () => this.take(worker));
  }

  /** Whether containers of the Pod could still run (K-189). */
  couldRun(pod: PodInput): boolean {
    return !this.workers.get(pod.identity)?.terminated;
  }

  private add(pod: PodInput): Worker {
    const worker: Worker = {
      pod,
      subject: subjectOf(this.context, 'podWorker', pod),
      pending: null,
      working: false,
      lastSync: null,
      passes: 0,
      terminating: false,
      terminated: false,
      finished: false,
    };
    this.workers.set(pod.identity, worker);
    return worker;
  }

  private take(worker: Worker): void {
    if (worker.working || !worker.pending) return;
    const { kernel, trace } = this.context;
    const work: WorkType = worker.terminated ? 'terminated' : worker.terminating ? 'terminating' : 'sync';
    const wake = trace.event('podWorkerWake', kernel.now, worker.subject, { work }, worker.pending);
    worker.pending = null;
    worker.working = true;
    this.pleg.getNewerThan(worker.pod, worker.lastSync, (view) =>
      kernel.start(this.pass(worker, work, view, wake), 'kubelet'),
    );
  }

  private *pass(worker: Worker, work: WorkType, view: RuntimePod, wake: Ref): Process {
    const { kernel, trace, latency } = this.context;
    const payload = { work, pass: ++worker.passes, error: '' };
    const ref = trace.event('syncPod', kernel.now, worker.subject, payload, [wake], NO_REF, NaN);
    yield latency.syncPod;
    const result = yield* this.syncers[work](worker.pod, view, ref);
    trace.end<'syncPod'>(ref, kernel.now, { error: result.error }, false);
    worker.lastSync = kernel.now;
    if (work === 'sync' && result.actions > 0 && !result.error) this.pleg.request(worker.pod, ref);
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
    if (work === 'terminating') worker.terminated = true;
    else if (result.terminal) worker.terminating = true;
    this.requeue(worker, transition, result, ref);
    if (transition) worker.pending = [...(worker.pending ?? []), ref];
    this.take(worker);
  }

  /** K-040: the next pass without any other reason, with a new draw at the end of every pass. */
  private requeue({ pod, subject }: Worker, transition: boolean, { error, retryAt }: PassResult, cause: Ref): void {
    const { kernel, draws, config, trace } = this.context;
    const base = transition ? 0 : this.requeueBase(error, retryAt, config.syncFrequencySeconds);
    const delay = draws.number(`podWorkers/requeue/${pod.identity}`, kernel.now, (u) =>
      Math.floor(base * (1 + u * JITTER)),
    ) as MicrosSpan;
    const reason = transition ? 'phase transition' : retryAt !== null ? 'back-off' : error ? 'error' : 'resync';
    const ref = trace.event('requeue', kernel.now, subject, { delay, reason }, [cause]);
    this.queue.enqueue(pod, delay, ref);
  }

  private requeueBase(error: string, retryAt: Micros | null, syncFrequencySeconds: number): number {
    if (retryAt !== null) return Math.min(Math.max(retryAt - this.context.kernel.now, 0), MAX_RETRY);
    return (error ? ERROR_BACK_OFF_SECONDS : syncFrequencySeconds) * MICROS_PER_SECOND;
  }
}
