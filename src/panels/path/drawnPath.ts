import { type Budget, hopNumberOf } from '../../explain/hops.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { DrawnPath } from '../../state/viewStore.ts';

/** The events between which a path goes: its start, and the end of each hop that takes a time. */
export function drawnPath(run: FinishedRun, budget: Budget | null): DrawnPath | null {
  const [first] = budget?.hops ?? [];
  if (budget === null || first === undefined) return null;
  const ends = budget.hops.flatMap(({ hop, end, from, to }) =>
    end === null || to === from ? [] : [{ ref: end, hop: hopNumberOf(hop) }],
  );
  return { run, steps: [{ ref: first.start, hop: null }, ...ends] };
}
