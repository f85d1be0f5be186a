/** Wrong edits of the StatefulSet, DaemonSet and disruption controllers, and of evictions. */
import { type Edit, edit } from './edit.ts';

export const WORKLOAD_EDITS: readonly Edit[] = [
  edit(
    'N-022',
    'OrderedReady goes on before the Pod that it created is ready',
    'controllers/statefulset/statefulSetSync.ts',
    "error !== '' || ordered ? after(error) : GO",
    "error !== '' ? after(error) : GO",
  ),
  edit(
    'N-022',
    'a StatefulSet update does not count the Pods that are missing already',
    'controllers/statefulset/rollForward.ts',
    'Math.max(0, most - unavailable.length)',
    'most',
  ),
  edit(
    'N-022',
    'a StatefulSet scales down from the lowest surplus Pod',
    'controllers/statefulset/replicas.ts',
    'b.ordinal - a.ordinal',
    'a.ordinal - b.ordinal',
  ),
  edit(
    'N-022',
    'a DaemonSet update does not count the nodes that are without already',
    'controllers/daemonset/rollingUpdate.ts',
    'maxUnavailable - missing',
    'maxUnavailable',
  ),
  edit(
    'N-022',
    'a DaemonSet update with surge does not count the nodes that have two Pods already',
    'controllers/daemonset/rollingUpdate.ts',
    'maxSurge - surging',
    'maxSurge',
  ),
  edit(
    'C-014',
    'an eviction is granted when the budget allows none',
    'world/eviction.ts',
    'disruptionsAllowed <= 0',
    'disruptionsAllowed < 0',
  ),
  edit(
    'C-014',
    'a Pod that is being deleted counts as healthy',
    'controllers/disruption/budgetCounts.ts',
    'pod.deletionTimestamp === null && !(pod.input.name in disrupted)',
    '!(pod.input.name in disrupted)',
  ),
  edit(
    'N-020',
    'versions before 1.36 wait for their own writes too',
    'controllers/workloads/setSync.ts',
    'context.minor >= WAITS_FOR_OWN_WRITES_SINCE ? watched : []',
    'watched',
  ),
];
