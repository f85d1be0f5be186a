import type { ApiPod } from '../api/apiPod.ts';
import { isTerminal } from '../api/podStatus.ts';
import type { Task } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import { callApi } from './apiClient.ts';
import type { KubeletContext } from './context.ts';
import { beginStep, takeStep } from './passSteps.ts';
import type { Pleg } from './pleg.ts';
import { IDLE, ownObject, type Pass, type PassResult, type Syncers } from './podWorkers.ts';
import type { ProberManager } from './prober/proberManager.ts';
import type { RuntimePod } from './runtime/records.ts';
import { isRestartingAll } from './runtime/restartAll.ts';
import type { RuntimeManager } from './runtime/runtimeManager.ts';
import type { SettledStatus, SettledStatuses } from './status/settledStatuses.ts';
import type { StatusManager } from './status/statusManager.ts';
import type { StatusPublisher } from './statusPublisher.ts';
import type { VolumeManager } from './volumeManager.ts';

const NO_NETWORK = 'network is not ready: container runtime network not ready: NetworkReady=false';

/** The parts of the kubelet that a pass works with. */
export interface SyncerHost {
  readonly context: KubeletContext;
  readonly pleg: Pleg;
  readonly publisher: StatusPublisher;
  readonly statusManager: StatusManager;
  readonly settled: SettledStatuses;
  readonly prober: ProberManager;
  readonly runtimeManager: RuntimeManager;
  readonly volumes: VolumeManager;
  /** The pod manager's object. */
  apiPod(pod: PodInput): ApiPod | undefined;
  /** Asks for another pass. */
  updatePod(pod: PodInput, cause: Ref): void;
  /** Called when a Pod has terminated. */
  terminated(): void;
}

/**
 * The three passes that a pod worker runs. A step that takes no time and cannot fail is not written.
 * Source: pkg/kubelet/kubelet.go, SyncPod, SyncTerminatingPod, SyncTerminatedPod.
 */
export class PodSyncer implements Syncers {
  private readonly host: SyncerHost;
  /** Steps 6, 8 or 10 of K-046 take time in each pass. */
  private readonly stepsTakeTime: boolean;

  constructor(host: SyncerHost) {
    this.host = host;
    const { syncPodCgroups, syncPodDirectories, syncPodPullSecrets } = host.context.latency;
    this.stepsTakeTime = syncPodCgroups + syncPodDirectories + syncPodPullSecrets > 0;
  }

  /** SyncPod (K-046). */
  *sync(pass: Pass): Task<PassResult> {
    const { publisher, prober, runtimeManager, settled } = this.host;
    const { pod, view, ref } = pass;
    const status = publisher.publish(pass, view, false);
    if (status && isTerminal(status.phase)) return { ...IDLE, terminal: true };
    const error = this.isRefused(pod) ? yield* this.refuse(pass) : yield* this.prepare(pass);
    if (error) return { ...IDLE, error };
    const standing = settled.of(pod);
    if (standing.quietView === view) return IDLE;
    prober.addPod(pod, ref);
    if (isRestartingAll(status)) {
      const { actions } = yield* runtimeManager.resetContainers(pod, view, ref);
      // Nobody else would ask for the pass that starts them (K-046 step 14).
      if (actions > 0) this.host.updatePod(pod, ref);
      return { ...IDLE, actions };
    }
    const deleted = ownObject(pass)?.deletionTimestamp != null;
    const { actions, error: failure, retryAt } = yield* runtimeManager.syncPod(pod, deleted, view, ref);
    if (actions === 0 && this.isKnownWhole(pass)) standing.quieten();
    return { actions, terminal: false, error: failure, retryAt };
  }

  /** Whether all that passes look at is known: nothing is old already, and a mirror that could not be made is not tried again. */
  private isKnownWhole({ pod, stored, view }: Pass): boolean {
    const isLatest = this.host.pleg.cached(pod) === view && this.host.apiPod(pod) === stored;
    return isLatest && !lacksMirror(pod, stored);
  }

  /** A quiet Pod's volumes are mounted, and it was not refused: what is left to look at can change unseen. */
  syncIdle(pod: PodInput, standing: SettledStatus, view: RuntimePod, ref: Ref): boolean {
    const { context, publisher, prober } = this.host;
    if (this.stepsTakeTime || standing.quietView !== view) return false;
    if (!context.links.networkReady(context.kernel.now) || publisher.isOverdue(pod)) return false;
    prober.asked(pod, ref);
    return true;
  }

