import type { Answer } from '../api/client.ts';
import type { NodeObject } from '../api/objects.ts';
import type { LeaseObject } from '../api/workloadObjects.ts';
import type { Decision } from '../api/writes.ts';
import type { WorkloadClient } from '../controllers/workloads/client.ts';
import type { WorkloadContext } from '../controllers/workloads/context.ts';
import { writeNode } from '../controllers/workloads/nodeWrites.ts';
import type { Task } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';

const LEASES = 'kube-node-lease';

/** Writes the node's Lease, with its clock of now (N-030). */
export function renewLease(
  { store, kernel, wall }: WorkloadContext,
  client: WorkloadClient,
  node: string,
  cause: Ref,
): Task<Answer<LeaseObject>> {
  const key = `${LEASES}/${node}`;
  const verb = store.get('leases', key) ? 'update' : 'create';
  const renewTime = wall.epoch + kernel.now;
  return client.call(verb, 'leases', '', node, cause, undefined, (ref): Decision<LeaseObject> => {
    const { meta } = store.get('leases', key) ?? { meta: leaseMeta(node, wall.seconds(kernel.now)) };
    const make = (resourceVersion: number): LeaseObject => ({ meta: { ...meta, resourceVersion }, renewTime });
    store.put('leases', key, make, ref);
    const object = store.get('leases', key) as LeaseObject;
    return { code: 200, object, resourceVersion: store.lastRevision, noop: false };
  });
}

const leaseMeta = (node: string, creationTimestamp: number): LeaseObject['meta'] => ({
  namespace: LEASES,
  name: node,
  generateName: '',
  uid: `${LEASES}-${node}`,
  resourceVersion: 0,
  generation: 0,
  labels: {},
  annotations: {},
  creationTimestamp,
  deletionTimestamp: null,
  ownerUid: '',
  ownerName: '',
});

/** Writes whether the node is ready into its status, with a heartbeat of now (N-030). */
export function reportReady(
  context: WorkloadContext,
  client: WorkloadClient,
  node: string,
  isReady: boolean,
  cause: Ref,
): Task<Answer<NodeObject>> {
  const { kernel, wall } = context;
  const now = wall.seconds(kernel.now);
  const ready = isReady ? 'True' : 'False';
  const readyReason = isReady ? 'KubeletReady' : 'KubeletNotReady';
  const change = (stored: NodeObject): NodeObject => {
    const lastTransitionTime = stored.ready === ready ? stored.lastTransitionTime : now;
    return { ...stored, ready, readyReason, lastHeartbeatTime: now, lastTransitionTime };
  };
  return writeNode(context, client, { verb: 'patch', subresource: 'status', name: node, read: null, change }, cause);
}
