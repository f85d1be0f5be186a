import { type Micros, seconds } from '../../base/units.ts';
import type { Process, Timer } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { KubeletContext } from './context.ts';
import type { ContainerRuntime } from './runtime/containerRuntime.ts';
import type { ContainerRecord, RuntimePod } from './runtime/records.ts';

/** Dead containers kept of each name (K-015). */
const DEAD_KEPT = 1;
/** From the end of one container GC to the next (K-008, G-4). */
const GC_PERIOD = seconds(60);

/**
 * Removes dead containers: the older ones of a name when one dies, all of a Pod that is gone; and, once a minute, the
 * sandboxes of Pods that are gone.
 *
 * Source: pkg/kubelet/pod_container_deletor.go; pkg/kubelet/kuberuntime/kuberuntime_gc.go.
 */
export class ContainerDeletor {
  private readonly context: KubeletContext;
  private readonly runtime: ContainerRuntime;
  private readonly contentMayGo: (pod: PodInput) => boolean;
  private readonly queue: { readonly pod: PodInput; readonly record: ContainerRecord; readonly cause: Ref }[] = [];
  private deleting = false;
  /** A begin of a garbage collection; the others follow every minute. */
  private anchor: Micros;
  private timer: Timer | null = null;

  constructor(context: KubeletContext, runtime: ContainerRuntime, contentMayGo: (pod: PodInput) => boolean) {
    this.context = context;
    this.runtime = runtime;
    this.contentMayGo = contentMayGo;
    this.anchor = context.startedAt;
  }

  /** A container (or sandbox) of the Pod has died: queues the older dead ones of its name, or all if the Pod is gone. */
  containerDied(pod: PodInput, { containers }: RuntimePod, id: string, cause: Ref): void {
    const isGone = this.contentMayGo(pod);
    const name = containers.find((record) => record.id === id)?.name;
    const dead = containers.filter((record) => record.state === 'exited' && (isGone || record.name === name)).reverse();
    for (const record of dead.slice(isGone ? 0 : DEAD_KEPT)) this.queue.push({ pod, record, cause });
    if (!this.deleting) this.context.kernel.start(this.deleteQueued(), 'runtime');
  }

  private *deleteQueued(): Process {
    this.deleting = true;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      yield* this.runtime.removeContainer(next.pod, next.record, next.cause);
    }
    this.deleting = false;
  }

  /** Queues the next garbage collection if one of `pods` has something to collect; the others are not queued. */
  armGc(pods: readonly PodInput[] = this.runtime.podsKnown): void {
    if (this.timer || !pods.some((pod) => this.hasGarbage(pod))) return;
    const { kernel } = this.context;
    const turns = Math.floor((kernel.now - this.anchor) / GC_PERIOD) + 1;
    this.timer = kernel.at((this.anchor + turns * GC_PERIOD) as Micros, 'runtime', () => {
      this.timer = null;
      kernel.start(this.collect(), 'runtime');
    });
  }

  private hasGarbage(pod: PodInput): boolean {
    const { containers, sandboxes } = this.runtime.view(pod);
    if (sandboxes.length + containers.length === 0) return false;
    return (
      sandboxes.some(({ ready }) => !ready) ||
      this.surplus(pod).length > 0 ||
      containers.every(({ state }) => state === 'exited')
    );
  }

  /** Dead containers beyond what is kept, newest first. */
  private surplus(pod: PodInput): readonly ContainerRecord[] {
    const dead = this.runtime
      .view(pod)
      .containers.filter(({ state }) => state === 'exited')
      .reverse();
    if (this.contentMayGo(pod)) return dead;
    return dead.filter(
      ({ name, id }) => dead.filter((other) => other.name === name).findIndex((other) => other.id === id) >= DEAD_KEPT,
    );
  }

  private *collect(): Process {
    for (const pod of this.runtime.podsKnown) {
      for (const record of this.surplus(pod)) yield* this.runtime.removeContainer(pod, record, NO_REF);
    }
    for (const pod of this.runtime.podsKnown) {
      const { sandboxes, containers } = this.runtime.view(pod);
      if (!this.contentMayGo(pod) || containers.length > 0) continue;
      for (const sandbox of sandboxes.filter(({ ready }) => !ready)) {
        yield* this.runtime.removePodSandbox(pod, sandbox, NO_REF);
      }
    }
    this.anchor = this.context.kernel.now;
    this.armGc();
  }
}
