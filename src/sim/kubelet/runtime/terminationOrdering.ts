import { Gate } from '../../kernel/kernel.ts';
import type { PodInput } from '../../scenario.ts';

/**
 * Whose stop signal waits for whom when a Pod with sidecars ends: a sidecar waits for all regular containers and for the
 * sidecar after it. Null for a Pod without sidecars.
 *
 * Source: pkg/kubelet/kuberuntime/kuberuntime_termination_order.go (K-085).
 */
export class TerminationOrdering {
  private readonly terminated = new Map<string, Gate>();
  private readonly prerequisites = new Map<string, readonly string[]>();

  /** `running` names the containers that are being killed; the others have terminated already. */
  constructor(pod: PodInput, running: ReadonlySet<string>) {
    for (const { name } of [...pod.containers, ...pod.initContainers]) {
      const gate = new Gate();
      if (!running.has(name)) gate.open();
      this.terminated.set(name, gate);
    }
    const regular = pod.containers.map(({ name }) => name);
    let later: readonly string[] = [];
    for (const { name, isSidecar } of [...pod.initContainers].reverse()) {
      if (!isSidecar) continue;
      this.prerequisites.set(name, [...regular, ...later]);
      later = [name];
    }
  }

  /** What a container has to wait for before its stop signal. */
  prerequisitesOf(name: string): readonly Gate[] {
    return (this.prerequisites.get(name) ?? []).flatMap((other) => this.terminated.get(other) ?? []);
  }

  containerTerminated(name: string): void {
    this.terminated.get(name)?.open();
  }
}
