import { later, MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';
import { inStartOrder } from '../../kernel/goroutines.ts';
import { Gate, type Task } from '../../kernel/kernel.ts';
import { type ContainerInput, containersOf, type HookName, type PodInput } from '../../scenario.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { type KubeletContext, subjectOf } from '../context.ts';
import { beginStep } from '../passSteps.ts';
import type { ResultsManager } from '../prober/resultsManager.ts';
import { sandboxCondition } from '../status/conditions.ts';
import type { SettledStatuses } from '../status/settledStatuses.ts';
import type { StatusManager } from '../status/statusManager.ts';
import type { ContainerRuntime } from './containerRuntime.ts';
import { CrashBackOff, crashBackOffLimits, goDuration } from './crashBackOff.ts';
import { ImageManager } from './imageManager.ts';
import { computePodActions, isNothing, type KillReason, newestOf, type PodActions } from './podActions.ts';
import type { ContainerRecord, HookEnd, RuntimePod } from './records.ts';
import { containersToReset } from './restartAll.ts';
import { TerminationOrdering } from './terminationOrdering.ts';

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
const PROBE_OF: Readonly<Record<KillReason, 'liveness' | 'startup'>> = {
  livenessProbe: 'liveness',
  startupProbe: 'startup',
};

/** How a restart of all ends those that run: no hook, and no more grace than every stop has. */
const RESET_KILL = { message: 'killing', graceSeconds: 0, ordering: null } as const;

/** A start that did not come off. */
interface Failed {
  readonly ref: Ref;
  readonly error: string;
  /** End of the back-off that refused it; null for other errors, which carry none (K-040). */
  readonly until: Micros | null;
}

/** Why a container is not started, as the status shows it: reason and message. */
export interface WaitingReason {
  readonly reason: string;
  readonly message: string;
}

/**
 * The kuberuntime manager: brings the containers of a Pod to what its spec, restart policy and probe results ask for.
 * Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod; kuberuntime_container.go (K-069 to K-086).
 */
export class RuntimeManager {
  private readonly context: KubeletContext;
  private readonly runtime: ContainerRuntime;
  private readonly results: ResultsManager;
  private readonly statusManager: StatusManager;
  private readonly settled: SettledStatuses;
  private readonly backOff: CrashBackOff;
  private readonly images: ImageManager;
  /** reasonCache (K-046 step 13): why the last start of a container failed. */
  private readonly reasons = new Map<string, WaitingReason>();

  constructor(
    context: KubeletContext,
    runtime: ContainerRuntime,
    results: ResultsManager,
    statusManager: StatusManager,
    settled: SettledStatuses,
  ) {
    this.context = context;
    this.runtime = runtime;
    this.results = results;
    this.statusManager = statusManager;
    this.settled = settled;
    const limits = crashBackOffLimits(context.behaviour, context.config.maxContainerRestartPeriodSeconds);
    this.backOff = new CrashBackOff(limits, context.phases.housekeeping);
    this.images = new ImageManager(context, runtime, (...event) => this.record(...event));
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

  /** Step 12 of K-046: a span of its own when there is something to do. */
  *syncPod(pod: PodInput, deleted: boolean, view: RuntimePod, cause: Ref): Task<RuntimeSyncResult> {
    const todo = computePodActions(pod, deleted, view, this.results);
    if (isNothing(todo)) {
      if (pod.initContainers.length > 0) yield* this.pruneInitContainers(pod, view, cause);
      return { actions: 0, ref: cause, error: '', retryAt: null };
    }
    const end = beginStep(this.context, pod, 'runtime', cause);
    const result = yield* this.carryOut(pod, todo, view, cause);
    end(result.error);
    return result;
  }

  /** Kills and removes every container, without grace; the sandbox stays (K-061). */
  *resetContainers(pod: PodInput, view: RuntimePod, cause: Ref): Task<RuntimeSyncResult> {
    const end = beginStep(this.context, pod, 'runtime', cause);
    const records = containersToReset(pod, view);
    let ref = cause;
    for (const record of records) {
      const container = containersOf(pod).find(({ name }) => name === record.name);
      if (record.state === 'running' && container)
        ref = yield* this.killContainer(pod, container, record, RESET_KILL, ref);
      yield* this.runtime.removeContainer(pod, record, ref);
    }
    end('');
    return { actions: records.length, ref, error: '', retryAt: null };
  }

  /** Kills, prunes, then sandbox, then starts, one after another (K-069). */
  private *carryOut(pod: PodInput, todo: PodActions, view: RuntimePod, cause: Ref): Task<RuntimeSyncResult> {
    let ref = cause;
    let actions = 0;
    if (todo.killPod) {
      const killed = yield* this.killPod(pod, view, null, ref);
      actions += killed.actions;
      ref = killed.ref;
      if (!todo.createSandbox) return { actions, ref, error: '', retryAt: null };
    }
    for (const { container, record, reason, message } of todo.kill) {
      const own = container.probes[PROBE_OF[reason]]?.terminationGracePeriodSeconds;
      const grace = (this.context.behaviour.hasProbeLevelGrace ? own : null) ?? pod.terminationGracePeriodSeconds;
      ref = yield* this.killContainer(pod, container, record, { message, graceSeconds: grace, ordering: null }, ref);
      actions++;
    }
    yield* this.pruneInitContainers(pod, view, ref);
    if (todo.createSandbox) {
      const sandbox = yield* this.runtime.runPodSandbox(pod, ref);
      ref = sandbox.ref;
      actions++;
      if (sandbox.error) {
        this.record(pod, 'Warning', 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${sandbox.error}`, ref);
        const error = `failed to "CreatePodSandbox" for "${pod.name}_${pod.namespace}(${pod.uid})" with CreatePodSandboxError: "${sandbox.error}"`;
        return { actions, ref, error, retryAt: null };
      }
      if (this.context.behaviour.patchesSandboxReady) {
        const condition = sandboxCondition(this.runtime.view(pod), this.context.behaviour);
        this.statusManager.setSandboxReady(pod, condition, ref);
      }
    }
    const failed: Failed[] = [];
    for (const container of [...todo.startInit, ...todo.start]) {
      actions++;
      const started =
        this.checkBackOff(pod, container, view, ref) ?? (yield* this.startContainer(pod, container, view, ref));
      ref = started.ref;
      if (!started.error) continue;
      failed.push(started);
      // A regular init container that cannot start ends the pass (K-071).
      if (todo.startInit.includes(container) && !container.isSidecar) break;
    }
    const expiries = failed.flatMap(({ until }) => (until === null ? [] : [until]));
    const errors = failed.map(({ error }) => error);
    return {
      actions,
      ref,
      error: errors.length > 1 ? `[${errors.join(', ')}]` : (errors[0] ?? ''),
      retryAt: expiries.length > 0 ? (Math.min(...expiries) as Micros) : null,
    };
  }

  /** All containers that run in parallel, then the sandboxes (K-085). `grace` overrides the spec's (K-036), s. */
  *killPod(
    pod: PodInput,
    view: RuntimePod,
    grace: number | null,
    cause: Ref,
  ): Task<{ readonly actions: number; readonly ref: Ref }> {
    const all = [...pod.containers, ...pod.initContainers];
    const running = view.containers.toReversed().flatMap((record) => {
      const container = record.state === 'running' && all.find(({ name }) => name === record.name);
      return container ? [{ container, record }] : [];
    });
    const names = new Set(running.map(({ container }) => container.name));
    const ordering = pod.initContainers.some(({ isSidecar }) => isSidecar) ? new TerminationOrdering(pod, names) : null;
    const graceSeconds = grace ?? pod.terminationGracePeriodSeconds;
    const done = inStartOrder(running).map(({ container, record }) => {
      const gate = new Gate();
      const message = `Stopping container ${container.name}`;
      const kill = this.killContainer(pod, container, record, { message, graceSeconds, ordering }, cause);
      this.context.kernel.start(
        (function* () {
          yield* kill;
          gate.open();
        })(),
        'runtime',
      );
      return gate;
    });
    yield Gate.all(done);
    let ref = cause;
    for (const sandbox of view.sandboxes) ref = yield* this.runtime.stopPodSandbox(pod, sandbox, ref);
    return { actions: running.length + view.sandboxes.length, ref };
  }

  /** K-082: event, hook, turn, stop; each takes its share of the grace. */
  private *killContainer(
    pod: PodInput,
    container: ContainerInput,
    record: ContainerRecord,
    {
      message,
      graceSeconds,
      ordering,
    }: { readonly message: string; readonly graceSeconds: number; readonly ordering: TerminationOrdering | null },
    cause: Ref,
  ): Task<Ref> {
    const { trace, kernel } = this.context;
    this.record(pod, 'Normal', 'Killing', message, cause);
    let grace = graceSeconds;
    let ref = cause;
    if (container.preStop && grace > 0) {
      const began = kernel.now;
      ref = yield* this.runPreStop(pod, container, record, grace, cause);
      grace -= Math.floor((kernel.now - began) / MICROS_PER_SECOND);
    }
    if (ordering && grace > 0) {
      const began = kernel.now;
      const limit = new Gate();
      const timer = kernel.after((grace * MICROS_PER_SECOND) as MicrosSpan, 'runtime', () => limit.open());
      yield Gate.any([Gate.all(ordering.prerequisitesOf(container.name)), limit]);
      timer.cancelled = true;
      grace -= Math.floor((kernel.now - began) / MICROS_PER_SECOND);
    }
    const left = Math.max(grace, MIN_STOP_GRACE_SECONDS);
    const subject = subjectOf(this.context, 'podWorker', pod, container.name);
    const kill = trace.event('killContainer', kernel.now, subject, { gracePeriodSeconds: left }, [ref]);
    const stopped = yield* this.runtime.stopContainer(pod, container, record, left, kill);
    ordering?.containerTerminated(container.name);
    return stopped;
  }

  /** Runs the preStop hook until it is done or the grace is over; the hook itself is not stopped (K-082, K-086). */
  private *runPreStop(
    pod: PodInput,
    container: ContainerInput,
    record: ContainerRecord,
    grace: number,
    cause: Ref,
  ): Task<Ref> {
    const { trace, kernel } = this.context;
    const subject = subjectOf(this.context, 'podWorker', pod, container.name);
    const ref = trace.event('preStop', kernel.now, subject, { result: '' }, [cause], NO_REF, NaN);
    const done = new Gate();
    const limit = new Gate();
    const timer = kernel.after((grace * MICROS_PER_SECOND) as MicrosSpan, 'runtime', () => limit.open());
    const hook = this.hook(pod, container, record, 'preStop', ref);
    const failed = (): void => {
      const event = trace.event('preStopFailed', kernel.now, subject, {}, [ref]);
      this.record(pod, 'Warning', 'FailedPreStopHook', 'PreStopHook failed', event);
    };
    kernel.start(
      (function* () {
        if ((yield* hook) !== 'success') failed();
        done.open();
      })(),
      'runtime',
    );
    yield Gate.any([done, limit]);
    timer.cancelled = true;
    trace.end<'preStop'>(ref, kernel.now, { result: done.isOpen ? 'completed' : 'gracePeriodExceeded' }, false);
    return ref;
  }

  private *hook(
    pod: PodInput,
    container: ContainerInput,
    record: ContainerRecord,
    name: HookName,
    cause: Ref,
  ): Task<HookEnd> {
    const hook = container[name];
    if (hook?.type === 'sleep') {
      yield (hook.seconds * MICROS_PER_SECOND) as MicrosSpan;
      return 'success';
    }
    return yield* this.runtime.runHook(pod, container, record, name, cause);
  }

  /** Only the last exited instance of each init container is kept (K-069). */
  private *pruneInitContainers(pod: PodInput, view: RuntimePod, cause: Ref): Task<void> {
    for (const { name } of pod.initContainers) {
      const exited = view.containers.filter((record) => record.name === name && record.state === 'exited');
      for (const record of exited.slice(0, -1).reverse()) yield* this.runtime.removeContainer(pod, record, cause);
    }
  }

  /** K-076 and K-078: null when the container may start now. */
  private checkBackOff(pod: PodInput, container: ContainerInput, view: RuntimePod, cause: Ref): Failed | null {
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
    const failed = this.failed(pod, container, { reason: 'CrashLoopBackOff', message }, cause);
    return { ...failed, until: later(exited.finishedAt, value as MicrosSpan) };
  }

  /** Remembers why the container did not start (K-046 step 13). */
  private failed(pod: PodInput, { name }: ContainerInput, why: WaitingReason, ref: Ref): Failed {
    this.settled.outdate(pod);
    this.reasons.set(`${pod.identity}/${name}`, why);
    return {
      ref,
      error: `failed to "StartContainer" for "${name}" with ${why.reason}: ${JSON.stringify(why.message)}`,
      until: null,
    };
  }

  /** K-072: image, create, start, postStart, one after another. */
  private *startContainer(pod: PodInput, container: ContainerInput, view: RuntimePod, cause: Ref): Task<Failed> {
    const image = yield* this.images.ensureImageExists(pod, container, cause);
    if (image.failure) return this.failed(pod, container, image.failure, image.ref);
    const newest = newestOf(view, container.name);
    const { record, ref: created } = yield* this.runtime.createContainer(
      pod,
      container,
      newest ? newest.attempt + 1 : this.runtime.containersMade(pod, container.name),
      image.ref,
    );
    this.record(pod, 'Normal', 'Created', 'Container created', created);
    const started = yield* this.runtime.startContainer(pod, container, record, created);
    this.record(pod, 'Normal', 'Started', 'Container started', started);
    if (container.postStart) {
      const hook = yield* this.hook(pod, container, record, 'postStart', started);
      if (hook !== 'success') return yield* this.postStartFailed(pod, container, record, started);
    }
    if (this.reasons.delete(`${pod.identity}/${container.name}`)) this.settled.outdate(pod);
    return { ref: started, error: '', until: null };
  }

  private *postStartFailed(
    pod: PodInput,
    container: ContainerInput,
    record: ContainerRecord,
    cause: Ref,
  ): Task<Failed> {
    this.record(pod, 'Warning', 'FailedPostStartHook', 'PostStartHook failed', cause);
    const graceSeconds = pod.terminationGracePeriodSeconds;
    const kill = { message: 'FailedPostStartHook', graceSeconds, ordering: null };
    const ref = yield* this.killContainer(pod, container, record, kill, cause);
    return this.failed(pod, container, { reason: 'PostStartHookError', message: 'PostStartHook failed' }, ref);
  }
}
