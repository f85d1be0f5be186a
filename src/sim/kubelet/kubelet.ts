import { later, micros, seconds } from '../../base/units.ts';
import type { ApiPod } from '../api/apiPod.ts';
import { isTerminal } from '../api/podStatus.ts';
import type { Task, Timer } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import { NO_CAUSES, NO_REF, type Ref } from '../trace/ref.ts';
import { callApi } from './apiClient.ts';
import { classify } from './configSource.ts';
import { ContainerDeletor } from './containerDeletor.ts';
import { type KubeletContext, subjectOf } from './context.ts';
import { EVICTED, evictedStatus, killTimeout, TOO_SLOW } from './eviction.ts';
import { Pleg, type PlegEvent } from './pleg.ts';
import { PodSyncer } from './podSyncer.ts';
import { isQuiet, PodWorkers, type Worker } from './podWorkers.ts';
import { ProberManager } from './prober/proberManager.ts';
import { ResultsManager, type ResultUpdate } from './prober/resultsManager.ts';
import type { ContainerRuntime } from './runtime/containerRuntime.ts';
import type { RuntimePod } from './runtime/records.ts';
import { RuntimeManager } from './runtime/runtimeManager.ts';
import { readyConditions } from './status/conditions.ts';
import { SettledStatuses } from './status/settledStatuses.ts';
import { type NewStatus, StatusManager } from './status/statusManager.ts';
import { StatusPublisher } from './statusPublisher.ts';
import { VolumeManager } from './volumeManager.ts';
import { type Due, WorkQueue } from './workQueue.ts';

/** Period of housekeeping (K-008). */
const HOUSEKEEPING_PERIOD = seconds(2);
/** What is left to a Pod of which no source knows (K-018). */
const ORPHAN_GRACE_SECONDS = 1;

/**
 * One kubelet process: its parts, and the syncLoop's handlers. Handlers take no time and only ask for passes (K-008).
 * Source: pkg/kubelet/kubelet.go, syncLoopIteration.
 */
export class Kubelet {
  private readonly context: KubeletContext;
  private readonly runtime: ContainerRuntime;
  private readonly pleg: Pleg;
  private readonly results: ResultsManager;
  private readonly prober: ProberManager;
  private readonly statusManager: StatusManager;
  private readonly runtimeManager: RuntimeManager;
  private readonly podWorkers: PodWorkers;
  private readonly queue: WorkQueue<Worker>;
  private readonly deletor: ContainerDeletor;
  private readonly volumes: VolumeManager;
  /** The pod manager: the API's objects as the watch has told them, mirrors of static Pods among them. */
  private readonly podManager = new Map<string, ApiPod>();
  /** Static Pods, by identity, as the file source has them. */
  private readonly staticPods = new Map<string, PodInput>();
  /** Pods that no source has and that are being killed, by identity. */
  private readonly orphans = new Set<string>();
  private readonly settled: SettledStatuses;
  private knownSubject: number | null = null;
  private sourcesReady = false;
  private housekeepingTimer: Timer | null = null;

  constructor(context: KubeletContext, runtime: ContainerRuntime) {
    this.context = context;
    this.runtime = runtime;
    const apiPod = (pod: PodInput): ApiPod | undefined => this.podManager.get(pod.identity);
    this.settled = new SettledStatuses(!context.everyTick);
    this.pleg = new Pleg(context, runtime, this.settled, (events, causes) => this.onPleg(events, causes));
    runtime.onChange = (pod, ref) => {
      this.pleg.podChanged(pod, ref);
      this.deletor.armGc([pod]);
    };
    if (context.behaviour.relistsAfterStop) runtime.onStop = (pod, ref) => this.pleg.request(pod, ref);
    this.results = new ResultsManager(context, this.settled, (update) => this.onResult(update));
    this.statusManager = new StatusManager({
      context,
      apiPod,
      isConfigured: (pod) => this.isConfigured(pod),
      awaitsMirror: (pod) => this.staticPods.has(pod.identity) && !this.podManager.has(pod.identity),
      beforeChange: (pod) => {
        this.settled.outdate(pod);
        this.prober.beforeStatusChange(pod);
      },
      couldRun: (pod) => this.podWorkers.couldRun(pod),
    });
    this.runtimeManager = new RuntimeManager(context, runtime, this.results, this.statusManager, this.settled);
    this.prober = new ProberManager({
      context,
      runtime,
      results: this.results,
      settled: this.settled,
      status: (pod) => this.statusManager.get(pod),
      record: (pod, type, reason, message, cause) => this.runtimeManager.record(pod, type, reason, message, cause),
    });
    this.queue = new WorkQueue(context, (due) => this.onSync(due));
    this.volumes = new VolumeManager(context);
    const { pleg, statusManager, runtimeManager, prober, queue, volumes, settled } = this;
    const publisher = new StatusPublisher({ context, statusManager, prober, runtimeManager, queue, settled, apiPod });
    const parts = { context, pleg, publisher, statusManager, settled, prober, runtimeManager, volumes, apiPod };
    const syncers = new PodSyncer({
      ...parts,
      updatePod: (pod, cause) => this.podWorkers.updatePod(pod, apiPod(pod), cause),
      terminated: () => this.armHousekeeping(),
    });
    this.podWorkers = new PodWorkers({ context, pleg, queue, syncers, settled, onEnd: (pod) => prober.podEnds(pod) });
    this.deletor = new ContainerDeletor(context, runtime, (pod) => this.podWorkers.contentMayGo(pod));
  }

