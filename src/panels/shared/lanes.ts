/** The groups and lanes of a run, and which are in view. */
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { ViewState } from '../../state/viewStore.ts';
import { buildGroups } from '../../timeline/model/buildGroups.ts';
import { detailsId, lanesOf, unfolded } from '../../timeline/model/layout.ts';
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

/** With several Pods only the first comes unfolded; with many, and where controllers make them, none does, and no endpoint of many, nor of one. Of several kube-proxies the first does. */
const FEW_PODS = 4;

/** Whether a group, its details or a lane with parts is folded: by hand, else as it comes. Details come folded, channels
 * of a syncLoop, what the controllers do, and nodes that are Ready throughout. */
export function isFolded(run: FinishedRun, folds: ViewState['folds'], id: string): boolean {
  const { pods, cluster } = run.scenario;
  const byHand = folds.get(id);
  if (byHand !== undefined) return byHand;
  if (id.startsWith('details|') || id.startsWith('syncLoop|') || id.startsWith('controllers|')) return true;
  if (id.startsWith('node|')) return !hasTrouble(run, id);
  if (id.startsWith('endpointSlices|')) return pods.length > FEW_PODS || pods.length === 1;
  if (id.startsWith('proxy|')) return cluster !== null && id !== `proxy|${cluster.proxies[0]?.name}`;
  if (pods.length < 2 || !id.startsWith('pod|')) return false;
  return pods.length > FEW_PODS || cluster?.workloads != null || id !== `pod|${pods[0]?.identity}`;
}

/** Folds of a run that opens with the eyes on a Pod, by identity: where only the first comes unfolded, that one is in its stead. Null: the first. */
export function foldsFor(run: FinishedRun, pod: string | null): ViewState['folds'] {
  const first = run.scenario.pods[0]?.identity;
  const none = new Map<string, boolean>();
  if (pod === null || first === undefined || pod === first || isFolded(run, none, `pod|${first}`)) return none;
  return new Map([
    [`pod|${first}`, true],
    [`pod|${pod}`, false],
  ]);
}

/** Whether a node is ever not Ready. */
const hasTrouble = (run: FinishedRun, id: string): boolean =>
  groupsOf(run)
    .find((group) => group.id === id)
    ?.summary()
    .some(({ pattern }) => pattern === 'notYet' || pattern === 'unknown') ?? false;

/** Lanes in view, top to bottom: those of the unfolded groups, with the parts of unfolded lanes. */
export const shownLanes = (run: FinishedRun, folds: ViewState['folds']): readonly Lane[] =>
  unfolded(
    groupsOf(run).flatMap((group) =>
      isFolded(run, folds, group.id) ? [] : lanesOf(group, (id) => isFolded(run, folds, id)),
    ),
    (id) => isFolded(run, folds, id),
  );

/** Ids of the groups, details and lanes that are folded. */
export function foldedIds(run: FinishedRun, folds: ViewState['folds']): ReadonlySet<string> {
  const groupIds = groupsOf(run).flatMap((group) => [group.id, detailsId(group)]);
  const lanesWithParts = shownLanes(run, folds).filter(({ parts }) => parts.length > 0);
  return new Set([...groupIds, ...lanesWithParts.map(({ id }) => id)].filter((id) => isFolded(run, folds, id)));
}
