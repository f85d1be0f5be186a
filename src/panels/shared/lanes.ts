/** The groups and lanes of a run, and which are in view. */
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { ViewState } from '../../state/viewStore.ts';
import { buildGroups } from '../../timeline/model/buildGroups.ts';
import type { Lane, LaneGroup } from '../../timeline/model/marks.ts';

const groups = new WeakMap<FinishedRun, readonly LaneGroup[]>();
/** All groups of a run; worked out once. */
export function groupsOf(run: FinishedRun): readonly LaneGroup[] {
  const known = groups.get(run);
  if (known !== undefined) return known;
  const built = buildGroups(run);
  groups.set(run, built);
  return built;
}

/** With several Pods only the first comes unfolded; with many none does. Of several kube-proxies the first does. */
const FEW_PODS = 4;

/** Whether a group is folded: by hand, else as it comes. */
export function isFolded(
  { scenario: { pods, cluster } }: FinishedRun,
  folds: ViewState['folds'],
  groupId: string,
): boolean {
  const byHand = folds.get(groupId);
  if (byHand !== undefined) return byHand;
  if (groupId.startsWith('proxy|')) return cluster !== null && groupId !== `proxy|${cluster.proxies[0]?.name}`;
  if (pods.length < 2 || !groupId.startsWith('pod|')) return false;
  return pods.length > FEW_PODS || groupId !== `pod|${pods[0]?.identity}`;
}

/** Lanes of the unfolded groups, top to bottom. */
export const shownLanes = (run: FinishedRun, folds: ViewState['folds']): readonly Lane[] =>
  groupsOf(run).flatMap((group) => (isFolded(run, folds, group.id) ? [] : group.lanes()));
