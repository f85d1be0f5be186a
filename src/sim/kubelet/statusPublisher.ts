import { MICROS_PER_SECOND, type Micros } from '../../base/units.ts';
import type { ApiPod } from '../api/apiPod.ts';
import type { PodStatus } from '../api/podStatus.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import type { KubeletContext } from './context.ts';
import { DEADLINE, generateStatus } from './generateStatus.ts';
import { ownObject, type Pass, type PodKill } from './podWorkers.ts';
import type { ProberManager } from './prober/proberManager.ts';
import type { RuntimePod } from './runtime/records.ts';
import type { RuntimeManager } from './runtime/runtimeManager.ts';
import type { SettledStatuses } from './status/settledStatuses.ts';
import type { NewStatus, StatusManager } from './status/statusManager.ts';
import type { WorkQueue } from './workQueue.ts';

/** What a status is made of, beside probe results, probe workers and reasons for waiting. */
interface StatusInputs {
  readonly view: RuntimePod;
  /** The cached status, else the API's. */
  readonly old: PodStatus | undefined;
  /** The Pod as the pass has it. */
  readonly stored: ApiPod | undefined;
  readonly podIsTerminal: boolean;
}

/** What goes into a status, and where it goes. */
export interface PublisherHost {
  readonly context: KubeletContext;
  readonly statusManager: StatusManager;
  readonly prober: ProberManager;
  readonly runtimeManager: RuntimeManager;
  readonly queue: Pick<WorkQueue<unknown>, 'stand'>;
  readonly settled: SettledStatuses;
  /** The pod manager's object. */
  apiPod(pod: PodInput): ApiPod | undefined;
}

/**
 * Makes the status of a Pod and hands it to the status manager.
 * Source: pkg/kubelet/kubelet.go, SyncPod steps 2 and 3 (K-046); pkg/kubelet/active_deadline.go (K-017).
 */
export class StatusPublisher {
  private readonly host: PublisherHost;

  constructor(host: PublisherHost) {
    this.host = host;
  }

  /**
   * Publishes the world as `view` has it, before anything is done, and as `killer` sees it. Returns the status manager's
   * word after that.
   */
  publish(pass: Pass, view: RuntimePod, podIsTerminal: boolean, killer: PodKill | null = null): PodStatus | undefined {
    const { statusManager, prober, runtimeManager, settled } = this.host;
    const { pod, ref } = pass;
    const stored = ownObject(pass);
    const old = statusManager.get(pod) ?? stored?.status;
    const pastDeadline = this.isPastDeadline(pod, old);
    const standing = settled.of(pod);
    if (!pastDeadline && killer === null && standing.isSettled(view, podIsTerminal)) {
      prober.asked(pod, ref);
      return old;
    }
    if (pastDeadline) runtimeManager.record(pod, 'Normal', DEADLINE.reason, DEADLINE.message, ref);
    standing.settle(view, podIsTerminal);
    const status = this.generate(pod, { view, old, stored, podIsTerminal }, pastDeadline, ref);
    const isNew = statusManager.setPodStatus(pod, stored, killer?.change(status) ?? status, ref);
    if (isNew || pastDeadline || killer !== null || this.host.apiPod(pod) !== pass.stored) standing.outdate();
    const published = statusManager.get(pod);
    this.standAtDeadline(pod, published, ref);
    return published;
  }

  /** Whether the deadline of the Pod is over, so that its next status is another one (K-017). */
  isOverdue(pod: PodInput): boolean {
    if (pod.activeDeadlineSeconds === null) return false;
    return this.isPastDeadline(pod, this.host.statusManager.get(pod) ?? this.host.apiPod(pod)?.status);
  }

  private generate(
    pod: PodInput,
    { view, old, stored, podIsTerminal }: StatusInputs,
    pastDeadline: boolean,
    ref: Ref,
  ): NewStatus {
    const { context, prober, runtimeManager } = this.host;
    return generateStatus({
      pod,
      deleted: stored?.deletionTimestamp != null,
      view,
      old,
      stored: stored?.status,
      podIsTerminal: podIsTerminal && context.behaviour.endsPhaseBeforeRemoval,
      pastDeadline,
      blocked: context.behaviour.admitsAtAdd ? null : pod.faults.admission,
      behaviour: context.behaviour,
      wall: context.wall,
      waitingReason: (container) => runtimeManager.waitingReason(pod, container),
      updatePodStatus: (containers, initContainers) =>
        prober.updatePodStatus(pod, containers, initContainers, stored?.status, ref),
    });
  }

  /** K-017: activeDeadlineSeconds count from the status's startTime, a whole second. Null without a deadline. */
  private deadlineOf({ activeDeadlineSeconds }: PodInput, status: PodStatus | undefined): Micros | null {
    if (activeDeadlineSeconds === null || status?.startTime == null) return null;
    return ((status.startTime + activeDeadlineSeconds) * MICROS_PER_SECOND - this.host.context.wall.epoch) as Micros;
  }

  private isPastDeadline(pod: PodInput, status: PodStatus | undefined): boolean {
    const deadline = this.deadlineOf(pod, status);
    return deadline !== null && this.host.context.kernel.now >= deadline;
  }

  /** From its deadline on the Pod gets a pass on every sync tick. */
  private standAtDeadline(pod: PodInput, status: PodStatus | undefined, ref: Ref): void {
    const deadline = this.deadlineOf(pod, status);
    if (deadline !== null) this.host.queue.stand(pod, deadline, ref);
  }
}
