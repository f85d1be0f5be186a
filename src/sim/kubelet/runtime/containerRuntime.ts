import { ipv6Beside } from '../../../base/ipAddress.ts';
import type { MicrosSpan } from '../../../base/units.ts';
import type { PodAddress } from '../../client/podNetwork.ts';
import { Gate, type Task } from '../../kernel/kernel.ts';
import { type ContainerInput, type HookName, listenerAt, type PodInput, type Serve } from '../../scenario.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { type NodeContext, subjectOf } from '../context.ts';
import { Processes } from './processes.ts';
import type { Called, ContainerRecord, Created, HookEnd, RuntimePod, SandboxRecord } from './records.ts';

const NOTHING: RuntimePod = { sandboxes: [], containers: [] };

/** Exit code of a container whose machine went away. */
const POWER_LOSS = 255;

const SANDBOX_ERROR = 'rpc error: code = Unknown desc = failed to set up the network of the sandbox';

/**
 * The container runtime behind the CRI: keeps states, and gives each call its length.
 * List and status calls take no time.
 */
export class ContainerRuntime {
  private readonly context: NodeContext;
  private readonly pods = new Map<string, RuntimePod>();
  /** Log files of containers, by Pod UID and name. */
  private readonly logs = new Map<string, number>();
  private readonly known = new Map<string, PodInput>();
  private readonly sandboxFailures = new Map<string, number>();
  /** Images that the node has pulled, with how often the pull failed before; serial, as serializeImagePulls has it. */
  private readonly images = new Map<string, { failures: number; isPresent: boolean }>();
  private pulling: Gate | null = null;
  private made = 0;
  /** How often the view of a Pod has changed, before a loss of power too. */
  changes = 0;
  /** Who got which address. */
  private readonly addresses = new Map<string, { readonly pod: PodInput; readonly sandbox: string }>();
  /** What runs in the containers. */
  readonly processes: Processes;
  /** Told of every change that a relist would see: the PLEG of the kubelet that runs. */
  onChange: (pod: PodInput, ref: Ref) => void = () => {};
  /** Told of every container that stops, as the event stream of the runtime tells. */
  onStop: (pod: PodInput, ref: Ref) => void = () => {};

  constructor(context: NodeContext) {
    this.context = context;
    this.processes = new Processes(context, (pod, id, exitCode, ref) => {
      this.update(pod, id, ref, { state: 'exited', finishedAt: context.kernel.now, exitCode });
      this.onStop(pod, ref);
    });
  }

  /**
   * What is left of `before` once its machine has lost its power: no process, no address; its records and images are on
   * disk, and its containers have ended (containerd names no exit code then, the kubelet shows 255).
   */
  static afterPowerLoss(context: NodeContext, before: ContainerRuntime): ContainerRuntime {
    const { now } = context.kernel;
    const runtime = new ContainerRuntime(context);
    for (const [pod, { sandboxes, containers }] of before.pods)
      runtime.pods.set(pod, {
        sandboxes: sandboxes.map((sandbox) => ({ ...sandbox, ready: false, ip: '', ipv6: '' })),
        containers: containers.map((record) =>
          record.state === 'running' ? { ...record, state: 'exited', finishedAt: now, exitCode: POWER_LOSS } : record,
        ),
      });
    for (const [pod, input] of before.known) runtime.known.set(pod, input);
    for (const [pod, failures] of before.sandboxFailures) runtime.sandboxFailures.set(pod, failures);
    for (const [ip, owner] of before.addresses) runtime.addresses.set(ip, owner);
    for (const [container, count] of before.logs) runtime.logs.set(container, count);
    for (const [image, state] of before.images) runtime.images.set(image, { ...state });
    runtime.made = before.made;
    runtime.changes = before.changes + 1;
    return runtime;
  }

  /** Every Pod that has a sandbox or container, in order of appearance. */
  get podsKnown(): readonly PodInput[] {
    return [...this.known.values()];
  }

  /** What list and status calls return now. */
  view(pod: PodInput): RuntimePod {
    return this.pods.get(pod.identity) ?? NOTHING;
  }

