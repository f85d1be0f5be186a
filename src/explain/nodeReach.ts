/** Whether a node is in touch with the others: what a scenario does to its power, its network and its kubelet. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { Scenario } from '../sim/scenario.ts';

/** `off`: no power. `cut`: nobody reaches it. `apiCut`: it does not reach the API server. `kubeletDown`: it runs without a kubelet. */
export type Trouble = 'off' | 'cut' | 'apiCut' | 'kubeletDown';

/** A stretch in which the control plane hears nothing of a node; `until` is exclusive, null: to the run's end. */
export interface NodeTrouble {
  readonly trouble: Trouble;
  readonly since: Micros;
  readonly until: Micros | null;
}

const CUTS = { cutNode: 'cut', cutApi: 'apiCut', restartKubelet: 'kubeletDown' } as const;

/** All stretches of a node, the worst kind of trouble first. */
export const nodeTroubles = (scenario: Scenario, node: string): readonly NodeTrouble[] => troublesOf(scenario)(node);

const troublesOf = memoizedWeakly((scenario: Scenario) => memoized((node: string) => troublesIn(scenario, node)));

function troublesIn({ actions, cluster }: Scenario, node: string): readonly NodeTrouble[] {
  const power = (cluster?.workloads?.actions ?? []).filter((action) => 'node' in action && action.node === node);
  const off = power.flatMap((action): readonly NodeTrouble[] => {
    if (action.do !== 'stopNode') return [];
    const back = power.filter(({ do: what, at }) => what === 'startNode' && at > action.at).map(({ at }) => at);
    return [{ trouble: 'off', since: action.at, until: back.length === 0 ? null : (Math.min(...back) as Micros) }];
  });
  const cuts = actions.flatMap((action): readonly NodeTrouble[] => {
    if (action.do !== 'cutNode' && action.do !== 'cutApi' && action.do !== 'restartKubelet') return [];
    if (action.node !== node) return [];
    const lasts = action.do === 'restartKubelet' ? action.down : action.lasts;
    return [{ trouble: CUTS[action.do], since: action.at, until: (action.at + lasts) as Micros }];
  });
  const order = ['off', ...Object.values(CUTS)];
  return [...off, ...cuts].sort((a, b) => order.indexOf(a.trouble) - order.indexOf(b.trouble) || a.since - b.since);
}

/** What keeps the control plane from hearing of a node at `t`; null when nothing does. */
export const nodeTroubleAt = (scenario: Scenario, node: string, t: Micros): NodeTrouble | null =>
  nodeTroubles(scenario, node).find(({ since, until }) => since <= t && (until === null || t < until)) ?? null;

/** Its power is off, or its network is cut; never '' (outside of the cluster). */
export function isUnreachable(scenario: Scenario, node: string, t: Micros): boolean {
  const trouble = nodeTroubleAt(scenario, node, t)?.trouble;
  return trouble === 'off' || trouble === 'cut';
}
