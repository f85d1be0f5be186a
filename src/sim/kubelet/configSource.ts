import type { ApiPod } from '../api/apiPod.ts';
import { identicalStatus } from '../api/podStatus.ts';

/** Operations of the kubelet's config channel on a Pod that it knows (K-005). */
export type ConfigOp = 'UPDATE' | 'DELETE' | 'RECONCILE';

/**
 * In what a watched Pod differs from the last one; null when in nothing that counts.
 * Source: pkg/kubelet/config/config.go, checkAndUpdatePod (K-005).
 */
export function classify(before: ApiPod, now: ApiPod): ConfigOp | null {
  const changed =
    before.labels !== now.labels ||
    before.deletionTimestamp !== now.deletionTimestamp ||
    before.deletionGracePeriodSeconds !== now.deletionGracePeriodSeconds;
  if (changed) return now.deletionTimestamp !== null ? 'DELETE' : 'UPDATE';
  return identicalStatus(before.status, now.status) ? null : 'RECONCILE';
}