  /** What stands behind an address of its Pods, IPv6 in brackets, for a connection that arrives now; null: it is not one of them. */
  lookUp(ip: string, port: number): PodAddress | null {
    const owner = this.addresses.get(ip);
    if (!owner) return null;
    const { pod, sandbox } = owner;
    const { identity } = pod;
    const { sandboxes, containers } = this.view(pod);
    if (!sandboxes.some(({ id, ready }) => id === sandbox && ready)) return { pod: identity, state: 'gone' };
    const name = listenerAt(pod, port)?.name;
    const record = containers.find((one) => one.name === name && one.state === 'running');
    const process = record && this.processes.of(record.id);
    if (!record || !process) return { pod: identity, state: 'closed' };
    const { kernel } = this.context;
    const serve = (path: string): Serve => process.serve(kernel.now, port, path);
    const onEnd = (then: (isSilent: boolean) => void): (() => void) => {
      if (!this.processes.of(record.id)) then(this.processes.lostPower);
      return this.processes.onceExited(record.id, kernel.now, () => then(this.processes.lostPower));
    };
    return { pod: identity, state: { id: record.id, serve, onEnd } };
  }

  /** The result is an error's text when it failed. */
  runPodSandbox(pod: PodInput, cause: Ref): Task<Called> {
    return this.detached(this.runPodSandboxCall(pod, cause));
  }

  hasImage({ image, imagePull }: ContainerInput): boolean {
    return imagePull === null || (this.images.get(image)?.isPresent ?? false);
  }

  /** Pulls the image, after all pulls that were asked for before. The result is an error's text when it failed. */
  pullImage(pod: PodInput, container: ContainerInput, cause: Ref): Task<Called> {
    return this.detached(this.pullImageCall(pod, container, cause));
  }

  /** Creates a container; the result is its record. */
  createContainer(pod: PodInput, container: ContainerInput, attempt: number, cause: Ref): Task<Created> {
    return this.detached(this.createContainerCall(pod, container, attempt, cause));
  }

  startContainer(pod: PodInput, container: ContainerInput, record: ContainerRecord, cause: Ref): Task<Ref> {
    return this.detached(this.startContainerCall(pod, container, record, cause));
  }

  /** StopContainer: SIGTERM, wait, SIGKILL after `graceSeconds`. Returns when the container is gone. */
  stopContainer(
    pod: PodInput,
    container: ContainerInput,
    record: ContainerRecord,
    graceSeconds: number,
    cause: Ref,
  ): Task<Ref> {
    return this.detached(this.stopContainerCall(pod, container, record, graceSeconds, cause));
  }

  stopPodSandbox(pod: PodInput, sandbox: SandboxRecord, cause: Ref): Task<Ref> {
    return this.detached(this.stopPodSandboxCall(pod, sandbox, cause));
  }

  removeContainer(pod: PodInput, record: ContainerRecord, cause: Ref): Task<void> {
    return this.detached(this.removeContainerCall(pod, record, cause));
  }

  /** Stops a sandbox once more, which takes as long, and removes it (container GC). */
  removePodSandbox(pod: PodInput, sandbox: SandboxRecord, cause: Ref): Task<void> {
    return this.detached(this.removePodSandboxCall(pod, sandbox, cause));
  }

  /** An exec hook: ends when it is over, or with its process. */
  runHook(
    pod: PodInput,
    container: ContainerInput,
    { id }: ContainerRecord,
    hook: HookName,
    cause: Ref,
  ): Task<HookEnd> {
    return this.detached(this.hookCall(pod, container, id, hook, cause));
  }

  /** A call goes on in the runtime when the kubelet that made it dies. */
  private *detached<T>(call: Task<T>): Task<T> {
    const gate = new Gate();
    const box: { result?: T } = {};
    this.context.kernel.start(
      (function* () {
        box.result = yield* call;
        gate.open();
      })(),
      'runtime',
    );
    yield gate;
    return box.result as T;
  }

  private *hookCall(pod: PodInput, container: ContainerInput, id: string, hook: HookName, cause: Ref): Task<HookEnd> {
    const { trace, kernel } = this.context;
    const subject = subjectOf(this.context, 'runtime', pod, container.name);
    const ref = trace.event('hook', kernel.now, subject, { hook, result: '' }, [cause], NO_REF, NaN);
    const process = this.processes.of(id);
    const answer = this.processes.beginHook(id, hook, ref);
    let result: HookEnd = answer && answer.outcome === 'success' ? 'success' : 'failure';
    const over = new Gate();
    const stopListening = this.processes.onceExited(id, kernel.now, () => {
      result = 'killed';
      over.open();
    });
    if (process) {
      if (answer && Number.isFinite(answer.takes))
        kernel.after(answer.takes as MicrosSpan, 'runtime', () => over.open());
      yield over;
      stopListening();
    }
    trace.end<'hook'>(ref, kernel.now, { result }, false);
    return result;
  }

