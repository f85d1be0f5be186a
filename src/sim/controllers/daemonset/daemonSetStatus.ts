import { isPodReady } from '../../api/apiPod.ts';
import type { DaemonSetObject } from '../../api/workloadObjects.ts';
import { type DaemonView, isAvailable, isUpdated, type NodePods, oldestFirst } from './daemonNodes.ts';
import { placementOn } from './placement.ts';

export type DaemonSetStatus = DaemonSetObject['status'];

/**
 * The status that nodes and Pods make; of a node's Pods the oldest counts. The observed generation stays.
 * Source: pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus.
 */
export function statusOf(view: DaemonView, nodePods: NodePods): DaemonSetStatus {
  const firstOn = (node: string) => oldestFirst(nodePods.get(node) ?? [])[0];
  const runs = view.nodes.filter((node) => placementOn(node, view.tolerations).runs);
  const counted = runs.flatMap(({ meta }) => firstOn(meta.name) ?? []);
  const misplaced = view.nodes.filter((node) => !runs.includes(node) && firstOn(node.meta.name));
  const available = counted.filter((pod) => isAvailable(pod, view)).length;
  return {
    observedGeneration: view.set.status.observedGeneration,
    currentNumberScheduled: counted.length,
    numberMisscheduled: misplaced.length,
    desiredNumberScheduled: runs.length,
    numberReady: counted.filter(isPodReady).length,
    updatedNumberScheduled: counted.filter((pod) => isUpdated(pod, view.hash)).length,
    numberAvailable: available,
    numberUnavailable: runs.length - available,
  };
}

/** Whether a status says something new, or the set's generation has not been observed (storeDaemonSetStatus). */
export const isNews = ({ meta, status: before }: DaemonSetObject, now: DaemonSetStatus): boolean =>
  before.desiredNumberScheduled !== now.desiredNumberScheduled ||
  before.currentNumberScheduled !== now.currentNumberScheduled ||
  before.numberMisscheduled !== now.numberMisscheduled ||
  before.numberReady !== now.numberReady ||
  before.updatedNumberScheduled !== now.updatedNumberScheduled ||
  before.numberAvailable !== now.numberAvailable ||
  before.numberUnavailable !== now.numberUnavailable ||
  before.observedGeneration < meta.generation;
