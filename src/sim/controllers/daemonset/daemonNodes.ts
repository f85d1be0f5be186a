import type { ApiPod } from '../../api/apiPod.ts';
import type { NodeObject, Toleration } from '../../api/objects.ts';
import { isTerminal } from '../../api/podStatus.ts';
import { type DaemonSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import { type AvailabilityClock, untilAvailable } from '../workloads/pods.ts';

/** Pods of a DaemonSet by the node that they run on or are meant for. */
export type NodePods = ReadonlyMap<string, readonly ApiPod[]>;

/** What a pass goes by: the set, the hash of its present template, its nodes, and the instant at which Pods are judged. */
export interface DaemonView {
  readonly set: DaemonSetObject;
  readonly hash: string;
  readonly nodes: readonly NodeObject[];
  readonly tolerations: readonly Toleration[];
  readonly clock: AvailabilityClock;
}

/** Pods that ended and are being deleted do not count any more (getNodesToDaemonPods). */
export function nodePodsOf(pods: readonly ApiPod[]): NodePods {
  const byNode = new Map<string, ApiPod[]>();
  for (const pod of pods) {
    if (isTerminal(pod.status.phase) && pod.deletionTimestamp !== null) continue;
    const node = pod.input.node || pod.input.target;
    const known = byNode.get(node) ?? [];
    byNode.set(node, known);
    known.push(pod);
  }
  return byNode;
}

export const isUpdated = ({ labels }: ApiPod, hash: string): boolean =>
  labels[WORKLOAD.controllerRevisionHash] === hash;

export const isAvailable = (pod: ApiPod, { set, clock }: DaemonView): boolean =>
  untilAvailable(pod, set.spec.minReadySeconds, clock) === 0;

/** Bound ones first, then the older, then by name (podByCreationTimestampAndPhase). */
export const oldestFirst = (pods: readonly ApiPod[]): readonly ApiPod[] =>
  pods.toSorted(
    (a, b) =>
      Number(b.input.node !== '') - Number(a.input.node !== '') ||
      a.creationTimestamp - b.creationTimestamp ||
      (a.input.name < b.input.name ? -1 : 1),
  );

/** What a pass does: nodes that get a Pod, Pods that go. */
export interface DaemonPlan {
  readonly create: readonly string[];
  readonly delete: readonly ApiPod[];
}
