import { later } from '../../base/units.ts';
import type { ApiPod } from '../api/apiServer.ts';
import { identicalStatus, isTerminal, type PodStatus } from '../api/podStatus.ts';
import type { Process, Task } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { type NodeContext, subjectOf } from './context.ts';
import { generateStatus } from './generateStatus.ts';
import { Pleg, type PlegEvent } from './pleg.ts';
import { type PassResult, PodWorkers } from './podWorkers.ts';
import { ProberManager } from './prober/proberManager.ts';
import { ResultsManager, type ResultUpdate } from './prober/resultsManager.ts';
import { type ContainerRecord, ContainerRuntime, type RuntimePod } from './runtime/containerRuntime.ts';
import { RuntimeManager } from './runtime/runtimeManager.ts';
import { StatusManager } from './status/statusManager.ts';
import { type Due, WorkQueue } from './workQueue.ts';

/** Dead containers kept of each name (K-015). */
const DEAD_KEPT = 1;

/**
 * The kubelet of one node: the syncLoop's handlers, and the passes that the pod workers run.
 * Handlers take no time and only ask for passes (K-008).
 *
 * Source: pkg/kubelet/kubelet.go, syncLoopIteration, SyncPod, SyncTerminatingPod, SyncTerminatedPod.
 */
export class Kubelet {
  private readonly context: NodeContext;
  private readonly runtime: ContainerRuntime;
  private readonly pleg: Pleg;
  private readonly results: ResultsManager;
  private readonly prober: ProberManager;
  private readonly statusManager: StatusManager;
  private readonly runtimeManager: RuntimeManager;
  private readonly podWorkers: PodWorkers;
  /** The pod manager: the API's objects as the watch has told them. */
  private readonly podManager = new Map<string, ApiPod>();
  private readonly toDelete: { readonly pod: PodInput; readonly record: ContainerRecord; readonly cause: Ref }[] = [];
  private deleting = false;
  private sourcesReady = false;

  constructor(context: NodeContext) {
    this.context = context;
    const apiPod = (pod: PodInput): ApiPod | undefined => this.podManager.get(pod.identity);
    this.runtime = new ContainerRuntime(context, (pod, ref) => this.pleg.podChanged(pod, ref));
    this.pleg = new Pleg(context, this.runtime, (events, causes) => this.onPleg(events, causes));
    this.results = new ResultsManager(context, (update) => this.onResult(update));
    this.statusManager = new StatusManager({ context, apiPod, couldRun: (pod) => this.podWorkers.couldRun(pod) });
    this.runtimeManager = new RuntimeManager(context, this.runtime, this.results, this.statusManager);
    this.prober = new ProberManager({
      context,
      runtime: this.runtime,
      results: this.results,
      status: (pod) => this.statusManager.get(pod),
      record: (pod, type, reason, message, cause) => this.runtimeManager.record(pod, type, reason, message, cause),
    });
    const queue = new WorkQueue(context, (due) => this.onSync(due));
    this.podWorkers = new PodWorkers(context, this.pleg, queue, {
      sync: (pod, view, pass) => this.syncPod(pod, view, pass),
      terminating: (pod, view, pass) => this.syncTerminatingPod(pod, view, pass),
      terminated: (pod, view, pass) => this.syncTerminatedPod(pod, view, pass),
    });
    this.start();
  }

  /** Writes what the horizon cut off. */
  flush(): void {
    this.prober.flush();
  }

  /** Process start, and the first set of Pods from each source (K-001, K-006). */
  private start(): void {
    const { kernel, trace, api, node, config, latency } = this.context;
    api.watchNode(node, (pod, ref) => kernel.after(latency.watch, 'kubelet', () => this.onWatch(pod, ref)));
    if (config.processStart < kernel.now) {
      this.sourcesReady = true;
      return;
    }
    kernel.at(config.processStart, 'kubelet', () => {
      const started = trace.event('processStart', kernel.now, this.loopSubject, {});
      kernel.at(later(kernel.now, latency.initialList), 'kubelet', () => {
        this.sourcesReady = true;
        const pods = api.podsOf(node);
        this.add(pods, started);
        this.loopEvent('config', 'ADD', 'file', [], '', [started]);
      });
    });
  }

  private get loopSubject(): number {
    return subjectOf(this.context, 'syncLoop');
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
    const names = pods.map(({ name }) => name).join(',');
    return trace.event(
      'syncLoop',
      kernel.now,
      this.loopSubject,
      { channel, op, source, pods: names, id },
      causes,
      armed,
    );
  }

  /** configCh, api source: what the full list differs in from the last one (K-005). */
  private onWatch(pod: ApiPod, ref: Ref): void {
    if (!this.sourcesReady) return;
    const before = this.podManager.get(pod.input.identity);
    if (!before) return this.add([pod], ref);
    this.podManager.set(pod.input.identity, pod);
    if (identicalStatus(before.status, pod.status)) return;
    // RECONCILE asks for a pass only where a Pod has readiness gates (K-013).
    this.loopEvent('config', 'RECONCILE', 'api', [pod.input], '', [ref]);
    this.statusManager.podChanged(pod.input);
  }

  /** HandlePodAdditions (K-010). */
  private add(pods: readonly ApiPod[], cause: Ref): void {
    const ref = this.loopEvent(
      'config',
      'ADD',
      'api',
      pods.map(({ input }) => input),
      '',
      [cause],
    );
    for (const pod of pods) {
      this.podManager.set(pod.input.identity, pod);
      this.podWorkers.updatePod(pod.input, ref);
    }
  }

