import { type MicrosSpan, seconds } from '../../base/units.ts';
import { DISRUPTION_TARGET } from '../api/podStatus.ts';
import type { Behaviour } from './behaviour.ts';
import type { NewStatus } from './status/statusManager.ts';

/** pkg/kubelet/eviction/helpers.go, Reason and nodeLowMessageFmt. */
export const EVICTED = { reason: 'Evicted', message: 'The node was low on resource: memory. ' };

/** What killPodNow says when it has waited for too long. */
export const TOO_SLOW = 'Container runtime did not kill the pod within specified grace period.';

/** How long killPodNow waits for the end of a Pod. Source: pkg/kubelet/pod_workers.go, killPodNow (K-043). */
export const killTimeout = (graceSeconds: number): MicrosSpan =>
  seconds(Math.max(10, graceSeconds + Math.floor(graceSeconds / 2)));

/**
 * The status of a Pod that the kubelet itself ends: Failed while its containers still run, its conditions as they were.
 * Source: pkg/kubelet/eviction/eviction_manager.go, evictPod (K-043).
 */
export function evictedStatus(status: NewStatus, { marksDisruption }: Behaviour): NewStatus {
  const others = status.conditions.filter(({ type }) => type !== DISRUPTION_TARGET);
  const why = {
    type: DISRUPTION_TARGET,
    status: 'True',
    reason: 'TerminationByKubelet',
    message: EVICTED.message,
  } as const;
  return { ...status, phase: 'Failed', ...EVICTED, conditions: marksDisruption ? [...others, why] : status.conditions };
}