  /**
   * Process start, and the first set of Pods from each source (K-001, K-006). A kubelet that was there before the run
   * (`staticPods` empty, nothing in the API) knows its sources already.
   */
  start(staticPods: readonly PodInput[]): void {
    const { kernel, trace, api, node, startedAt, latency, links } = this.context;
    if (startedAt < kernel.now) {
      this.sourcesReady = true;
      this.podWorkers.markSynced();
      return;
    }
    const started = trace.event('processStart', kernel.now, this.loopSubject, {});
    for (const { input } of api.podsOf(node)) this.pleg.podChanged(input, started);
    for (const pod of staticPods) this.pleg.podChanged(pod, started);
    this.deletor.armGc();
    kernel.at(later(links.watchOpen(kernel.now), latency.initialList), 'kubelet', () => {
      this.sourcesReady = true;
      this.add(api.podsOf(node), 'api', started);
      for (const pod of staticPods) this.staticPods.set(pod.identity, pod);
      const ref = this.loopEvent('config', 'ADD', 'file', staticPods, '', [started]);
      for (const pod of staticPods) this.admit(pod, ref);
    });
  }

  /** Writes what the horizon, or the end of the process, cuts off. */
  flush(): void {
    this.prober.flush();
  }

  /** A watch event of the api source reaches configCh (K-004 to K-006). */
  onWatch(identity: string, pod: ApiPod | null, ref: Ref): void {
    if (!this.sourcesReady) return;
    const before = this.podManager.get(identity);
    if (!pod) return before && this.remove(before, ref);
    if (!before) return this.add([pod], 'api', ref);
    const op = classify(before, pod);
    this.keep(pod);
    if (op === null) return;
    const seen = this.loopEvent('config', op, 'api', [pod.input], '', [ref]);
    this.statusManager.podChanged(pod.input);
    if (op !== 'RECONCILE' || this.readinessNeedsPass(pod)) this.podWorkers.updatePod(pod.input, pod, seen);
  }

  /** The file source: a manifest appears. */
  addStaticPod(pod: PodInput, cause: Ref): void {
    this.staticPods.set(pod.identity, pod);
    this.admit(pod, this.loopEvent('config', 'ADD', 'file', [pod], '', [cause]));
  }

  /** The file source: a manifest disappears (K-012). */
  removeStaticPod(pod: PodInput, cause: Ref): void {
    this.staticPods.delete(pod.identity);
    this.settled.outdate(pod);
    const ref = this.loopEvent('config', 'REMOVE', 'file', [pod], '', [cause]);
    this.podWorkers.updatePod(pod, undefined, ref, true);
    this.armHousekeeping();
  }

  /** The eviction manager has chosen the Pod, which gets no more than its own grace. Static ones are critical, and never chosen. */
  evictPod(pod: PodInput, most: number, cause: Ref): void {
    const graceSeconds = Math.min(most, pod.terminationGracePeriodSeconds);
    const stored = this.podManager.get(pod.identity);
    if (pod.isStatic || stored === undefined || isTerminal(stored.status.phase)) return;
    const { kernel, behaviour } = this.context;
    const record = (reason: string, message: string): void =>
      this.runtimeManager.record(pod, 'Warning', reason, message, cause);
    record(EVICTED.reason, EVICTED.message);
    const timer = kernel.after(killTimeout(graceSeconds), 'kubelet', () => record('ExceededGracePeriod', TOO_SLOW));
    const killed = (): void => {
      timer.cancelled = true;
    };
    const change = (status: NewStatus): NewStatus => evictedStatus(status, behaviour);
    this.podWorkers.killPod(pod, stored, { graceSeconds, change, killed }, cause);
  }

