import { later, type Micros, type MicrosSpan } from '../../../base/units.ts';
import { Gate, type Task } from '../../kernel/kernel.ts';
import type { ContainerInput, PodInput } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import { type NodeContext, subjectOf } from '../context.ts';
import type { ResultsManager } from '../prober/resultsManager.ts';
import { sandboxCondition } from '../status/conditions.ts';
import type { StatusManager } from '../status/statusManager.ts';
import type { ContainerRecord, ContainerRuntime, RuntimePod } from './containerRuntime.ts';
import { CrashBackOff, goDuration } from './crashBackOff.ts';
import { computePodActions, type KillReason, newestOf } from './podActions.ts';

/** What a pass's runtime sync came to. */
export interface RuntimeSyncResult {
  /** How many actions it took. */
  readonly actions: number;
  /** Last event of it, for what follows. */
  readonly ref: Ref;
  /** Text of the error; empty when there was none. */
  readonly error: string;
  /** Earliest end of a back-off among the errors; null when there is none (K-040). */
  readonly retryAt: Micros | null;
}

/** Least time between the stop signal and SIGKILL, s (K-082). */
const MIN_STOP_GRACE_SECONDS = 2;
const KILL_MESSAGE: Readonly<Record<KillReason, string>> = {
  livenessProbe: 'failed liveness probe, will be restarted',
  startupProbe: 'failed startup probe, will be restarted',
};
const PROBE_OF: Readonly<Record<KillReason, 'liveness' | 'startup'>> = {
  livenessProbe: 'liveness',
  startupProbe: 'startup',
};

/** Why a container is not started, as the status shows it: reason and message. */
export interface WaitingReason {
  readonly reason: string;
  readonly message: string;
}

/**
 * The kuberuntime manager: brings the containers of a Pod to what its spec, restart policy and probe results ask for.
 * Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod; kuberuntime_container.go (K-069 to K-085).
 */
export class RuntimeManager {
  private readonly context: NodeContext;
  private readonly runtime: ContainerRuntime;
  private readonly results: ResultsManager;
  private readonly statusManager: StatusManager;
  private readonly backOff: CrashBackOff;
  /** reasonCache (K-046 step 13): why the last start of a container failed. */
  private readonly reasons = new Map<string, WaitingReason>();

  constructor(context: NodeContext, runtime: ContainerRuntime, results: ResultsManager, statusManager: StatusManager) {
    this.context = context;
    this.runtime = runtime;
    this.results = results;
    this.statusManager = statusManager;
    this.backOff = new CrashBackOff(context.config.maxContainerRestartPeriodSeconds, context.phases.housekeeping);
  }

  /** Why the container was not started when last tried. */
  waitingReason(pod: PodInput, container: string): WaitingReason | undefined {
    return this.reasons.get(`${pod.identity}/${container}`);
  }

  /** Records a Kubernetes event about the Pod or one of its containers. */
  record(pod: PodInput, eventType: string, reason: string, message: string, cause: Ref): void {
    const { trace, kernel } = this.context;
    trace.event('kubeEvent', kernel.now, subjectOf(this.context, 'events', pod), { eventType, reason, message }, [
      cause,
    ]);
  }

  /** Kills, then sandbox, then starts, one after another (K-069). */
  *syncPod(pod: PodInput, view: RuntimePod, cause: Ref): Task<RuntimeSyncResult> {
    const todo = computePodActions(pod, view, this.results);
    let ref = cause;
    let actions = 0;
    if (todo.killPod) {
      const killed = yield* this.killPod(pod, ref);
      actions += killed.actions;
      ref = killed.ref;
      if (!todo.createSandbox) return { actions, ref, error: '', retryAt: null };
    }
    for (const { container, record, reason } of todo.kill) {
      ref = yield* this.killContainer(pod, container, record, reason, ref);
      actions++;
    }
    if (todo.createSandbox) {
      ref = yield* this.runtime.runPodSandbox(pod, ref);
      actions++;
      this.statusManager.setSandboxReady(pod, sandboxCondition(this.runtime.view(pod)), ref);
    }
    const errors: string[] = [];
    let retryAt: Micros | null = null;
    for (const container of todo.start) {
      actions++;
      const wait = this.checkBackOff(pod, container, view, ref);
      if (wait) {
        errors.push(wait.error);
        if (retryAt === null || wait.until < retryAt) retryAt = wait.until;
        continue;
      }
      ref = yield* this.startContainer(pod, container, view, ref);
    }
    return { actions, ref, error: errors.length > 1 ? `[${errors.join(', ')}]` : (errors[0] ?? ''), retryAt };
  }