  /** plegCh (K-015). */
  private onPleg(events: readonly PlegEvent[], causes: readonly Ref[]): void {
    for (const { type, pod, id } of events) {
      if (type === 'ContainerRemoved') continue;
      const ref = this.loopEvent('pleg', type, '', [pod], id, causes);
      this.podWorkers.updatePod(pod, ref);
      if (type === 'ContainerDied') this.deleteDead(pod, id, ref);
    }
  }

  /** syncCh (K-017). */
  private onSync(due: readonly Due[]): void {
    const ref = this.loopEvent(
      'sync',
      '',
      '',
      due.map(({ pod }) => pod),
      '',
      [],
      due[0]?.ref,
    );
    for (const { pod } of due) this.podWorkers.updatePod(pod, ref);
  }

  /** The liveness, readiness and startup managers' channels (K-016). */
  private onResult({ pod, kind, containerID, result, ref }: ResultUpdate): void {
    const success = result === 'success';
    switch (kind) {
      case 'liveness': {
        if (result !== 'failure') return;
        return this.podWorkers.updatePod(pod, this.loopEvent('liveness', 'unhealthy', '', [pod], '', [ref]));
      }
      case 'readiness': {
        const seen = this.loopEvent('readiness', success ? 'ready' : 'not ready', '', [pod], '', [ref]);
        this.statusManager.setContainerReadiness(pod, containerID, success, seen);
        return this.podWorkers.updatePod(pod, seen);
      }
      case 'startup': {
        const seen = this.loopEvent('startup', success ? 'started' : 'unhealthy', '', [pod], '', [ref]);
        this.statusManager.setContainerStartup(pod, containerID, success, seen);
        return this.podWorkers.updatePod(pod, seen);
      }
    }
  }

  /** podContainerDeletor: removes the older dead containers of that name, one after another. */
  private deleteDead(pod: PodInput, id: string, cause: Ref): void {
    const { containers } = this.pleg.cached(pod);
    const name = containers.find((record) => record.id === id)?.name;
    const dead = containers.filter((record) => record.name === name && record.state === 'exited');
    for (const record of dead.slice(0, Math.max(0, dead.length - DEAD_KEPT)).reverse())
      this.toDelete.push({ pod, record, cause });
    if (!this.deleting) this.context.kernel.start(this.deletor(), 'runtime');
  }

  private *deletor(): Process {
    this.deleting = true;
    for (let next = this.toDelete.shift(); next; next = this.toDelete.shift()) {
      const { pod, record, cause } = next;
      const exists = this.runtime.view(pod).containers.some(({ id }) => id === record.id);
      if (exists) yield* this.runtime.removeContainer(pod, record, cause);
    }
    this.deleting = false;
  }

  /** Steps 2 and 3 of K-046: the world as the cache has it, published before anything is done. */
  private publish(pod: PodInput, view: RuntimePod, podIsTerminal: boolean, pass: Ref): PodStatus | undefined {
    const stored = this.podManager.get(pod.identity)?.status;
    const status = generateStatus({
      pod,
      view,
      old: this.statusManager.get(pod) ?? stored,
      apiPhase: stored?.phase ?? 'Pending',
      podIsTerminal,
      wall: this.context.wall,
      waitingReason: (container) => this.runtimeManager.waitingReason(pod, container),
      updatePodStatus: (statuses) => this.prober.updatePodStatus(pod, statuses, pass),
    });
    this.statusManager.setPodStatus(pod, status, pass);
    return this.statusManager.get(pod);
  }

  /** SyncPod (K-046). */
  private *syncPod(pod: PodInput, view: RuntimePod, pass: Ref): Task<PassResult> {
    const status = this.publish(pod, view, false, pass);
    if (status && isTerminal(status.phase)) return { actions: 0, terminal: true, error: '', retryAt: null };
    this.prober.addPod(pod, pass);
    const { actions, error, retryAt } = yield* this.runtimeManager.syncPod(pod, view, pass);
    return { actions, terminal: false, error, retryAt };
  }

  /** SyncTerminatingPod (K-048). */
  private *syncTerminatingPod(pod: PodInput, view: RuntimePod, pass: Ref): Task<PassResult> {
    this.publish(pod, view, false, pass);
    this.prober.stopLivenessAndStartup(pod, pass);
    const { ref } = yield* this.runtimeManager.killPod(pod, pass);
    this.prober.removePod(pod, ref);
    this.publish(pod, this.withKeptAddress(pod), true, ref);
    return { actions: 0, terminal: false, error: '', retryAt: null };
  }

  /** Step 5 of K-048 reads the runtime; without a ready sandbox the known address stays (K-095). */
  private withKeptAddress(pod: PodInput): RuntimePod {
    const view = this.runtime.view(pod);
    const ip = this.statusManager.get(pod)?.podIP ?? '';
    return { ...view, sandboxes: view.sandboxes.map((sandbox) => (sandbox.ready ? sandbox : { ...sandbox, ip })) };
  }

  /** SyncTerminatedPod (K-050). */
  private *syncTerminatedPod(pod: PodInput, view: RuntimePod, pass: Ref): Task<PassResult> {
    this.publish(pod, view, true, pass);
    yield this.context.latency.volumeTeardown;
    this.statusManager.terminatePod(pod, pass);
    return { actions: 0, terminal: false, error: '', retryAt: null };
  }
}