  /** The pod manager gets an object. */
  private keep(pod: ApiPod): void {
    this.podManager.set(pod.input.identity, pod);
    this.settled.outdate(pod.input);
  }

  /** Whether a source still has the Pod; a mirror does not count. */
  private isConfigured({ identity, isStatic }: PodInput): boolean {
    return isStatic ? this.staticPods.has(identity) : this.podManager.has(identity);
  }

  private get loopSubject(): number {
    this.knownSubject ??= subjectOf(this.context, 'syncLoop');
    return this.knownSubject;
  }

  private loopEvent(
    channel: string,
    op: string,
    source: string,
    pods: readonly PodInput[],
    id: string,
    causes: readonly Ref[],
    armed: Ref = NO_REF,
  ): Ref {
    const { trace, kernel } = this.context;
    const names = pods.length === 1 ? (pods[0] as PodInput).name : pods.map(({ name }) => name).join(',');
    return trace.event(
      'syncLoop',
      kernel.now,
      this.loopSubject,
      { channel, op, source, pods: names, id },
      causes,
      armed,
    );
  }

  /** HandlePodAdditions (K-010). A mirror only asks for a pass of its static Pod. */
  private add(pods: readonly ApiPod[], source: string, cause: Ref): void {
    const ref = this.loopEvent(
      'config',
      'ADD',
      source,
      pods.map(({ input }) => input),
      '',
      [cause],
    );
    for (const pod of pods) {
      this.keep(pod);
      this.statusManager.podChanged(pod.input);
      if (!pod.input.isStatic || this.staticPods.has(pod.input.identity)) this.admit(pod.input, ref);
    }
    this.armHousekeeping();
  }

  /** Admission (K-045): a Pod that is refused has failed, and never gets a worker. */
  private admit(pod: PodInput, cause: Ref): void {
    const { admission } = pod.faults;
    const stored = this.podManager.get(pod.identity);
    if (!admission || !this.context.behaviour.admitsAtAdd) return this.podWorkers.updatePod(pod, stored, cause);
    if (stored && isTerminal(stored.status.phase)) return;
    this.runtimeManager.record(pod, 'Warning', admission.reason, admission.message, cause);
    const message = `Pod was rejected: ${admission.message}`;
    const nothing = { conditions: [], initContainerStatuses: [], containerStatuses: [], podIPs: [] };
    this.statusManager.setPodStatus(
      pod,
      stored,
      { phase: 'Failed', reason: admission.reason, message, ...nothing },
      cause,
    );
  }

  /** HandlePodRemoves (K-012). */
  private remove(pod: ApiPod, cause: Ref): void {
    const { input } = pod;
    this.podManager.delete(input.identity);
    this.settled.outdate(input);
    const ref = this.loopEvent('config', 'REMOVE', 'api', [input], '', [cause]);
    if (input.isStatic) {
      this.statusManager.forgetSent(input);
      if (this.staticPods.has(input.identity)) this.podWorkers.updatePod(input, undefined, ref);
    } else {
      this.queue.forget(input);
      this.volumes.forget(input);
      this.podWorkers.updatePod(input, pod, ref, true);
    }
    this.armHousekeeping();
  }

  /** NeedToReconcilePodReadiness (K-013): with gates, the Ready of the API's object is compared with what it should be. */
  private readinessNeedsPass({ input, status }: ApiPod): boolean {
    const stored = status.conditions.find(({ type }) => type === 'Ready');
    if (input.readinessGates.length === 0 || !stored) return false;
    const { ready } = readyConditions({
      pod: input,
      containers: status.containerStatuses,
      initContainers: [],
      phase: status.phase,
      conditions: status.conditions,
    });
    return ready.status !== stored.status || ready.message !== stored.message;
  }

  /** plegCh (K-015). Events of Pods that no source has named are dropped. */
  private onPleg(events: readonly PlegEvent[], causes: readonly Ref[]): Ref {
    let last = NO_REF;
    for (const { type, pod, id } of events) {
      const isKnown = this.podManager.has(pod.identity) || this.staticPods.has(pod.identity);
      if (type !== 'ContainerRemoved' && isKnown) {
        last = this.loopEvent('pleg', type, '', [pod], id, causes);
        this.podWorkers.updatePod(pod, this.podManager.get(pod.identity), last);
      }
      if (type === 'ContainerDied') this.deletor.containerDied(pod, this.pleg.cached(pod), id, causes[0] ?? NO_REF);
    }
    return last;
  }