  /** All containers in parallel, then the sandboxes (K-085). */
  *killPod(pod: PodInput, cause: Ref): Task<{ readonly actions: number; readonly ref: Ref }> {
    const view = this.runtime.view(pod);
    const gates = pod.containers.flatMap((container) => {
      const record = newestOf(view, container.name);
      return record?.state === 'running' ? [this.killInParallel(pod, container, record, cause)] : [];
    });
    for (const gate of gates) yield gate;
    let ref = cause;
    const sandboxes = view.sandboxes.filter(({ ready }) => ready);
    for (const sandbox of sandboxes) ref = yield* this.runtime.stopPodSandbox(pod, sandbox, ref);
    return { actions: gates.length + sandboxes.length, ref };
  }

  private killInParallel(pod: PodInput, container: ContainerInput, record: ContainerRecord, cause: Ref): Gate {
    const gate = new Gate();
    const kill = this.killContainer(pod, container, record, null, cause);
    this.context.kernel.start(
      (function* () {
        yield* kill;
        gate.open();
      })(),
      'runtime',
    );
    return gate;
  }

  /** K-082 without hooks: event, grace, stop. */
  private *killContainer(
    pod: PodInput,
    container: ContainerInput,
    record: ContainerRecord,
    reason: KillReason | null,
    cause: Ref,
  ): Task<Ref> {
    const { trace, kernel } = this.context;
    const ownGrace = reason && container.probes[PROBE_OF[reason]]?.terminationGracePeriodSeconds;
    const grace = Math.max(ownGrace ?? pod.terminationGracePeriodSeconds, MIN_STOP_GRACE_SECONDS);
    const message = reason
      ? `Container ${container.name} ${KILL_MESSAGE[reason]}`
      : `Stopping container ${container.name}`;
    const subject = subjectOf(this.context, 'podWorker', pod, container.name);
    const ref = trace.event('killContainer', kernel.now, subject, { gracePeriodSeconds: grace }, [cause]);
    this.record(pod, 'Normal', 'Killing', message, ref);
    return yield* this.runtime.stopContainer(pod, container, record, grace, ref);
  }

  /** K-076 and K-078: null when the container may start now. */
  private checkBackOff(
    pod: PodInput,
    container: ContainerInput,
    view: RuntimePod,
    cause: Ref,
  ): { error: string; until: Micros } | null {
    const { trace, kernel } = this.context;
    const exited = view.containers.findLast((record) => record.name === container.name && record.state === 'exited');
    if (!exited || exited.finishedAt === null) return null;
    const key = `${pod.identity}/${container.name}`;
    const value = this.backOff.tryStart(key, exited.finishedAt, kernel.now);
    if (value === null) return null;
    const message = `back-off ${goDuration(value)} restarting failed container=${container.name} pod=${pod.name}_${pod.namespace}(${pod.uid})`;
    const ref = trace.event(
      'backOff',
      kernel.now,
      subjectOf(this.context, 'podWorker', pod, container.name),
      { message },
      [cause],
    );
    const text = `Back-off restarting failed container ${container.name} in pod ${pod.name}_${pod.namespace}(${pod.uid})`;
    this.record(pod, 'Warning', 'BackOff', text, ref);
    this.reasons.set(key, { reason: 'CrashLoopBackOff', message });
    const error = `failed to "StartContainer" for "${container.name}" with CrashLoopBackOff: "${message}"`;
    return { error, until: later(exited.finishedAt, value as MicrosSpan) };
  }

  /** K-072 without hooks; every image is present. */
  private *startContainer(pod: PodInput, container: ContainerInput, view: RuntimePod, cause: Ref): Task<Ref> {
    const present = `Container image "${container.image}" already present on machine and can be accessed by the pod`;
    this.record(pod, 'Normal', 'Pulled', present, cause);
    const newest = newestOf(view, container.name);
    const { record, ref: created } = yield* this.runtime.createContainer(
      pod,
      container,
      newest ? newest.attempt + 1 : 0,
      cause,
    );
    this.record(pod, 'Normal', 'Created', 'Container created', created);
    const started = yield* this.runtime.startContainer(pod, container, record, created);
    this.record(pod, 'Normal', 'Started', 'Container started', started);
    this.reasons.delete(`${pod.identity}/${container.name}`);
    return started;
  }
}
