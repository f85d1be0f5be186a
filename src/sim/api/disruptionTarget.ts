import type { ApiPod } from './apiPod.ts';
import type { PodCondition } from './podStatus.ts';

const TYPE = 'DisruptionTarget';

/** The Pod with the condition that says why it is about to go. `now`: wall-clock seconds (pkg/api/v1/pod UpdatePodCondition). */
export function asDisruptionTarget(pod: ApiPod, reason: string, message: string, now: number): ApiPod {
  const known = pod.status.conditions.find(({ type }) => type === TYPE);
  const lastTransitionTime = known?.status === 'True' ? known.lastTransitionTime : now;
  const made: PodCondition = { type: TYPE, status: 'True', reason, message, lastTransitionTime };
  const others = pod.status.conditions.filter(({ type }) => type !== TYPE);
  return { ...pod, status: { ...pod.status, conditions: [...others, made] } };
}

/** Whether the Pod's condition says just that already. */
export const isDisruptionTarget = ({ status }: ApiPod, reason: string, message: string): boolean =>
  status.conditions.some(
    (one) => one.type === TYPE && one.status === 'True' && one.reason === reason && one.message === message,
  );
