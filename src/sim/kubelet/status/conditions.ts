import type { ContainerStatus, PodCondition, PodConditionType, PodPhase, PodStatus } from '../../api/podStatus.ts';
import type { PodInput } from '../../scenario.ts';
import type { RuntimePod } from '../runtime/containerRuntime.ts';

/** A condition before its transition time is known. */
export type NewCondition = Omit<PodCondition, 'lastTransitionTime'>;

const condition = (type: PodConditionType, isTrue: boolean, reason = '', message = ''): NewCondition => ({
  type,
  status: isTrue ? 'True' : 'False',
  reason,
  message,
});

/**
 * ContainersReady from the containers' `ready`; the Ready condition repeats it, as there are no readiness gates yet.
 * Source: pkg/kubelet/status/generate.go, GenerateContainersReadyCondition and GeneratePodReadyCondition (K-187).
 */
export function readyConditions(
  pod: PodInput,
  statuses: readonly ContainerStatus[],
  phase: PodPhase,
): { ready: NewCondition; containersReady: NewCondition } {
  const both = (isTrue: boolean, reason = '', message = '') => ({
    ready: condition('Ready', isTrue, reason, message),
    containersReady: condition('ContainersReady', isTrue, reason, message),
  });
  const unknown = pod.containers.filter(({ name }) => !statuses.some((status) => status.name === name));
  const unready = statuses.filter((status) => !status.ready);
  if (phase === 'Succeeded' && unknown.length === 0) return both(false, 'PodCompleted');
  if (phase === 'Failed') return both(false, 'PodFailed');
  const parts = [
    ...(unknown.length > 0 ? [`containers with unknown status: [${namesOf(unknown)}]`] : []),
    ...(unready.length > 0 ? [`containers with unready status: [${namesOf(unready)}]`] : []),
  ];
  return parts.length > 0 ? both(false, 'ContainersNotReady', parts.join(', ')) : both(true);
}

const namesOf = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(' ');

/** Initialized: no init containers exist yet in the model, so it is True (K-188). */
export const initializedCondition = (phase: PodPhase): NewCondition =>
  condition('Initialized', true, phase === 'Succeeded' ? 'PodCompleted' : '');

/** PodReadyToStartContainers: True iff the Pod needs no new sandbox (K-188, K-060). */
export function sandboxCondition(view: RuntimePod): NewCondition {
  const problem = sandboxProblem(view);
  return problem === null
    ? condition('PodReadyToStartContainers', true)
    : condition('PodReadyToStartContainers', false, 'PodSandboxNotReady', problem);
}

/** Why the Pod needs a new sandbox; null when it needs none. Source: kuberuntime/util, PodSandboxChanged (K-060). */
export function sandboxProblem({ sandboxes }: RuntimePod): string | null {
  const newest = sandboxes.at(-1);
  if (!newest) return 'no pod sandbox exists';
  if (sandboxes.filter(({ ready }) => ready).length > 1)
    return 'multiple pod sandboxes are ready and need to be reconciled';
  if (!newest.ready) return 'pod sandbox is not ready';
  return newest.ip === '' ? 'pod sandbox has no IP address' : null;
}

export const scheduledCondition: NewCondition = condition('PodScheduled', true);

/** `status` with some of its conditions replaced; a transition time moves only when the status does (K-177 step 3). */
export function withConditions(
  old: PodStatus,
  status: Omit<PodStatus, 'conditions'>,
  conditions: readonly NewCondition[],
  now: number,
): PodStatus {
  return {
    ...status,
    conditions: conditions.map((made) => {
      const before = old.conditions.find(({ type }) => type === made.type);
      const lastTransitionTime = before && before.status === made.status ? before.lastTransitionTime : now;
      return { ...made, lastTransitionTime };
    }),
  };
}
