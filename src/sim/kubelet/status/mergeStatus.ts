import {
  DISRUPTION_TARGET,
  isKubeletCondition,
  isTerminal,
  type PodCondition,
  type PodStatus,
} from '../../api/podStatus.ts';
import { withCondition } from './conditions.ts';

/** Whether a write makes the phase terminal, or would: `held` back while containers could run. */
export type EndOfPod = 'no' | 'held' | 'now';

export function endOf(stored: PodStatus, status: PodStatus, couldRun: boolean): EndOfPod {
  if (!isTerminal(status.phase) || isTerminal(stored.phase)) return 'no';
  return couldRun ? 'held' : 'now';
}

/**
 * What is written of a cached status: conditions of others stay as the API has them, and so does the phase while its
 * end is held back. `now` is the wall-clock second of the write.
 * Source: pkg/kubelet/status/status_manager.go, mergePodStatus (K-189).
 */
export function mergeStatus(stored: PodStatus, status: PodStatus, end: EndOfPod, now: number): PodStatus {
  const disruption = end === 'now' ? disruptionOf(stored, status, now) : null;
  const timed = disruption === null ? status : { ...status, conditions: withCondition(status.conditions, disruption) };
  const merged = { ...timed, conditions: ownBeside(stored, timed, end) };
  if (end !== 'held') return merged;
  const { phase, reason, message } = stored;
  return { ...merged, phase, reason, message };
}

/** DisruptionTarget with the time of this write, as it was held back since it was made. */
function disruptionOf(stored: PodStatus, { conditions }: PodStatus, now: number): PodCondition | null {
  const made = conditions.find(({ type }) => type === DISRUPTION_TARGET);
  const before = stored.conditions.find(({ type }) => type === DISRUPTION_TARGET);
  if (made === undefined) return null;
  return { ...made, lastTransitionTime: before?.status === made.status ? before.lastTransitionTime : now };
}

/** The kubelet's conditions of `status` behind those that others have in the API's; DisruptionTarget only with the end. */
export function ownBeside(stored: PodStatus, { conditions }: PodStatus, end: EndOfPod): PodStatus['conditions'] {
  const foreign = stored.conditions.filter((condition) => !isKubeletCondition(condition));
  const disruption = end === 'now' ? conditions.find(({ type }) => type === DISRUPTION_TARGET) : undefined;
  return [
    ...(disruption === undefined ? foreign : withCondition(foreign, disruption)),
    ...conditions.filter(isKubeletCondition),
  ];
}