  private *removePodSandboxCall(pod: PodInput, { id }: SandboxRecord, cause: Ref): Task<void> {
    const { trace, kernel, latency } = this.context;
    const began = kernel.now;
    yield latency.criStopPodSandbox;
    yield latency.criRemove;
    const subject = subjectOf(this.context, 'runtime', pod);
    const ref = trace.event('removePodSandbox', began, subject, { sandbox: id }, [cause], NO_REF, kernel.now - began);
    this.change(pod, ref, (view) => ({ ...view, sandboxes: view.sandboxes.filter((sandbox) => sandbox.id !== id) }));
  }

  private *runPodSandboxCall(pod: PodInput, cause: Ref): Task<Called> {
    const { trace, kernel, latency, hops } = this.context;
    const subject = subjectOf(this.context, 'runtime', pod);
    const ref = trace.event('runPodSandbox', kernel.now, subject, { sandbox: '', ip: '' }, [cause], NO_REF, NaN);
    yield hops.next('criRunPodSandbox', pod.identity, kernel.now, latency.criRunPodSandbox);
    const failures = this.sandboxFailures.get(pod.identity) ?? 0;
    if (failures < pod.faults.sandboxFailures) {
      this.sandboxFailures.set(pod.identity, failures + 1);
      trace.end<'runPodSandbox'>(ref, kernel.now, {}, false);
      return { ref, error: SANDBOX_ERROR };
    }
    const number = ++this.made;
    const ip = addressIn(this.context.podSubnet, number);
    const ipv6 = this.context.isDualStack ? ipv6Beside(ip) : '';
    const sandbox: SandboxRecord = { id: `sbx-${pod.name}-${number}`, ready: true, ip, ipv6 };
    const owner = { pod, sandbox: sandbox.id };
    this.addresses.set(ip, owner);
    if (ipv6 !== '') this.addresses.set(`[${ipv6}]`, owner);
    trace.end<'runPodSandbox'>(ref, kernel.now, { sandbox: sandbox.id, ip: sandbox.ip }, false);
    this.change(pod, ref, (view) => ({ ...view, sandboxes: [...view.sandboxes, sandbox] }));
    return { ref, error: '' };
  }

  private *pullImageCall(pod: PodInput, { image, imagePull, name }: ContainerInput, cause: Ref): Task<Called> {
    const { trace, kernel } = this.context;
    const before = this.pulling;
    const done = new Gate();
    this.pulling = done;
    if (before) yield before;
    const subject = subjectOf(this.context, 'runtime', pod, name);
    const ref = trace.event('pullImage', kernel.now, subject, { image, error: '' }, [cause], NO_REF, NaN);
    const state = this.images.get(image) ?? { failures: 0, isPresent: false };
    this.images.set(image, state);
    // Whoever waited may find that it is there now.
    if (imagePull && !state.isPresent) yield imagePull.takes;
    const fails = imagePull !== null && !state.isPresent && state.failures < imagePull.failures;
    if (fails) state.failures++;
    else state.isPresent = true;
    const error = fails ? `rpc error: code = Unavailable desc = failed to pull and unpack image "${image}"` : '';
    trace.end<'pullImage'>(ref, kernel.now, { error }, false);
    done.open();
    return { ref, error };
  }

  /** How many containers of that name the Pod has had: their logs stay when they are removed (calcRestartCountByLogDir). */
  containersMade({ uid }: PodInput, name: string): number {
    return this.logs.get(`${uid}/${name}`) ?? 0;
  }

  private *createContainerCall(pod: PodInput, container: ContainerInput, attempt: number, cause: Ref): Task<Created> {
    const { trace, kernel, latency, hops } = this.context;
    this.logs.set(`${pod.uid}/${container.name}`, attempt + 1);
    const subject = subjectOf(this.context, 'runtime', pod, container.name);
    const began = kernel.now;
    const usual = this.callLength(latency.criCreateContainer, container);
    yield hops.next('criCreateContainer', `${pod.identity}/${container.name}`, began, usual);
    const record: ContainerRecord = {
      id: `ctr-${pod.name}-${container.name}-${++this.made}`,
      name: container.name,
      attempt,
      state: 'created',
      startedAt: null,
      finishedAt: null,
      exitCode: 0,
    };
    const length = kernel.now - began;
    const ref = trace.event('createContainer', began, subject, { attempt, id: record.id }, [cause], NO_REF, length);
    this.change(pod, ref, (view) => ({ ...view, containers: [...view.containers, record] }));
    return { record, ref };
  }

