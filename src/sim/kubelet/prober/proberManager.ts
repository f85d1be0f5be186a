import type { ContainerStatus, PodStatus } from '../../api/podStatus.ts';
import { type PodInput, PROBE_KINDS, type ProbeKind } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import { type NodeContext, subjectOf } from '../context.ts';
import { ProbeWorker, type WorkerHost } from './probeWorker.ts';

/**
 * Which probe workers exist, and what their results say of a container's `started` and `ready`.
 * Source: pkg/kubelet/prober/prober_manager.go (K-110 to K-118, K-202 to K-205).
 */
export class ProberManager {
  private readonly host: WorkerHost;
  private readonly context: NodeContext;
  private readonly workers = new Map<string, ProbeWorker>();

  constructor(host: WorkerHost) {
    this.host = host;
    this.context = host.context;
  }

  /** Makes the workers that are missing; a container whose worker is found is left as it is (K-110). */
  addPod(pod: PodInput, cause: Ref): void {
    const { trace, kernel } = this.context;
    let index = 0;
    for (const container of pod.containers) {
      const probed = PROBE_KINDS.filter((kind) => container.probes[kind] !== null);
      for (const kind of probed) {
        const key = keyOf(pod, container.name, kind);
        if (this.workers.has(key)) break;
        const subject = subjectOf(this.context, 'probeWorker', pod, container.name, kind);
        const added = trace.event('workerAdded', kernel.now, subject, {}, [cause]);
        const place = index + probed.indexOf(kind);
        this.workers.set(
          key,
          new ProbeWorker(this.host, pod, container, kind, place, added, () => this.workers.delete(key)),
        );
      }
      index += probed.length;
    }
  }

  /** Fills in `started` and `ready`, and pokes the readiness worker of each started container that is not ready. */
  updatePodStatus(pod: PodInput, statuses: readonly ContainerStatus[], cause: Ref): readonly ContainerStatus[] {
    const { trace, kernel } = this.context;
    const asked = trace.event('updatePodStatus', kernel.now, subjectOf(this.context, 'prober', pod), {}, [cause]);
    return statuses.map((status) => {
      const started = this.isStarted(pod, status);
      return { ...status, started, ready: started && this.isReady(pod, status, asked) };
    });
  }

  /** At the begin of termination; readiness goes on (K-113). */
  stopLivenessAndStartup(pod: PodInput, cause: Ref): void {
    this.stop(pod, 'stopLivenessAndStartup', ['liveness', 'startup'], cause);
  }

  /** When the containers have stopped (K-114). */
  removePod(pod: PodInput, cause: Ref): void {
    this.stop(pod, 'removePod', PROBE_KINDS, cause);
  }

  /** Writes the turns that the horizon cut off. */
  flush(): void {
    for (const worker of this.workers.values()) worker.flush();
  }

  private stop(pod: PodInput, op: string, kinds: readonly ProbeKind[], cause: Ref): void {
    const { trace, kernel } = this.context;
    const ref = trace.event('workersStopped', kernel.now, subjectOf(this.context, 'prober', pod), { op }, [cause]);
    for (const container of pod.containers) {
      for (const kind of kinds) this.workers.get(keyOf(pod, container.name, kind))?.stop(ref);
    }
  }

  /** K-202. `started` of the given status is what it inherited (K-201). */
  private isStarted(pod: PodInput, { name, state, containerID, started }: ContainerStatus): boolean {
    if (state.is !== 'running') return false;
    const result = this.host.results.get('startup', containerID);
    if (result !== undefined) return result === 'success';
    return started || !this.workers.has(keyOf(pod, name, 'startup'));
  }

  /** K-204 and the poke of K-205. */
  private isReady(pod: PodInput, { name, containerID }: ContainerStatus, asked: Ref): boolean {
    if (this.host.results.get('readiness', containerID) === 'success') return true;
    const worker = this.workers.get(keyOf(pod, name, 'readiness'));
    if (!worker) return true;
    const { trace, kernel } = this.context;
    const subject = subjectOf(this.context, 'prober', pod, name, 'readiness');
    const ref = trace.event('poke', kernel.now, subject, {}, [asked]);
    if (!worker.poke(ref)) trace.event('pokeDropped', kernel.now, subject, {}, [ref]);
    return false;
  }
}

const keyOf = (pod: PodInput, container: string, kind: ProbeKind): string => `${pod.identity}/${container}/${kind}`;

/** `started` of the old status by name, whatever the container's id (K-201, the root of the defect K-210). */
export const inheritedStarted = (old: PodStatus, name: string): boolean =>
  old.containerStatuses.find((status) => status.name === name)?.started ?? false;
