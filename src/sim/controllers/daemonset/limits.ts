import { type DaemonSetObject, scaledValue } from '../../api/workloadObjects.ts';

/** How many nodes may have two Pods, and none, during an update. */
export interface Limits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The set's limits for so many nodes (pkg/controller/daemon/util SurgeCount, UnavailableCount). */
export function limitsOf({ spec }: DaemonSetObject, desired: number): Limits {
  if (spec.updateStrategy !== 'RollingUpdate') return { maxSurge: 0, maxUnavailable: 0 };
  return {
    maxSurge: scaledValue(spec.maxSurge, desired, 'up'),
    maxUnavailable: scaledValue(spec.maxUnavailable, desired, 'up'),
  };
}

export const allowsSurge = (set: DaemonSetObject): boolean => limitsOf(set, 1).maxSurge > 0;
