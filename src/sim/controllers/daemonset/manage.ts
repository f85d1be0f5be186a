import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import type { NodeObject } from '../../api/objects.ts';
import { type DaemonPlan, type DaemonView, isAvailable, isUpdated, type NodePods, oldestFirst } from './daemonNodes.ts';
import { allowsSurge } from './limits.ts';
import { placementOn } from './placement.ts';

/** Whether a failed Pod may go now. */
export type MayReplace = (pod: ApiPod, node: string) => boolean;

/**
 * Which nodes get a Pod, and which Pods are too many, ended or out of place.
 * Source: pkg/controller/daemon/daemon_controller.go manage, podsShouldBeOnNode, getUnscheduledPodsWithoutNode.
 */
export function managePlan(view: DaemonView, nodePods: NodePods, mayReplace: MayReplace): DaemonPlan {
  const plans = view.nodes.map((node) => planOn(node, view, nodePods.get(node.meta.name), mayReplace));
  const known = new Set(view.nodes.map(({ meta }) => meta.name));
  const lost = [...nodePods].flatMap(([node, pods]) =>
    known.has(node) ? [] : pods.filter(({ input }) => !input.node),
  );
  return {
    create: plans.flatMap(({ create }) => create),
    delete: [...plans.flatMap((plan) => plan.delete), ...lost],
  };
}

const NOTHING: DaemonPlan = { create: [], delete: [] };

function planOn(
  node: NodeObject,
  view: DaemonView,
  pods: readonly ApiPod[] | undefined,
  mayReplace: MayReplace,
): DaemonPlan {
  const { name } = node.meta;
  const { runs, stays } = placementOn(node, view.tolerations);
  if (runs && !pods) return { create: [name], delete: [] };
  const living = (pods ?? []).filter(({ deletionTimestamp }) => deletionTimestamp === null);
  if (!stays) return { ...NOTHING, delete: living };
  const ended = living.filter(({ status }) => status.phase === 'Failed' || status.phase === 'Succeeded');
  const gone = ended.filter((pod) => mayReplace(pod, name));
  const running = oldestFirst(living.filter((pod) => !ended.includes(pod)));
  if (!allowsSurge(view.set)) return { create: [], delete: [...gone, ...running.slice(1)] };
  const needed = running.length === 0 && runs;
  return { create: needed ? [name] : [], delete: [...gone, ...surplusOf(running, view)] };
}

/** With surge a node may have one old and one new Pod; the old one goes when it is not ready, or the new one available. */
function surplusOf(running: readonly ApiPod[], view: DaemonView): readonly ApiPod[] {
  if (running.length <= 1) return [];
  const fresh = running.find((pod) => isUpdated(pod, view.hash));
  const old = running.find((pod) => !isUpdated(pod, view.hash));
  const extra = running.filter((pod) => pod !== fresh && pod !== old);
  const isOver = fresh && old && (!isPodReady(old) || isAvailable(fresh, view));
  return isOver ? [...extra, old] : extra;
}
