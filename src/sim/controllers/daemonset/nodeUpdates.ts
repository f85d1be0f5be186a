import { MICROS_PER_SECOND, type MicrosSpan, milliseconds } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import type { NodeObject } from '../../api/objects.ts';
import type { DaemonSetObject } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { subjectOf, type WorkloadContext } from '../workloads/context.ts';
import { WorkQueue } from '../workQueue.ts';
import { daemonTolerations, placementOn } from './placement.ts';

const WORKERS = 2;

/** What the DaemonSet controller's caches hold. */
interface Caches {
  /** By key. */
  readonly allSets: () => readonly (readonly [string, DaemonSetObject])[];
  readonly podsOn: (set: DaemonSetObject, node: string) => readonly ApiPod[];
  readonly node: (name: string) => NodeObject | undefined;
}

/**
 * Finds the DaemonSets that a new or changed Node concerns; one that goes concerns none.
 * Source: pkg/controller/daemon/daemon_controller.go addNode, updateNode, syncNodeUpdate.
 */
export class NodeUpdates {
  private readonly caches: Caches;
  private readonly queue: WorkQueue;
  private readonly enqueue: (key: string, ref: Ref) => void;

  constructor(context: WorkloadContext, caches: Caches, enqueue: (key: string, ref: Ref) => void) {
    this.caches = caches;
    this.enqueue = enqueue;
    const { kernel, trace } = context;
    this.queue = new WorkQueue({
      kernel,
      trace,
      subjectOf: (name) => subjectOf(context, 'daemonset', `nodes/${name}`),
      workers: WORKERS,
      baseDelay: milliseconds(5),
      maxDelay: (1000 * MICROS_PER_SECOND) as MicrosSpan,
      process: (name, [ref = NO_REF]) => this.look(name, ref),
    });
  }

  run(): void {
    this.queue.run();
  }

  /** Only labels and taints count. */
  onNode(old: NodeObject | null, now: NodeObject | null, ref: Ref): void {
    if (!now) return;
    const said = ({ meta, taints }: NodeObject): string => JSON.stringify([meta.labels, taints]);
    if (!old || said(old) !== said(now)) this.queue.add(now.meta.name, ref);
  }

  /** Takes no time. */
  private *look(name: string, ref: Ref): Task<void> {
    yield 0 as MicrosSpan;
    const node = this.caches.node(name);
    if (!node) return;
    for (const [key, set] of this.caches.allSets()) {
      const { runs, stays } = placementOn(node, daemonTolerations(set));
      const isServed = this.caches.podsOn(set, name).length > 0;
      const isWrong = isServed ? !stays || set.status.numberMisscheduled > 0 : runs;
      if (isWrong) this.enqueue(key, ref);
    }
  }
}
