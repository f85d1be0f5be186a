import { type Micros, type MicrosSpan, seconds } from '../../../base/units.ts';
import { Gate } from '../../kernel/kernel.ts';
import { type Answer, type ContainerInput, type HookName, type PodInput, PROBE_KINDS } from '../../scenario.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { AppProcess, appState } from '../../world/app.ts';
import { type NodeContext, subjectOf } from '../context.ts';
import { peersOf } from './peers.ts';
import { ServeReporter } from './serveReporter.ts';

interface Running {
  readonly pod: PodInput;
  readonly container: ContainerInput;
  readonly attempt: number;
  readonly process: AppProcess;
  /** Null for an app whose scripts say nothing of connections. */
  readonly serve: ServeReporter | null;
  /** Called when the process ends, in the order in which they began to wait: commands in the container end with it, stop calls return. */
  readonly onExit: { readonly since: Micros; readonly listener: () => void }[];
  /** Called before anything happens to the process that a probe could see. */
  readonly beforeChange: Set<() => void>;
}

/** Told of the end of a container's process. */
type Ended = (pod: PodInput, containerID: string, exitCode: number, ref: Ref) => void;

/** The processes in the containers of a node, by container id. */
export class Processes {
  private readonly context: NodeContext;
  private readonly ended: Ended;
  private readonly running = new Map<string, Running>();
  /** They all ended with the power of the node: nobody was told. */
  lostPower = false;

  constructor(context: NodeContext, ended: Ended) {
    this.context = context;
    this.ended = ended;
  }

  /** The process in a container that runs; undefined when it does not. */
  of(containerID: string): AppProcess | undefined {
    return this.running.get(containerID)?.process;
  }

  /** Calls `listener`, which has waited since `since`, when the container's process ends. Returns how to stop listening. */
  onceExited(containerID: string, since: Micros, listener: () => void): () => void {
    const waiting = this.running.get(containerID)?.onExit;
    const one = { since, listener };
    waiting?.push(one);
    return () => {
      const place = waiting?.indexOf(one) ?? -1;
      if (place >= 0) waiting?.splice(place, 1);
    };
  }

  /** Calls `listener` before the container's process ends or is told to end. Returns how to stop listening. */
  beforeChange(containerID: string, listener: () => void): () => void {
    const listeners = this.running.get(containerID)?.beforeChange;
    listeners?.add(listener);
    return () => listeners?.delete(listener);
  }

  /** Something is about to happen to the process that a probe could see. */
  private announceChange(containerID: string): void {
    for (const listener of [...(this.running.get(containerID)?.beforeChange ?? [])]) listener();
  }

  /** A hook of the container begins: how it goes; undefined without a process. */
  beginHook(containerID: string, hook: HookName, cause: Ref): Answer | undefined {
    this.announceChange(containerID);
    const running = this.running.get(containerID);
    const answer = running?.process.beginHook(hook, this.context.kernel.now);
    running?.serve?.look(cause);
    return answer;
  }

  /** The container starts, with the run that its attempt has. */
  start(pod: PodInput, container: ContainerInput, id: string, attempt: number, ref: Ref): void {
    const { kernel, trace } = this.context;
    const run = container.runs[Math.min(attempt, container.runs.length - 1)];
    if (!run) throw new Error(`container ${container.name} of ${pod.identity} has no run`);
    const process = new AppProcess(run, container.outages, kernel.now, peersOf(this.context, pod, container));
    const serve = process.saysServe ? new ServeReporter(this.context, pod, container, process) : null;
    this.running.set(id, { pod, container, attempt, process, serve, onExit: [], beforeChange: new Set() });
    serve?.look(ref);
    const subject = subjectOf(this.context, 'app', pod, container.name);
    const probed = new Set(PROBE_KINDS.filter((kind) => container.probes[kind] !== null));
    let seenSuccess = false;
    const announce = (step: (typeof run.script)[number]): void => {
      if (this.of(id) !== process || process.stopping) return;
      const state = appState(run, step, process.answersAt(step, kernel.now), probed, seenSuccess);
      seenSuccess ||= state.state === 'serving';
      trace.event('appState', kernel.now, subject, state, [], ref);
    };
    const steps = run.script.filter((step) => step.exit === null);
    if (steps[0]?.at !== 0) announce({ at: 0 as MicrosSpan, answers: {}, serve: null, exit: null });
    for (const step of steps) {
      if (step.at === 0) announce(step);
      else kernel.after(step.at, 'app', () => announce(step));
    }
    for (const at of process.outageEdges(kernel.now)) kernel.at(at, 'app', () => announce(process.stepAt(kernel.now)));
    const end = process.scriptedExit;
    if (end) kernel.at(end.at, 'app', () => this.exit(id, end.code, 'script', ref));
  }

