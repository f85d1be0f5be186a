import type { ApiPod } from '../../api/apiPod.ts';
import { keyOf } from '../../api/objects.ts';
import type { DaemonSetObject } from '../../api/workloadObjects.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import type { WorkloadEvents } from '../workloads/events.ts';
import type { WorkloadQueue } from '../workloads/syncQueue.ts';
import { FailedPodsBackoff } from './failedPodsBackoff.ts';

/** Decides when the Pods of a DaemonSet that have ended make way for new ones (podsShouldBeOnNode). */
export class EndedPods {
  private readonly context: WorkloadContext;
  private readonly events: WorkloadEvents;
  private readonly work: WorkloadQueue;
  private readonly backoff = new FailedPodsBackoff();

  constructor(context: WorkloadContext, events: WorkloadEvents, work: WorkloadQueue) {
    this.context = context;
    this.events = events;
    this.work = work;
  }

  /** Whether the Pod may go now; a failed one waits while its node is in back-off, and the set is looked at again then. */
  mayReplace(set: DaemonSetObject, pod: ApiPod, node: string, ref: Ref): boolean {
    const key = keyOf(set);
    const about = { kind: 'DaemonSet', key, uid: set.meta.uid };
    const { name, namespace } = pod.input;
    if (pod.status.phase === 'Succeeded') {
      const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`;
      this.events.tell(about, 'SucceededDaemonPod', message, ref);
      return true;
    }
    const { now } = this.context.kernel;
    const id = `${set.meta.uid}/${set.status.observedGeneration}/${node}`;
    const delay = this.backoff.delayOf(id, now);
    if (delay !== null) {
      this.work.log(key, 'failedPodBackoff', { pod: name, node, currentDelay: delay }, ref);
      this.work.queue.addAfter(key, delay, ref);
      return false;
    }
    this.backoff.next(id, now);
    this.work.log(key, 'killFailedPod', { pod: name, node }, ref);
    const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`;
    this.events.warn(about, 'FailedDaemonPod', message, ref);
    return true;
  }
}