  private *startContainerCall(
    pod: PodInput,
    container: ContainerInput,
    { id, attempt }: ContainerRecord,
    cause: Ref,
  ): Task<Ref> {
    const { trace, kernel, latency, hops } = this.context;
    const subject = subjectOf(this.context, 'runtime', pod, container.name);
    const began = kernel.now;
    const usual = this.callLength(latency.criStartContainer, container);
    yield hops.next('criStartContainer', `${pod.identity}/${container.name}`, began, usual);
    const ref = trace.event('startContainer', began, subject, { attempt, id }, [cause], NO_REF, kernel.now - began);
    this.update(pod, id, ref, { state: 'running', startedAt: kernel.now });
    this.processes.start(pod, container, id, attempt, ref);
    return ref;
  }

  private *stopContainerCall(
    pod: PodInput,
    container: ContainerInput,
    { id, attempt }: ContainerRecord,
    graceSeconds: number,
    cause: Ref,
  ): Task<Ref> {
    const { trace, kernel, latency } = this.context;
    const subject = subjectOf(this.context, 'runtime', pod, container.name);
    const payload = { attempt, timeoutSeconds: graceSeconds };
    const ref = trace.event('stopContainer', kernel.now, subject, payload, [cause], NO_REF, NaN);
    const hop = this.callLength(latency.criStopContainer, container);
    yield hop;
    const gone = this.processes.stop(id, graceSeconds, ref);
    if (gone) yield gone;
    yield hop;
    trace.end<'stopContainer'>(ref, kernel.now, {}, false);
    return ref;
  }

  private *stopPodSandboxCall(pod: PodInput, { id }: SandboxRecord, cause: Ref): Task<Ref> {
    const { trace, kernel, latency } = this.context;
    const began = kernel.now;
    yield latency.criStopPodSandbox;
    // A sandbox that is stopped already takes the time, and nothing more.
    if (!this.view(pod).sandboxes.some((sandbox) => sandbox.id === id && sandbox.ready)) return cause;
    const subject = subjectOf(this.context, 'runtime', pod);
    const ref = trace.event('stopPodSandbox', began, subject, { sandbox: id }, [cause], NO_REF, kernel.now - began);
    for (const record of this.view(pod).containers) this.processes.endWithSandbox(record.id, ref);
    this.change(pod, ref, (view) => ({
      ...view,
      sandboxes: view.sandboxes.map((sandbox) =>
        sandbox.id === id ? { ...sandbox, ready: false, ip: '', ipv6: '' } : sandbox,
      ),
    }));
    return ref;
  }

  private *removeContainerCall(pod: PodInput, { id, name, attempt }: ContainerRecord, cause: Ref): Task<void> {
    const { trace, kernel, latency } = this.context;
    const began = kernel.now;
    yield latency.criRemove;
    // Somebody else may have been quicker: then there is nothing to remove.
    if (!this.view(pod).containers.some((record) => record.id === id)) return;
    const subject = subjectOf(this.context, 'runtime', pod, name);
    const ref = trace.event('removeContainer', began, subject, { attempt }, [cause], NO_REF, kernel.now - began);
    this.change(pod, ref, (view) => ({ ...view, containers: view.containers.filter((record) => record.id !== id) }));
  }

  private callLength(length: MicrosSpan, container: ContainerInput): MicrosSpan {
    return (length + container.latencyIndex * this.context.latency.perContainer) as MicrosSpan;
  }

  private update(pod: PodInput, id: string, ref: Ref, change: Partial<ContainerRecord>): void {
    this.change(pod, ref, (view) => ({
      ...view,
      containers: view.containers.map((record) => (record.id === id ? { ...record, ...change } : record)),
    }));
  }

  private change(pod: PodInput, ref: Ref, change: (view: RuntimePod) => RuntimePod): void {
    this.changes++;
    const view = change(this.view(pod));
    this.pods.set(pod.identity, view);
    if (view.sandboxes.length + view.containers.length > 0) this.known.set(pod.identity, pod);
    else this.known.delete(pod.identity);
    this.onChange(pod, ref);
  }
}

/** Addresses as the recordings give them out: the eleventh of the range is the first. */
function addressIn(subnet: string, number: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = subnet.split('.').map(Number);
  const host = c * 256 + d + number + 10;
  return `${a}.${b}.${host >> 8}.${host & 255}`;
}
