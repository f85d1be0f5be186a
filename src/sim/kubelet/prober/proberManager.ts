import type { ContainerStatus, PodStatus } from '../../api/podStatus.ts';
import { inStartOrder } from '../../kernel/goroutines.ts';
import { type ContainerInput, type PodInput, PROBE_KINDS, type ProbeKind } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import { isOldContainer, type KubeletContext, subjectOf } from '../context.ts';
import { ProbeWorker, type WorkerHost } from './probeWorker.ts';

const NO_PAYLOAD = {};

/** Containers that have probe workers, in their order: regular ones, then sidecars (K-110). */
const probedContainers = (pod: PodInput): readonly ContainerInput[] => [
  ...pod.containers,
  ...pod.initContainers.filter(({ isSidecar }) => isSidecar),
];

const withVerdict = (status: ContainerStatus, started: boolean, ready: boolean): ContainerStatus =>
  status.started === started && status.ready === ready ? status : { ...status, started, ready };

/** A container that can have probe workers. */
interface ProbedContainer {
  readonly container: ContainerInput;
  readonly kinds: readonly ProbeKind[];
  readonly workers: Map<ProbeKind, ProbeWorker>;
}

/** What the manager keeps of a Pod. */
interface ProbedPod {
  /** The manager's own, about this Pod. */
  readonly subject: number;
  /** By name, in their order. */
  readonly containers: ReadonlyMap<string, ProbedContainer>;
}

/**
 * Which probe workers exist, and what their results say of a container's `started` and `ready`.
 * Source: pkg/kubelet/prober/prober_manager.go (K-110 to K-118, K-202 to K-206).
 */
export class ProberManager {
  private readonly host: WorkerHost;
  private readonly context: KubeletContext;
  private readonly pods = new Map<string, ProbedPod>();

  constructor(host: WorkerHost) {
    this.host = host;
    this.context = host.context;
  }

  /** Makes the workers that are missing; a container whose worker is found is left as it is (K-110). */
  addPod(pod: PodInput, cause: Ref): void {
    let index = 0;
    for (const { container, kinds, workers } of this.probedPod(pod).containers.values()) {
      for (const [place, kind] of kinds.entries()) {
        if (workers.has(kind)) break;
        workers.set(kind, this.makeWorker(pod, container, kind, index + place, cause));
        this.host.settled.outdate(pod);
      }
      index += kinds.length;
    }
  }

  /**
   * Fills in `started` and `ready`, and pokes the readiness worker of each started container that is not ready.
   * `stored` is the status of the pod manager's object.
   */
  updatePodStatus(
    pod: PodInput,
    containers: readonly ContainerStatus[],
    initContainers: readonly ContainerStatus[],
    stored: PodStatus | undefined,
    cause: Ref,
  ): { readonly containers: readonly ContainerStatus[]; readonly initContainers: readonly ContainerStatus[] } {
    const asked = this.asked(pod, cause);
    const update = (status: ContainerStatus): ContainerStatus => {
      const started = this.isStarted(pod, status);
      return withVerdict(status, started, started && this.isReady(pod, status, stored, asked));
    };
    const regularInit = (status: ContainerStatus): ContainerStatus => {
      const ready = status.state.is === 'terminated' && status.state.exitCode === 0;
      return withVerdict(status, this.isStarted(pod, status), ready);
    };
    const isSidecar = ({ name }: ContainerStatus): boolean =>
      pod.initContainers.some((container) => container.isSidecar && container.name === name);
    return {
      containers: containers.map(update),
      initContainers: initContainers.map((status) => (isSidecar(status) ? update(status) : regularInit(status))),
    };
  }

  /** The event of being asked for the prober's part of a status. */
  asked(pod: PodInput, cause: Ref): Ref {
    const { trace, kernel } = this.context;
    return trace.event('updatePodStatus', kernel.now, this.probedPod(pod).subject, NO_PAYLOAD, [cause]);
  }

  /**
   * At the begin of termination, of regular containers only; readiness and sidecars go on (K-113).
   * `isLast`: nothing else is woken after the workers in this instant (see inStartOrder).
   */
  stopLivenessAndStartup(pod: PodInput, cause: Ref, isLast: boolean): void {
    const kinds: readonly ProbeKind[] = this.context.behaviour.stopsReadinessAtTermination
      ? ['readiness', 'liveness', 'startup']
      : ['liveness', 'startup'];
    const workers = pod.containers.flatMap(({ name }) => this.workersOf(pod, name, kinds));
    this.stop(pod, 'stopLivenessAndStartup', isLast ? inStartOrder(workers) : workers, cause);
  }

  /** The context of the Pod's passes is cancelled: in 1.35 commands of its probes hang on it (K-140). */
  podEnds(pod: PodInput): void {
    if (!this.context.behaviour.cancelsProbeCommands) return;
    for (const { workers } of this.pods.get(pod.identity)?.containers.values() ?? []) {
      for (const worker of workers.values()) worker.cancelCommands();
    }
  }

