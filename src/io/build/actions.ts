import { micros, seconds } from '../../base/units.ts';
import type { Action } from '../../sim/scenario.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { ActionEntry } from '../schema/action.ts';
import type { Settings } from '../settings.ts';
import { nodesOf, type PlacedPod, placedPods, podsMeant } from './placedPods.ts';

/** The actions of the Scenario document, one for each Pod or node that an entry means. */
export function actionsOf(parsed: ParsedText, settings: Settings): Action[] {
  const entries = parsed.scenario?.actions ?? [];
  if (entries.length === 0) return [];
  const pods = placedPods(parsed, settings);
  return entries.flatMap((entry) => {
    const { do: what } = entry;
    if (what !== 'restartKubelet') return podsMeant(entry, pods).map((pod) => podAction(entry, what, pod));
    const down = seconds(entry.down ?? 0);
    const nodes = entry.node === undefined ? nodesOf(parsed) : [entry.node];
    return nodes.map((node): Action => ({ at: instant(entry), do: what, node, down }));
  });
}

const instant = ({ at }: ActionEntry): Action['at'] => micros(seconds(at));

type PodAction = Exclude<ActionEntry['do'], 'restartKubelet'>;

function podAction(entry: ActionEntry, what: PodAction, { identity }: PlacedPod): Action {
  const about = { at: instant(entry), pod: identity };
  switch (what) {
    case 'deletePod':
      return { ...about, do: what, graceSeconds: entry.graceSeconds ?? null };
    case 'patchCondition':
      return { ...about, do: what, condition: entry.condition ?? '', status: entry.status ?? 'False' };
    case 'labelPod':
    case 'removeStaticPod':
      return { ...about, do: what };
  }
}
