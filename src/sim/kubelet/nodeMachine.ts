import { later, type Micros, type MicrosSpan, milliseconds, seconds } from '../../base/units.ts';
import type { PodAddress } from '../client/podNetwork.ts';
import { ProcessScheduler } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import { type KubeletContext, type NodeContext, type NodePhases, subjectOf } from './context.ts';
import { Kubelet } from './kubelet.ts';
import { ContainerRuntime } from './runtime/containerRuntime.ts';

/** From a process start to its tickers, where the scenario does not say. Our own assumption. */
const SYNC_LOOP_DELAY = milliseconds(40);

/** A node: its container runtime, which goes on, and its kubelet process, which may end and start anew. */
export class NodeMachine {
  readonly node: string;
  private readonly context: NodeContext;
  /** All that runs on the machine but its kubelet; null: it has no power. */
  private power: ProcessScheduler | null;
  /** Another one after each loss of power. */
  runtime: ContainerRuntime;
  private readonly staticPods = new Map<string, PodInput>();
  private running: { readonly kubelet: Kubelet; readonly process: ProcessScheduler } | null = null;

  constructor(context: NodeContext) {
    this.node = context.node;
    this.context = context;
    this.power = new ProcessScheduler(context.kernel);
    this.runtime = new ContainerRuntime({ ...context, kernel: this.power });
    const { kernel, api, latency, links, config, node } = context;
    api.watchNode(node, (identity, pod, ref) => {
      const sent = links.watchOpen(kernel.now);
      kernel.at(later(sent, latency.watch), 'kubelet', () => this.running?.kubelet.onWatch(identity, pod, ref));
    });
    if (config.processStart < kernel.now) this.startKubelet(config.processStart, this.drawnPhases());
    else kernel.at(config.processStart, 'kubelet', () => this.startKubelet(kernel.now, this.phasesFrom(kernel.now)));
  }

  /** Told when a kubelet process begins and ends. */
  onProcess: (isRunning: boolean) => void = () => {};

  /** Whether a kubelet runs. */
  get isRunning(): boolean {
    return this.running !== null;
  }

  /** Whether a request of the node reaches the API server now. */
  reachesApi(): boolean {
    return this.context.links.apiReachable(this.context.kernel.now);
  }

  /** Whether the runtime's network is ready now. */
  networkReady(): boolean {
    return this.context.links.networkReady(this.context.kernel.now);
  }

  /** Whether the machine has power. */
  get isOn(): boolean {
    return this.power !== null;
  }

  /** Whether the node reaches others, and they reach it. */
  get isReachable(): boolean {
    return this.context.links.nodeReachable(this.context.kernel.now);
  }

  /** Another number whenever something else may stand behind an address. */
  get changes(): number {
    return this.runtime.changes;
  }

  /** What stands behind an address of its Pods for a connection that arrives now; null: it is not one of them. */
  lookUp(ip: string, port: number): PodAddress | null {
    return this.runtime.lookUp(ip, port);
  }

  addStaticPod(pod: PodInput, cause: Ref): void {
    this.staticPods.set(pod.identity, pod);
    this.running?.kubelet.addStaticPod(pod, cause);
  }

  removeStaticPod(pod: PodInput, cause: Ref): void {
    if (!this.staticPods.delete(pod.identity)) return;
    this.running?.kubelet.removeStaticPod(pod, cause);
  }

  /** The kubelet ends the Pod; nothing happens while none runs. */
  evictPod(pod: PodInput, graceSeconds: number, cause: Ref): void {
    this.running?.kubelet.evictPod(pod, graceSeconds, cause);
  }

  /** The process in a container of the Pod ends by itself, if there is one. */
  crash(pod: PodInput, container: string, exitCode: number, cause: Ref): void {
    this.runtime.processes.crash(pod, container, exitCode, cause);
  }

  /** The process and all that it was waiting for vanish; a new one starts `down` later on the same state. */
  restartKubelet(down: MicrosSpan): void {
    const { kernel } = this.context;
    const { power } = this;
    if (!this.stopKubelet()) return;
    kernel.at(later(kernel.now, down), 'kubelet', () => {
      if (this.power === power) this.startKubelet(kernel.now, this.phasesFrom(kernel.now));
    });
  }

  /** The machine goes off: whatever runs on it is gone at once, and nobody answers for it. */
  powerOff(cause: Ref): void {
    this.stopKubelet();
    if (!this.power) return;
    this.runtime.processes.powerOff(cause);
    this.power.stop();
    this.power = null;
    this.runtime = ContainerRuntime.afterPowerLoss(this.context, this.runtime);
  }

  /** The machine is back: its kubelet finds containers that have ended. */
  powerOn(): void {
    if (this.power) return;
    const { kernel } = this.context;
    this.power = new ProcessScheduler(kernel);
    this.runtime = ContainerRuntime.afterPowerLoss({ ...this.context, kernel: this.power }, this.runtime);
    this.startKubelet(kernel.now, this.phasesFrom(kernel.now));
  }

  /** Nobody reaches the node, and it reaches nobody, for a while. */
  cutNode(lasts: MicrosSpan): void {
    this.context.links.cutNode(later(this.context.kernel.now, lasts));
  }

  /** The API server is out of the node's reach for a while. */
  cutApi(lasts: MicrosSpan): void {
    this.context.links.cutApi(later(this.context.kernel.now, lasts));
  }

  /** The API server answers its writes with a conflict for a while. */
  refuseWrites(lasts: MicrosSpan): void {
    this.context.links.refuseWrites(later(this.context.kernel.now, lasts));
  }

  /** The network of its Pods is not ready for a while. */
  cutPodNetwork(lasts: MicrosSpan): void {
    this.context.links.cutPodNetwork(later(this.context.kernel.now, lasts));
  }

  /** Writes what the horizon cut off. */
  flush(): void {
    this.running?.kubelet.flush();
  }

  /** False: none runs. */
  private stopKubelet(): boolean {
    const { kernel, trace } = this.context;
    if (!this.running) return false;
    this.running.kubelet.flush();
    this.running.process.stop();
    this.running = null;
    this.runtime.onChange = () => {};
    this.runtime.onStop = () => {};
    trace.event('processStop', kernel.now, subjectOf(this.context, 'syncLoop'), {});
    this.onProcess(false);
    return true;
  }

  private startKubelet(startedAt: Micros, phases: NodePhases): void {
    const process = new ProcessScheduler(this.context.kernel);
    const context: KubeletContext = { ...this.context, kernel: process, startedAt, phases };
    const kubelet = new Kubelet(context, this.runtime);
    this.running = { kubelet, process };
    kubelet.start([...this.staticPods.values()]);
    this.onProcess(true);
  }

  /** The tickers of a process that starts within the run. */
  private phasesFrom(start: Micros): NodePhases {
    const loop = later(start, this.context.config.syncLoopDelay ?? SYNC_LOOP_DELAY);
    return { relist: start, sync: loop, housekeeping: loop, status: start };
  }

  /** The tickers of a process that has been there for long: drawn. */
  private drawnPhases(): NodePhases {
    const { draws, node, latency, kernel } = this.context;
    const phase = (ticker: string, period: number): Micros =>
      draws.number(`kubelet/${ticker}Phase/${node}`, kernel.now, (u) => Math.floor(u * period)) as Micros;
    return {
      relist: phase('relist', seconds(1) + latency.plegRelist),
      sync: phase('sync', seconds(1)),
      housekeeping: phase('housekeeping', seconds(2)),
      status: phase('status', seconds(10)),
    };
  }
}
