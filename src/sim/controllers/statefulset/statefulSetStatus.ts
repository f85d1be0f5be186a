import type { ApiPod } from '../../api/apiPod.ts';
import type { StatefulSetObject } from '../../api/workloadObjects.ts';
import { isAvailable, isRunningAndReady, type Judged, podRevision } from './replicas.ts';

export type StatefulSetStatus = StatefulSetObject['status'];

/** The status that the Pods make (updateStatus). */
export function statusOf(judged: Judged, pods: readonly ApiPod[]): StatefulSetStatus {
  const { set, current, update } = judged;
  const held = pods.map((pod) => ({ name: pod.input.name, ordinal: 0, pod, revision: podRevision(pod) }));
  const ready = held.filter(isRunningAndReady);
  const staying = held.filter(({ pod }) => pod.deletionTimestamp === null);
  const of = (revision: string): number => staying.filter((one) => one.revision === revision).length;
  return {
    observedGeneration: set.meta.generation,
    replicas: held.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((one) => isAvailable(one, judged)).length,
    currentReplicas: of(current.meta.name),
    updatedReplicas: of(update.meta.name),
    currentRevision: current.meta.name,
    updateRevision: update.meta.name,
    collisionCount: set.status.collisionCount,
  };
}

/** An update is over when all replicas are there, updated and ready (completeUpdate). */
export function completed({ spec: { replicas } }: StatefulSetObject, status: StatefulSetStatus): StatefulSetStatus {
  const isComplete =
    status.updatedReplicas === replicas && status.readyReplicas === replicas && status.replicas === replicas;
  if (!isComplete) return status;
  return { ...status, currentReplicas: status.updatedReplicas, currentRevision: status.updateRevision };
}

/** Whether a status says something new (inconsistentStatus). */
export const isNews = ({ status: before }: StatefulSetObject, now: StatefulSetStatus): boolean =>
  now.observedGeneration > before.observedGeneration ||
  now.replicas !== before.replicas ||
  now.currentReplicas !== before.currentReplicas ||
  now.readyReplicas !== before.readyReplicas ||
  now.updatedReplicas !== before.updatedReplicas ||
  now.currentRevision !== before.currentRevision ||
  now.availableReplicas !== before.availableReplicas ||
  now.updateRevision !== before.updateRevision;
