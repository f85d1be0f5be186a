import type { ContainerStatus, PodStatus } from '../../api/podStatus.ts';
import { inStartOrder } from '../../kernel/goroutines.ts';
import { type ContainerInput, type PodInput, PROBE_KINDS, type ProbeKind } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import { isOldContainer, type KubeletContext, subjectOf } from '../context.ts';
import { ProbeWorker, type WorkerHost } from './probeWorker.ts';

/** Containers that have probe workers, in their order: regular ones, then sidecars (K-110). */
const probedContainers = (pod: PodInput): readonly ContainerInput[] => [
  ...pod.containers,
  ...pod.initContainers.filter(({ isSidecar }) => isSidecar),
];

/**
 * Which probe workers exist, and what their results say of a container's `started` and `ready`.
 * Source: pkg/kubelet/prober/prober_manager.go (K-110 to K-118, K-202 to K-206).
 */
export class ProberManager {
  private readonly host: WorkerHost;
  private readonly context: KubeletContext;
  private readonly workers = new Map<string, ProbeWorker>();
  private readonly byPod = new Map<string, Set<ProbeWorker>>();
  /** Counts workers that came or went, and pokes: what a status depends on, and what making it does. */
  changes = 0;

  constructor(host: WorkerHost) {
    this.host = host;
    this.context = host.context;
  }

  /** Makes the workers that are missing; a container whose worker is found is left as it is (K-110). */
  addPod(pod: PodInput, cause: Ref): void {
    const { trace, kernel } = this.context;
    let index = 0;
    for (const container of probedContainers(pod)) {
      const probed = PROBE_KINDS.filter((kind) => container.probes[kind] !== null);
      for (const [place, kind] of probed.entries()) {
        const key = keyOf(pod, container.name, kind);
        if (this.workers.has(key)) break;
        const subject = subjectOf(this.context, 'probeWorker', pod, container.name, kind);
        const added = trace.event('workerAdded', kernel.now, subject, {}, [cause]);
        const worker = new ProbeWorker(this.host, pod, container, kind, index + place, added, () => {
          this.workers.delete(key);
          this.changes++;
          this.byPod.get(pod.identity)?.delete(worker);
        });
        this.workers.set(key, worker);
        this.changes++;
        this.remember(worker);
      }
      index += probed.length;
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
      return { ...status, started, ready: started && this.isReady(pod, status, stored, asked) };
    };
    const sidecars = new Set(pod.initContainers.filter(({ isSidecar }) => isSidecar).map(({ name }) => name));
    const regularInit = (status: ContainerStatus): ContainerStatus => ({
      ...status,
      started: this.isStarted(pod, status),
      ready: status.state.is === 'terminated' && status.state.exitCode === 0,
    });
    return {
      containers: containers.map(update),
      initContainers: initContainers.map((status) =>
        sidecars.has(status.name) ? update(status) : regularInit(status),
      ),
    };
  }

  /** The event of being asked for the prober's part of a status. */
  asked(pod: PodInput, cause: Ref): Ref {
    const { trace, kernel } = this.context;
    return trace.event('updatePodStatus', kernel.now, subjectOf(this.context, 'prober', pod), {}, [cause]);
  }

  /**
   * At the begin of termination, of regular containers only; readiness and sidecars go on (K-113).
   * `isLast`: nothing else is woken after the workers in this instant (see inStartOrder).
   */
  stopLivenessAndStartup(pod: PodInput, cause: Ref, isLast: boolean): void {
    const kinds: readonly ProbeKind[] = this.context.behaviour.stopsReadinessAtTermination
      ? ['readiness', 'liveness', 'startup']
      : ['liveness', 'startup'];
    this.stop(pod, 'stopLivenessAndStartup', pod.containers, kinds, cause, isLast);
  }

  /** When the containers have stopped (K-114). */
  removePod(pod: PodInput, cause: Ref): void {
    this.stop(pod, 'removePod', probedContainers(pod), ['readiness', 'liveness', 'startup'], cause, false);
  }

  /** The cached status of the Pod is about to change: workers that took that for granted look again. */
  beforeStatusChange(pod: PodInput): void {
    for (const worker of this.byPod.get(pod.identity) ?? []) worker.settle();
  }

  /** Writes the turns that the horizon, or the end of the process, cut off. */
  flush(): void {
    for (const worker of this.workers.values()) worker.flush();
  }

  private remember(worker: ProbeWorker): void {
    const { identity } = worker.pod;
    const known = this.byPod.get(identity);
    if (known) known.add(worker);
    else this.byPod.set(identity, new Set([worker]));
  }

  private stop(
    pod: PodInput,
    op: string,
    containers: readonly ContainerInput[],
    kinds: readonly ProbeKind[],
    cause: Ref,
    isLast: boolean,
  ): void {
    const { trace, kernel } = this.context;
    const ref = trace.event('workersStopped', kernel.now, subjectOf(this.context, 'prober', pod), { op }, [cause]);
    const stopped = containers.flatMap(({ name }) =>
      kinds.flatMap((kind) => this.workers.get(keyOf(pod, name, kind)) ?? []),
    );
    for (const worker of isLast ? inStartOrder(stopped) : stopped) worker.stop(ref);
  }

  /** K-202. `started` of the given status is what it inherited (K-201). */
  private isStarted(pod: PodInput, { name, state, containerID, started }: ContainerStatus): boolean {
    if (state.is !== 'running') return false;
    const result = this.host.results.get('startup', containerID);
    if (result !== undefined) return result === 'success';
    return started || !this.workers.has(keyOf(pod, name, 'startup'));
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
    const worker = this.workers.get(keyOf(pod, name, 'readiness'));
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
    this.changes++;
    const ref = trace.event('poke', kernel.now, subject, {}, [asked]);
    if (!worker.poke(ref)) trace.event('pokeDropped', kernel.now, subject, {}, [ref]);
  }
}

const hasReadinessProbe = (pod: PodInput, name: string): boolean =>
  probedContainers(pod).some((container) => container.name === name && container.probes.readiness !== null);

const wasReady = (stored: PodStatus | undefined): boolean =>
  stored?.conditions.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

const keyOf = (pod: PodInput, container: string, kind: ProbeKind): string => `${pod.identity}/${container}/${kind}`;
