/** Which path of a Pod the budget shows: the way out once it has begun, else the way in. */
import { greatest, least } from 'd3-array';
import { memoized, memoizedWeakly } from '../../base/memoized.ts';
import type { Micros } from '../../base/units.ts';
import { endpointHistoriesOf } from '../../explain/endpointHistory.ts';
import { type Budget, joiningBudget, leavingBudget } from '../../explain/hops.ts';
import { type PodPath, pathOf } from '../../explain/path.ts';
import type { PodInput } from '../../sim/scenario.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';

const pathsOfPod = memoizedWeakly((run: FinishedRun) =>
  memoized((pod: PodInput): readonly PodPath[] =>
    endpointHistoriesOf(run.reader, pod.uid).flatMap(({ service, port }) => {
      const path = port === null ? null : pathOf(run, pod, service, port);
      return path === null ? [] : [path];
    }),
  ),
);

/** Both ways of the first Service port of which there is something to tell: in by the node that is served first, out by the one that lets go last. */
const budgetsOf = memoizedWeakly((run: FinishedRun) =>
  memoized((pod: PodInput): readonly Budget[] => {
    const { horizon } = run.reader.data;
    const nodes = [...new Set((run.scenario.cluster?.proxies ?? []).map(({ node }) => node))];
    for (const path of pathsOfPod(run)(pod)) {
      const of = (make: typeof joiningBudget): readonly Budget[] =>
        nodes.map((node) => make(path, node, horizon)).filter((budget) => budget !== null);
      const ways = of(joiningBudget);
      const asked = ways.filter(({ hops }) => hops.some(({ hop }) => hop === 7));
      const joining = least(asked.length > 0 ? asked : ways, endOf);
      const leaving = greatest(of(leavingBudget), endOf);
      const both = [joining, leaving].filter((budget) => budget !== undefined);
      if (both.length > 0) return both;
    }
    return [];
  }),
);

const endOf = ({ to }: Budget): number => to ?? Number.POSITIVE_INFINITY;

/** Null for a Pod that no Service ever has as a ready one. The same object for all instants of one way. */
export function shownBudget(run: FinishedRun, pod: PodInput, at: Micros): Budget | null {
  const budgets = budgetsOf(run)(pod);
  return budgets.findLast(({ direction, from }) => direction === 'joining' || at >= from) ?? budgets[0] ?? null;
}
