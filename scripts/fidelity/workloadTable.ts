/** How true the simulator is to each rule about workloads, the scheduler and nodes. */
import { exact, type FidelityRow, near } from './row.ts';

export const WORKLOAD_FIDELITY: Readonly<Record<string, FidelityRow>> = {
  'N-001': near(
    'A created Pod is bound one scheduling cycle later; one that fits nowhere waits for an event or its back-off.',
    'filters: taints, unschedulable, number of Pods; score: fewest Pods of the owner, then of all',
  ),
  'N-010': exact('maxSurge is rounded up and maxUnavailable down; where both come to 0, one Pod may be away.'),
  'N-011': exact('One pass of a Deployment scales up or down, never both.'),
  'N-012': exact('Pods that end are not counted: their replacements start at once.'),
  'N-013': exact('Available is what has been Ready for minReadySeconds, by the clock of the controller.'),
  'N-014': exact('A Deployment without progress for progressDeadlineSeconds says so, and goes on.'),
  'N-020': exact('A ReplicaSet creates in growing batches, and acts again when it has seen what it did.'),
  'N-021': near('Which Pod of a ReplicaSet goes first.', 'Pods that compare equal are drawn'),
  'N-022': near(
    'A StatefulSet goes in order, a DaemonSet node by node, each within its maxUnavailable.',
    'no volume claims, no Jobs',
  ),
  'N-030': near(
    'A kubelet renews its Lease every 10 s and sends the status of its node every 5 min.',
    'no first tries',
  ),
  'N-031': exact('A node is given up when nothing has been heard of it for 50 s, 40 s before 1.32.'),
  'N-032': near('Before a node is given up, the Lease is read once more.', 'a read that fails is not modelled'),
  'N-033': exact('A node that is given up is Unknown, and each of its Pods is marked not Ready.'),
  'N-034': exact('Only a node that falls silent marks its Pods; one that says it is not ready does not.'),
  'N-035': exact('Nodes are tainted at a rate; a zone or a cluster that is down as a whole slows or stops that.'),
  'N-036': exact('A tainted Pod is evicted when the shortest of its tolerations that fit is over.'),
  'N-037': near(
    'A Pod of a node that is gone stays until the node is back or its object is deleted.',
    'no limit of Pods that have ended',
  ),
  'N-040': exact('A node that is back makes its Pods Ready again with its next look at their status.'),
};
