import { formatDuration, formatInstant } from '../../base/format.ts';
import type { LogTexts } from './logs.ts';

const failed: LogTexts[string] = ({ error }) => `the sync failed: ${error}`;
const isReady: LogTexts[string] = ({ pod }) => `waits until ${pod} is Ready`;
const isAvailable: LogTexts[string] = ({ pod }) => `waits until ${pod} is available`;
const isGone: LogTexts[string] = ({ pod }) => `waits until ${pod} is gone`;

/** What controllers of workloads and nodes log, as phrases. */
export const LOGS: LogTexts = {
  tooFew: ({ need, creating }) => `needs ${need} Pods and creates ${creating}`,
  tooMany: ({ need, deleting }) => `needs ${need} Pods and deletes ${deleting}`,
  slowStartFailure: ({ podsSkipped }) => `a creation failed, ${podsSkipped} more are not tried in this sync`,
  scaledDownOld: ({ count }) => `takes ${count} from old ReplicaSets`,
  cleanedUpUnhealthy: ({ count }) => `takes ${count} that are not ready from old ReplicaSets`,
  progressCheckIn: ({ queueAfter }) => `looks at the progress again in ${queueAfter} s`,
  retry: failed,
  syncError: failed,
  staleCache: ({ resource, read, written }) =>
    `waits for its cache: that shows resourceVersion ${read} of ${resource}, and it has written ${written}`,
  waitReady: isReady,
  waitReadyScaleDown: isReady,
  waitAvailable: isAvailable,
  waitAvailableScaleDown: isAvailable,
  waitTerminate: isGone,
  waitTerminateScaleDown: isGone,
  scaleDown: ({ pod }) => `deletes ${pod}, of which there are too many`,
  update: ({ pod }) => `deletes ${pod} for the update`,
  updateUnavailable: ({ pod }) => `deletes ${pod} for the update: it is unavailable already`,
  unavailable: ({ pod, unavailableReplicas }) => `${unavailableReplicas} unavailable, ${pod} the first`,
  overMaxUnavailable: ({ unavailablePods, maxUnavailable }) =>
    `deletes nothing: ${unavailablePods} are unavailable, maxUnavailable is ${maxUnavailable}`,
  limits: ({ maxSurge, maxUnavailable }) => `maxSurge ${maxSurge}, maxUnavailable ${maxUnavailable}`,
  limitsBothZero: () => 'maxSurge and maxUnavailable both come to 0',
  replaceUnavailable: ({ pod, node }) => `replaces ${pod} on ${node}, which is unavailable already`,
  failedPodBackoff: ({ pod, currentDelayUs }) =>
    `${pod} has failed; another comes after ${formatDuration(Number(currentDelayUs))}`,
  killFailedPod: ({ pod, node }) => `deletes ${pod} on ${node}, which has failed`,
  notUpdated: ({ elapsedUs }) => `nothing heard of it for ${formatDuration(Number(elapsedUs))}: Ready becomes Unknown`,
  neverUpdated: () => 'it has never reported a status',
  markPodsNotReady: () => 'its Pods are marked not ready',
  taintQueue: () => 'waits for its NoExecute taint',
  taintsRemoved: () => 'loses its NoExecute taints',
  zoneState: ({ zone, newState }) => `zone ${zone === '' ? 'of nodes without one' : zone}: ${newState}`,
  masterDisruptionEnter: () => 'no node reports any more: nothing is tainted or evicted',
  masterDisruptionExit: () => 'a node reports again: taints and evictions go on',
  nodeDeleted: () => 'the node is deleted',
  evictionSet: ({ firedTimeUs }) => `is to be deleted at ${formatInstant(Number(firedTimeUs))}`,
  evictionFires: () => 'is deleted: its toleration of the taint has run out',
  evictionCancelled: () => 'is not deleted: the taint is gone',
  evictionsCancelled: () => 'its Pods may stay: the taint is gone',
  orphan: ({ pod, node }) => `deletes ${pod}: there is no node ${node}`,
  outOfServicePod: () => 'deletes it: its node is out of service',
  unscheduledTerminating: () => 'deletes it: it ends and never had a node',
};
