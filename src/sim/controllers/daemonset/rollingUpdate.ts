import type { ApiPod } from '../../api/apiPod.ts';
import { type DaemonPlan, type DaemonView, isAvailable, isUpdated, type NodePods } from './daemonNodes.ts';
import type { Limits } from './limits.ts';
import { placementOn } from './placement.ts';

/** One node as an update sees it: its Pod of the present template and its older one; null: it has more than one of them. */
interface Seen {
  readonly node: string;
  readonly fresh: ApiPod | null;
  readonly old: ApiPod | null;
  readonly excess: boolean;
}

/** What an update does, and the old Pods that may go because they are not available anyway. */
export interface UpdatePlan extends DaemonPlan {
  readonly unavailable: readonly { readonly node: string; readonly pod: ApiPod }[];
}

/** The first `count` of `from`. */
const first = <T>(from: readonly T[], count: number): readonly T[] => from.slice(0, Math.max(0, count));

/**
 * What an update may do now; the order of `nodePods` decides which nodes come first. The error names a node that is not
 * known. Source: pkg/controller/daemon/update.go rollingUpdate.
 */
export function updatePlan(
  view: DaemonView,
  nodePods: NodePods,
  limits: Limits,
): UpdatePlan | { readonly error: string } {
  const seen = [...nodePods].map(([node, pods]) => seenOf(node, pods, view.hash));
  return limits.maxSurge === 0 ? deletingFirst(view, seen, limits) : creatingFirst(view, seen, limits);
}

function seenOf(node: string, pods: readonly ApiPod[], hash: string): Seen {
  const living = pods.filter(({ deletionTimestamp }) => deletionTimestamp === null);
  const fresh = living.filter((pod) => isUpdated(pod, hash));
  const old = living.filter((pod) => !isUpdated(pod, hash));
  if (fresh.length > 1 || old.length > 1) return { node, fresh: null, old: null, excess: true };
  return { node, fresh: fresh[0] ?? null, old: old[0] ?? null, excess: false };
}

/** A node whose only Pod is old. */
type Outdated = Seen & { readonly old: ApiPod };
const isOutdated = (one: Seen): one is Outdated => one.old !== null && one.fresh === null;

/** Without surge: old Pods go, as many as may be missing. */
function deletingFirst(view: DaemonView, seen: readonly Seen[], { maxUnavailable }: Limits): UpdatePlan {
  const outdated = seen.filter(isOutdated);
  const broken = outdated.filter(({ old }) => !isAvailable(old, view));
  const sound = outdated.filter(({ old }) => isAvailable(old, view));
  const served = seen.filter(({ fresh, old }) => fresh && !old && isAvailable(fresh, view));
  const missing = seen.length - served.length - sound.length;
  const gone = [...broken, ...first(sound, maxUnavailable - missing)];
  return {
    create: [],
    delete: gone.map(({ old }) => old),
    unavailable: broken.map(({ node, old }) => ({ node, pod: old })),
  };
}

/** With surge: new Pods come first, and old ones go when theirs is available. */
function creatingFirst(
  view: DaemonView,
  seen: readonly Seen[],
  { maxSurge }: Limits,
): UpdatePlan | { readonly error: string } {
  const placements = new Map(view.nodes.map((node) => [node.meta.name, placementOn(node, view.tolerations)]));
  const outdated = seen.filter(isOutdated);
  const unknown = outdated.find(({ node }) => !placements.has(node));
  if (unknown) return { error: `couldn't get node for nodeName "${unknown.node}": node "${unknown.node}" not found` };
  const staying = outdated.filter(({ node }) => placements.get(node)?.runs);
  const leaving = outdated.filter(({ node }) => !placements.get(node)?.runs);
  const isSound = ({ old }: Outdated): boolean => isAvailable(old, view);
  const doubled = seen.flatMap(({ fresh, old }) => (fresh && old ? [{ fresh, old }] : []));
  const replaced = doubled.filter(({ fresh }) => isAvailable(fresh, view));
  const surging = seen.filter(({ excess }) => excess).length + doubled.length - replaced.length;
  const serving = seen.filter(({ fresh, old }) => {
    const pod = old ?? fresh;
    return pod !== null && isAvailable(pod, view);
  });
  const desired = view.nodes.filter((node) => placements.get(node.meta.name)?.runs).length;
  const gone = [...leaving.filter((one) => !isSound(one)), ...first(leaving.filter(isSound), serving.length - desired)];
  const broken = staying.filter((one) => !isSound(one));
  const next = [...broken, ...first(staying.filter(isSound), maxSurge - surging)];
  return {
    create: next.map(({ node }) => node),
    delete: [...replaced, ...gone].map(({ old }) => old),
    unavailable: broken.map(({ node, old }) => ({ node, pod: old })),
  };
}
