import type { RecordedEvent } from '../event.ts';

/** Rules behind the events of each type. */
const RULES: Readonly<Record<string, string>> = {
  deployments: 'N-010 to N-014',
  replicasets: 'N-011, N-020',
  pods: 'N-020, N-021',
  statefulsets: 'N-022',
  daemonsets: 'N-022',
  nodes: 'N-030 to N-040',
  poddisruptionbudgets: 'C-014',
  evictions: 'C-014',
  tooFew: 'N-020',
  tooMany: 'N-021',
  staleCache: 'N-020',
  progressCheckIn: 'N-014',
  scaledDownOld: 'N-011',
  cleanedUpUnhealthy: 'N-011',
  retry: 'C-032',
  notUpdated: 'N-031, N-032',
  neverUpdated: 'N-031',
  markPodsNotReady: 'N-033, N-034',
  taintQueue: 'N-035',
  taintIgnored: 'N-035',
  taintsRemoved: 'N-040',
  zoneState: 'N-035',
  masterDisruptionEnter: 'N-035',
  masterDisruptionExit: 'N-035',
  evictionSet: 'N-036',
  evictionFires: 'N-036',
  evictionCancelled: 'N-036',
  evictionsCancelled: 'N-036',
  orphan: 'N-037',
  outOfServicePod: 'N-037',
  unscheduledTerminating: 'N-037',
};

/** The rule that an event of `traces/workloads` follows from. */
export const ruleOfWorkloadEvent = (event: RecordedEvent | null): string => RULES[event?.type ?? ''] ?? 'section 5';
