import { type ApiPod, readyConditionOf } from '../../api/apiPod.ts';
import { conflict } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadClient } from '../workloads/client.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import type { WorkloadEvents } from '../workloads/events.ts';

interface Marker {
  readonly context: WorkloadContext;
  readonly client: WorkloadClient;
  readonly events: WorkloadEvents;
}

/**
 * Sets Ready to False on Pods of a node that is lost, one after the other; true when all went well (N-033). The order of
 * several is that of a Go map: drawn.
 * Source: pkg/controller/util/node/controller_utils.go MarkPodsNotReady.
 */
export function* markPodsNotReady(marker: Marker, node: string, pods: readonly ApiPod[], ref: Ref): Task<boolean> {
  let isDone = true;
  for (const pod of inDrawnOrder(marker.context, node, pods.filter(isMarked)))
    isDone = (yield* markPod(marker, pod, ref)) && isDone;
  return isDone;
}

/** A Pod without the condition stays without it. */
const isMarked = (pod: ApiPod): boolean => (readyConditionOf(pod)?.status ?? 'False') !== 'False';

function inDrawnOrder({ draws, kernel }: WorkloadContext, node: string, pods: readonly ApiPod[]): readonly ApiPod[] {
  if (pods.length < 2) return pods;
  const byName = new Map(pods.map((pod) => [pod.input.name, pod]));
  const names = draws.order(`nodelifecycle/podMarks/${node}`, kernel.now, [...byName.keys()]);
  return names.flatMap((name) => byName.get(name) ?? []);
}

function* markPod({ context, client, events }: Marker, pod: ApiPod, ref: Ref): Task<boolean> {
  const now = context.wall.seconds(context.kernel.now);
  const answer = yield* client.changePod('update', 'status', pod, ref, (stored) => {
    if (stored.resourceVersion !== pod.resourceVersion) return conflict('pods', pod.input.name);
    const conditions = stored.status.conditions.map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'False' as const, lastTransitionTime: now } : condition,
    );
    return { ...stored, status: { ...stored.status, conditions } };
  });
  const isGone = 'error' in answer && answer.code === 404;
  const { identity, uid, name } = pod.input;
  if (!isGone) events.warn({ kind: 'Pod', key: identity, uid, name }, 'NodeNotReady', 'Node is not ready', ref);
  return isGone || !('error' in answer);
}