  /** SyncTerminatingPod (K-048). */
  *terminating(pass: Pass): Task<PassResult> {
    const { publisher, prober, runtimeManager, pleg } = this.host;
    const { pod, view, grace, killer } = pass;
    publisher.publish(pass, view, false, killer);
    const kills = view.containers.some(({ state }) => state === 'running');
    prober.stopLivenessAndStartup(pod, pass.ref, !kills);
    const { ref } = yield* runtimeManager.killPod(pod, view, grace, pass.ref);
    prober.removePod(pod, ref);
    publisher.publish({ ...pass, ref }, pleg.readNow(pod), true);
    return IDLE;
  }

  /** SyncTerminatedPod (K-050). */
  *terminated(pass: Pass): Task<PassResult> {
    const { context, publisher, statusManager } = this.host;
    publisher.publish(pass, pass.view, true);
    yield context.latency.volumeTeardown;
    statusManager.terminatePod(pass.pod, ownObject(pass), pass.ref);
    this.host.terminated();
    return IDLE;
  }

  private isRefused({ faults }: PodInput): boolean {
    return faults.admission !== null && !this.host.context.behaviour.admitsAtAdd;
  }

  /** Up to 1.30: a Pod that was refused is killed in each pass, and never started. Returns the error. */
  private *refuse({ pod, view, ref }: Pass): Task<string> {
    yield* this.host.runtimeManager.killPod(pod, view, null, ref);
    return `pod cannot be run: ${pod.faults.admission?.message}`;
  }

  /** Steps 4 to 10 of K-046. Returns the error that ends the pass. */
  private *prepare({ pod, stored, ref, cancelled }: Pass): Task<string> {
    const { context, runtimeManager, volumes } = this.host;
    const { latency, kernel, links } = context;
    if (!links.networkReady(kernel.now)) {
      runtimeManager.record(pod, 'Warning', 'NetworkNotReady', NO_NETWORK, ref);
      return beginStep(context, pod, 'network', ref)(NO_NETWORK);
    }
    if (latency.syncPodCgroups > 0) yield* takeStep(context, pod, 'cgroups', latency.syncPodCgroups, ref);
    if (lacksMirror(pod, stored)) yield* this.replaceMirror(pod, stored, ref);
    if (latency.syncPodDirectories > 0) yield* takeStep(context, pod, 'directories', latency.syncPodDirectories, ref);
    const error = volumes.areMounted(pod) ? '' : yield* volumes.waitForAttachAndMount(pod, cancelled, ref);
    if (error) {
      if (!context.behaviour.cancelsVolumeWait)
        runtimeManager.record(pod, 'Warning', 'FailedMount', `Unable to attach or mount volumes: ${error}`, ref);
      return error;
    }
    if (latency.syncPodPullSecrets > 0) yield* takeStep(context, pod, 'pullSecrets', latency.syncPodPullSecrets, ref);
    return '';
  }

  /** Step 7 of K-046: a mirror that somebody has deleted goes at once, and another one comes. */
  private *replaceMirror(pod: PodInput, old: ApiPod | undefined, cause: Ref): Task<void> {
    const { context } = this.host;
    const { api } = context;
    const end = beginStep(context, pod, 'mirror', cause);
    const call = { pod, verb: 'create', subresource: '', version: 0 } as const;
    if (old)
      yield* callApi(context, { ...call, verb: 'delete' }, cause, (ref) => {
        api.remove(pod.identity, ref);
        return { answer: true, object: -1 };
      });
    const { answer } = yield* callApi(context, call, cause, (ref) => {
      if (!api.get(pod.identity)) api.create(pod, ref);
      return { answer: true, object: -1 };
    });
    // Only logged: the next pass tries again.
    end(answer ? '' : 'the mirror Pod could not be created');
  }
}

/** Whether a static Pod has no mirror that stays. */
const lacksMirror = ({ isStatic }: PodInput, mirror: ApiPod | undefined): boolean =>
  isStatic && (mirror === undefined || mirror.deletionTimestamp !== null);