  /** When the containers have stopped (K-114). */
  removePod(pod: PodInput, cause: Ref): void {
    const workers = probedContainers(pod).flatMap(({ name }) =>
      this.workersOf(pod, name, ['readiness', 'liveness', 'startup']),
    );
    this.stop(pod, 'removePod', workers, cause);
  }

  /** The cached status of the Pod is about to change: workers that took that for granted look again. */
  beforeStatusChange(pod: PodInput): void {
    for (const { workers } of this.pods.get(pod.identity)?.containers.values() ?? []) {
      for (const worker of workers.values()) worker.settle();
    }
  }

  /** Writes the turns that the horizon, or the end of the process, cut off. */
  flush(): void {
    for (const { containers } of this.pods.values()) {
      for (const { workers } of containers.values()) for (const worker of workers.values()) worker.flush();
    }
  }

  private probedPod(pod: PodInput): ProbedPod {
    let known = this.pods.get(pod.identity);
    if (!known) {
      const containers = probedContainers(pod).map((container): [string, ProbedContainer] => {
        const kinds = PROBE_KINDS.filter((kind) => container.probes[kind] !== null);
        return [container.name, { container, kinds, workers: new Map() }];
      });
      known = { subject: subjectOf(this.context, 'prober', pod), containers: new Map(containers) };
      this.pods.set(pod.identity, known);
    }
    return known;
  }

  private makeWorker(
    pod: PodInput,
    container: ContainerInput,
    kind: ProbeKind,
    index: number,
    cause: Ref,
  ): ProbeWorker {
    const { trace, kernel } = this.context;
    const subject = subjectOf(this.context, 'probeWorker', pod, container.name, kind);
    const added = trace.event('workerAdded', kernel.now, subject, {}, [cause]);
    return new ProbeWorker(this.host, pod, container, kind, index, added, () => {
      this.probedPod(pod).containers.get(container.name)?.workers.delete(kind);
      this.host.settled.outdate(pod);
    });
  }

  private workerOf(pod: PodInput, container: string, kind: ProbeKind): ProbeWorker | undefined {
    return this.pods.get(pod.identity)?.containers.get(container)?.workers.get(kind);
  }

  private workersOf(pod: PodInput, container: string, kinds: readonly ProbeKind[]): readonly ProbeWorker[] {
    return kinds.flatMap((kind) => this.workerOf(pod, container, kind) ?? []);
  }

  private stop(pod: PodInput, op: string, workers: readonly ProbeWorker[], cause: Ref): void {
    const { trace, kernel } = this.context;
    const ref = trace.event('workersStopped', kernel.now, this.probedPod(pod).subject, { op }, [cause]);
    for (const worker of workers) worker.stop(ref);
  }

  /** K-202. `started` of the given status is what it inherited (K-201). */
  private isStarted(pod: PodInput, { name, state, containerID, started }: ContainerStatus): boolean {
    if (state.is !== 'running') return false;
    const result = this.host.results.get('startup', containerID);
    if (result !== undefined) return result === 'success';
    return started || this.workerOf(pod, name, 'startup') === undefined;
  }

  /** K-204 to K-206, and the poke of K-205. */
  private isReady(
    pod: PodInput,
    { name, containerID, state }: ContainerStatus,
    stored: PodStatus | undefined,
    asked: Ref,
  ): boolean {
    const result = this.host.results.get('readiness', containerID);
    if (result === 'success') return true;
    const worker = this.workerOf(pod, name, 'readiness');
    if (worker && this.context.behaviour.pokesReadiness) this.poke(pod, name, worker, asked);
    // One from before the kubelet keeps the Pod's readiness until its own probe has spoken (K-206).
    const isOld = state.is === 'running' && isOldContainer(this.context, state.startedAt);
    if (isOld && this.context.behaviour.keepsStateOverRestart && result === undefined && hasReadinessProbe(pod, name))
      return wasReady(stored);
    return !worker;
  }

  private poke(pod: PodInput, container: string, worker: ProbeWorker, asked: Ref): void {
    const { trace, kernel } = this.context;
    const subject = subjectOf(this.context, 'prober', pod, container, 'readiness');
    this.host.settled.outdate(pod);
    const ref = trace.event('poke', kernel.now, subject, {}, [asked]);
    if (!worker.poke(ref)) trace.event('pokeDropped', kernel.now, subject, {}, [ref]);
  }
}

const hasReadinessProbe = (pod: PodInput, name: string): boolean =>
  probedContainers(pod).some((container) => container.name === name && container.probes.readiness !== null);

const wasReady = (stored: PodStatus | undefined): boolean =>
  stored?.conditions.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
