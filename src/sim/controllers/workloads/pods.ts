import { MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';
import { type ApiPod, isPodReady, readyConditionOf } from '../../api/apiPod.ts';
import { isTerminal } from '../../api/podStatus.ts';
import type { WallClock } from '../../world/wallClock.ts';

/** Not terminal and not being deleted (N-012; pkg/controller/controller_utils.go IsPodActive). */
export const isPodActive = (pod: ApiPod): boolean => !isTerminal(pod.status.phase) && pod.deletionTimestamp === null;

/** Being deleted and not terminal (IsPodTerminating). */
export const isPodTerminating = (pod: ApiPod): boolean =>
  !isTerminal(pod.status.phase) && pod.deletionTimestamp !== null;

/** An instant, and what the clocks show then. */
export interface AvailabilityClock {
  readonly now: Micros;
  readonly wall: WallClock;
}

/**
 * µs until a ready Pod is available, 0 when it is; null when it is not ready (N-013; pkg/api/v1/pod/util.go
 * IsPodAvailable). `now` is the controller's clock.
 */
export function untilAvailable(
  pod: ApiPod,
  minReadySeconds: number,
  { now, wall }: AvailabilityClock,
): MicrosSpan | null {
  if (!isPodReady(pod)) return null;
  if (minReadySeconds === 0) return 0 as MicrosSpan;
  const since = readyConditionOf(pod)?.lastTransitionTime ?? 0;
  const due = (since + minReadySeconds) * MICROS_PER_SECOND - wall.epoch;
  return Math.max(0, due - now) as MicrosSpan;
}