  /** The process in a container ends now, by itself. */
  crash(pod: PodInput, container: string, exitCode: number, cause: Ref): void {
    for (const [id, running] of this.running) {
      if (running.pod.identity !== pod.identity || running.container.name !== container) continue;
      return this.exit(id, exitCode, 'crash', NO_REF, [cause]);
    }
  }

  /** Its sandbox is stopped: a process that nobody has stopped before is killed with it. */
  endWithSandbox(containerID: string, cause: Ref): void {
    this.exit(containerID, 137, 'sandbox', NO_REF, [cause]);
  }

  /** SIGTERM now, SIGKILL after `graceSeconds`. The gate opens when the process is gone; null when there is none. */
  stop(containerID: string, graceSeconds: number, cause: Ref): Gate | null {
    const running = this.running.get(containerID);
    if (!running) return null;
    const { trace, kernel } = this.context;
    const { pod, container, attempt, process } = running;
    this.announceChange(containerID);
    const gone = new Gate();
    running.onExit.push({ since: kernel.now, listener: () => gone.open() });
    const subject = subjectOf(this.context, 'runtime', pod, container.name);
    const term = trace.event('sigterm', kernel.now, subject, { attempt }, [cause]);
    this.appState(running, 'stopping', 'SIGTERM', term);
    const end = process.terminate(kernel.now);
    running.serve?.look(term);
    if (end) kernel.at(end.at, 'app', () => this.exit(containerID, end.code, 'sigterm', term));
    const kill = kernel.after(seconds(graceSeconds), 'runtime', () => this.exit(containerID, 137, 'sigkill', term));
    gone.wait(() => {
      kill.cancelled = true;
    });
    return gone;
  }

  /** The machine loses its power: nobody is there to tell of the end, but whoever talks to a process notices. */
  powerOff(cause: Ref): void {
    this.lostPower = true;
    for (const [id, running] of [...this.running]) {
      this.announceChange(id);
      this.running.delete(id);
      this.appState(running, 'exited', 'power off', cause);
      for (const { listener } of [...running.onExit]) listener();
    }
  }

  /** The process ends, unless it has ended before: the first of script, signal handler and SIGKILL decides. */
  private exit(containerID: string, exitCode: number, cause: string, armed: Ref, causes: readonly Ref[] = []): void {
    const running = this.running.get(containerID);
    if (!running) return;
    const { trace, kernel } = this.context;
    const { pod, container, attempt } = running;
    this.announceChange(containerID);
    this.running.delete(containerID);
    const subject = subjectOf(this.context, 'runtime', pod, container.name);
    const ref = trace.event('containerExit', kernel.now, subject, { attempt, exitCode, cause }, causes, armed);
    this.appState(running, 'exited', `exit code ${exitCode}`, ref);
    running.serve?.end(ref);
    this.ended(pod, containerID, exitCode, ref);
    for (const { listener } of running.onExit.toSorted((a, b) => a.since - b.since)) listener();
  }

  private appState({ pod, container }: Running, state: string, detail: string, cause: Ref): void {
    const { trace, kernel } = this.context;
    const subject = subjectOf(this.context, 'app', pod, container.name);
    trace.event('appState', kernel.now, subject, { state, detail }, [cause]);
  }
}