  /** syncCh (K-017). */
  private onSync(due: readonly Due<Worker>[]): void {
    const configured = due.filter(({ pod, worker }) => (worker && isQuiet(worker)) || this.isConfigured(pod));
    if (configured.length === 0) return;
    const pods = configured.map(({ pod }) => pod);
    const ref = this.loopEvent('sync', '', '', pods, '', NO_CAUSES, due[0]?.ref);
    for (const { pod, worker } of configured)
      if (!this.podWorkers.updateQuiet(worker, ref))
        this.podWorkers.updatePod(pod, this.podManager.get(pod.identity), ref);
  }

  /** The liveness, readiness and startup managers' channels (K-016). */
  private onResult({ pod, kind, containerID, result, ref }: ResultUpdate): void {
    const success = result === 'success';
    if (kind === 'liveness' && result !== 'failure') return;
    const op = {
      liveness: 'unhealthy',
      readiness: success ? 'ready' : 'not ready',
      startup: success ? 'started' : 'unhealthy',
    };
    const seen = this.loopEvent(kind, op[kind], '', [pod], '', [ref]);
    if (kind === 'readiness') this.statusManager.setContainerReadiness(pod, containerID, success, seen);
    if (kind === 'startup') this.statusManager.setContainerStartup(pod, containerID, success, seen);
    if (kind === 'startup' && !this.context.behaviour.syncsAfterStartup) return;
    this.podWorkers.updatePod(pod, this.podManager.get(pod.identity), seen);
  }

  /** HandlePodCleanups (K-018): ticks that find nothing to do are not queued. */
  private armHousekeeping(): void {
    if (this.housekeepingTimer) return;
    const { kernel, phases } = this.context;
    const turns = Math.floor((kernel.now - phases.housekeeping) / HOUSEKEEPING_PERIOD) + 1;
    this.housekeepingTimer = kernel.at(micros(phases.housekeeping + turns * HOUSEKEEPING_PERIOD), 'kubelet', () => {
      this.housekeepingTimer = null;
      if (this.housekeeping()) this.armHousekeeping();
    });
  }

  /** True while there will be more to do. */
  private housekeeping(): boolean {
    const { trace, kernel } = this.context;
    this.podWorkers.markSynced();
    const isConfigured = (pod: PodInput): boolean => this.isConfigured(pod);
    for (const pod of this.podWorkers.finishedPods) if (!isConfigured(pod)) this.podWorkers.forget(pod);
    for (const pod of this.statusManager.pods) if (!isConfigured(pod)) this.statusManager.removeOrphan(pod);
    this.deletor.armGc();
    this.killOrphans();
    const mirrors = [...this.podManager.values()].filter(({ input }) => input.isStatic && !isConfigured(input));
    for (const { input } of mirrors) {
      if (this.podWorkers.isTerminating(input)) continue;
      const work = `delete mirror of ${input.name}`;
      kernel.start(
        this.deleteMirror(input, trace.event('housekeeping', kernel.now, this.loopSubject, { work })),
        'kubelet',
      );
    }
    return (
      mirrors.length > 0 ||
      this.orphans.size > 0 ||
      this.podWorkers.pods.some((pod) => !isConfigured(pod)) ||
      this.statusManager.pods.some((pod) => !isConfigured(pod))
    );
  }

  /** Pods that went from their source while no kubelet ran: what runs of them is killed, and nothing is written (K-051). */
  private killOrphans(): void {
    const { trace, kernel } = this.context;
    for (const pod of this.runtime.podsKnown) {
      if (this.isConfigured(pod) || this.podWorkers.knows(pod) || this.orphans.has(pod.identity)) continue;
      const view = this.runtime.view(pod);
      const runs =
        view.containers.some(({ state }) => state === 'running') || view.sandboxes.some(({ ready }) => ready);
      if (!runs) continue;
      this.orphans.add(pod.identity);
      const ref = trace.event('housekeeping', kernel.now, this.loopSubject, { work: `kill ${pod.name}` });
      kernel.start(this.killOrphan(pod, view, ref), 'kubelet');
    }
  }

  private *killOrphan(pod: PodInput, view: RuntimePod, cause: Ref): Task<void> {
    yield* this.runtimeManager.killPod(pod, view, ORPHAN_GRACE_SECONDS, cause);
    this.orphans.delete(pod.identity);
  }

  private *deleteMirror(pod: PodInput, cause: Ref): Task<void> {
    const { api } = this.context;
    yield* callApi(this.context, { pod, verb: 'delete', subresource: '', version: 0 }, cause, (ref) => {
      api.remove(pod.identity, ref);
      return { answer: true, object: -1 };
    });
  }
}
