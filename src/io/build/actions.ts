import { micros, seconds } from '../../base/units.ts';
import type { Action } from '../../sim/scenario.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { type ActionEntry, isNodeAction, type NodeActionName } from '../schema/action.ts';
import type { Settings } from '../settings.ts';
import { nodesOf, type PlacedPod, placedPods, podsMeant } from './placedPods.ts';

/** The actions of the Scenario document, one for each Pod or node that an entry means. */
export function actionsOf(parsed: ParsedText, settings: Settings): Action[] {
  const entries = parsed.scenario?.actions ?? [];
  if (entries.length === 0) return [];
  const pods = placedPods(parsed, settings);
  return entries.flatMap((entry) => {
    const { do: what } = entry;
    if (!isNodeAction(what)) return podsMeant(entry, pods).map((pod) => podAction(entry, what, pod));
    const nodes = entry.node === undefined ? nodesOf(parsed) : [entry.node];
    return nodes.map((node) => nodeAction(entry, what, node));
  });
}

const instant = ({ at }: ActionEntry): Action['at'] => micros(seconds(at));

function nodeAction(entry: ActionEntry, what: NodeActionName, node: string): Action {
  const about = { at: instant(entry), node };
  if (what === 'restartKubelet') return { ...about, do: what, down: seconds(entry.down ?? 0) };
  return { ...about, do: what, lasts: seconds(entry.lasts ?? 0) };
}

/** pkg/kubelet/eviction/eviction_manager.go, immediateEvictionGracePeriodSeconds. */
const HARD_EVICTION_GRACE_SECONDS = 1;

type PodAction = Exclude<ActionEntry['do'], NodeActionName>;

function podAction(entry: ActionEntry, what: PodAction, { identity }: PlacedPod): Action {
  const about = { at: instant(entry), pod: identity };
  switch (what) {
    case 'deletePod':
      return { ...about, do: what, graceSeconds: entry.graceSeconds ?? null };
    case 'evictPod':
      return { ...about, do: what, graceSeconds: entry.graceSeconds ?? HARD_EVICTION_GRACE_SECONDS };
    case 'patchCondition':
      return { ...about, do: what, condition: entry.condition ?? '', status: entry.status ?? 'False' };
    case 'labelPod':
    case 'removeStaticPod':
      return { ...about, do: what };
  }
}
