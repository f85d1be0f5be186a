import type { ApiPod } from '../../api/apiPod.ts';
import { keyOf, type NodeObject } from '../../api/objects.ts';
import type { ControllerRevisionObject, DaemonSetObject } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadClient } from '../workloads/client.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import { type DaemonPlan, type DaemonView, nodePodsOf } from './daemonNodes.ts';
import type { DaemonPods } from './daemonPods.ts';
import { cleanUpHistory } from './daemonSetHistory.ts';
import { limitsOf } from './limits.ts';
import { type MayReplace, managePlan } from './manage.ts';
import { daemonTolerations, placementOn } from './placement.ts';
import { updatePlan } from './rollingUpdate.ts';

/** What a sync of a DaemonSet works with. */
export interface SyncTools {
  readonly context: WorkloadContext;
  readonly client: WorkloadClient;
  readonly daemonPods: DaemonPods;
  /** The set's Pods as the cache has them at the call. */
  readonly pods: () => readonly ApiPod[];
  /** Whether the cache shows all that was asked for. */
  readonly isSettled: () => boolean;
  readonly mayReplace: MayReplace;
  readonly log: (message: string, values: object) => void;
  readonly ref: Ref;
}

/** The set as a pass sees it now. */
export const viewOf = (
  { kernel, wall }: WorkloadContext,
  set: DaemonSetObject,
  nodes: readonly NodeObject[],
): DaemonView => ({
  set,
  hash: set.spec.template.hash,
  nodes,
  tolerations: daemonTolerations(set),
  clock: { now: kernel.now, wall },
});

/**
 * Sees that every node has its Pod, then moves on with an update, then drops old revisions; the result is the error, ''
 * when all went well. Source: pkg/controller/daemon/daemon_controller.go updateDaemonSet.
 */
export function* syncPods(
  set: DaemonSetObject,
  nodes: readonly NodeObject[],
  old: readonly ControllerRevisionObject[],
  tools: SyncTools,
): Task<string> {
  const { context, client, daemonPods, ref, mayReplace } = tools;
  const view = viewOf(context, set, nodes);
  const drawn = inDrawnOrder(context, set, managePlan(view, nodePodsOf(tools.pods()), mayReplace));
  const managed = yield* daemonPods.carryOut(set, drawn, ref);
  if (managed) return managed;
  if (tools.isSettled() && set.spec.updateStrategy === 'RollingUpdate') {
    const updated = yield* update(set, nodes, tools);
    if (updated) return updated;
  }
  return yield* cleanUpHistory(client, set, tools.pods(), old, ref);
}

function* update(set: DaemonSetObject, nodes: readonly NodeObject[], tools: SyncTools): Task<string> {
  const { context, daemonPods, log, ref } = tools;
  const view = viewOf(context, set, nodes);
  const wanted = nodes.filter((node) => placementOn(node, view.tolerations).runs).map(({ meta }) => meta.name);
  const limits = limitsOf(set, wanted.length);
  const isImpossible = wanted.length > 0 && limits.maxSurge === 0 && limits.maxUnavailable === 0;
  if (isImpossible) log('limitsBothZero', {});
  const used = isImpossible ? { ...limits, maxUnavailable: 1 } : limits;
  log('limits', used);
  const held = nodePodsOf(tools.pods());
  const names = [...new Set([...held.keys(), ...wanted])].sort();
  const plan = (order: readonly string[]) =>
    updatePlan(view, new Map(order.map((name) => [name, held.get(name) ?? []])), used);
  const sorted = plan(names);
  if ('error' in sorted) return sorted.error;
  for (const { node, pod } of sorted.unavailable) log('replaceUnavailable', { pod: pod.input.name, node });
  const isIdle = sorted.create.length === 0 && sorted.delete.length === 0;
  const drawn = isIdle ? sorted : plan(drawOrder(context, set, names));
  return 'error' in drawn ? drawn.error : yield* daemonPods.carryOut(set, drawn, ref);
}

/** The nodes as Go's map gives them: chance decides which come first. */
const drawOrder = (
  { draws, kernel }: WorkloadContext,
  set: DaemonSetObject,
  nodes: readonly string[],
): readonly string[] => draws.order(`daemonset/nodes/${keyOf(set)}`, kernel.now, nodes);

/** The plan with its nodes in the order in which the cache lists them. */
function inDrawnOrder(context: WorkloadContext, set: DaemonSetObject, plan: DaemonPlan): DaemonPlan {
  const nodeOf = ({ input }: ApiPod): string => input.node || input.target;
  const nodes = [...new Set([...plan.create, ...plan.delete.map(nodeOf)])].sort();
  if (nodes.length === 0) return plan;
  const order = drawOrder(context, set, nodes);
  return {
    create: plan.create.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    delete: plan.delete.toSorted((a, b) => order.indexOf(nodeOf(a)) - order.indexOf(nodeOf(b))),
  };
}
