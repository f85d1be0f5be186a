/** Whether a node can be reached: what a scenario does to its power and its network. */
import type { Micros } from '../base/units.ts';
import type { Scenario } from '../sim/scenario.ts';

/** Its power is off, or its network is cut; never '' (outside of the cluster). */
export function isUnreachable({ actions, cluster }: Scenario, node: string, t: Micros): boolean {
  const isCut = actions.some(
    (action) => action.do === 'cutNode' && action.node === node && action.at <= t && t < action.at + action.lasts,
  );
  const power = (cluster?.workloads?.actions ?? []).filter(
    (action) => (action.do === 'stopNode' || action.do === 'startNode') && action.node === node && action.at <= t,
  );
  const last = power.reduce<(typeof power)[number] | null>(
    (newest, action) => (newest === null || action.at >= newest.at ? action : newest),
    null,
  );
  return isCut || last?.do === 'stopNode';
}
