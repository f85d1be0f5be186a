import type { ApiPod } from '../api/apiPod.ts';
import type { ApiServer } from '../api/apiServer.ts';
import { identicalStatus, type PodCondition, type PodPhase, type PodStatus } from '../api/podStatus.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Ref } from '../trace/ref.ts';

/** Conditions that say whether a Pod is ready. */
const READY_CONDITIONS: readonly string[] = ['Ready', 'ContainersReady'];

/** Writes the status of Pods that no kubelet runs. A write that changes nothing is not stored (C-002). */
export class ScriptedStatus {
  private readonly context: ClusterContext;
  private readonly api: ApiServer;

  constructor(context: ClusterContext, api: ApiServer) {
    this.context = context;
    this.api = api;
  }

  /** Sets both readiness conditions; their transition time moves with a change only. */
  setReady(pod: string, ready: boolean, ref: Ref): void {
    this.patch(pod, ({ status }) => ({ ...status, conditions: this.conditionsOf(status, ready) }), ref);
  }

  /** Sets the phase, and readiness with it unless it is null. */
  setPhase(pod: string, phase: PodPhase, ready: boolean | null, ref: Ref): void {
    const conditions = (status: PodStatus): readonly PodCondition[] =>
      ready === null ? status.conditions : this.conditionsOf(status, ready);
    this.patch(pod, ({ status }) => ({ ...status, phase, conditions: conditions(status) }), ref);
  }

  /** Sets the addresses; a Pod that has one is Running. */
  setPodIPs(pod: string, podIPs: readonly string[], ref: Ref): void {
    const phase = (status: PodStatus): PodPhase => (status.phase === 'Pending' ? 'Running' : status.phase);
    this.patch(pod, ({ status }) => ({ ...status, podIPs, phase: phase(status) }), ref);
  }

  private conditionsOf({ conditions }: PodStatus, ready: boolean): readonly PodCondition[] {
    const status = ready ? 'True' : 'False';
    const lastTransitionTime = this.context.wall.seconds(this.context.kernel.now);
    const others = conditions.filter(({ type }) => !READY_CONDITIONS.includes(type));
    const own = READY_CONDITIONS.map((type): PodCondition => {
      const known = conditions.find((condition) => condition.type === type);
      if (known?.status === status) return known;
      return { type, status, reason: '', message: '', lastTransitionTime };
    });
    return [...own, ...others];
  }

  private patch(identity: string, change: (pod: ApiPod) => PodStatus, ref: Ref): void {
    const pod = this.api.get(identity);
    if (!pod) return;
    const status = change(pod);
    if (!identicalStatus(status, pod.status)) this.api.patchStatus(identity, status, ref);
  }
}
