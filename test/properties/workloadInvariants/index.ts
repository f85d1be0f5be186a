import type { Invariant } from '../invariant.ts';
import type { WorkloadObservation } from '../workloadObservation.ts';
import { BUDGET_INVARIANTS } from './budgets.ts';
import { DAEMON_SET_INVARIANTS } from './daemonSets.ts';
import { STATEFUL_SET_INVARIANTS } from './statefulSets.ts';

/** All invariants of workloads, by what they are about. */
export const WORKLOAD_INVARIANTS: Readonly<Record<string, readonly Invariant<WorkloadObservation>[]>> = {
  'StatefulSet controller': STATEFUL_SET_INVARIANTS,
  'DaemonSet controller': DAEMON_SET_INVARIANTS,
  'evictions and budgets': BUDGET_INVARIANTS,
};
