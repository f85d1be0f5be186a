/** The run that a drag of a slider started from, as outlines over the lanes of each run that it makes. */
import { memoizedWeakly } from '../../base/memoized.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { ViewState } from '../../state/viewStore.ts';
import type { Band } from '../../timeline/model/marks.ts';
import { groupsOf, shownLanes } from '../shared/index.ts';

/** Bands by the id of their lane or folded group. Worked out once for each drag and way of folding. */
export const ghostBands = (ghost: FinishedRun, folds: ViewState['folds']): ReadonlyMap<string, readonly Band[]> =>
  byFolds(ghost)(folds);

const byFolds = memoizedWeakly((ghost: FinishedRun) =>
  memoizedWeakly(
    (folds: ViewState['folds']): ReadonlyMap<string, readonly Band[]> =>
      new Map([
        ...groupsOf(ghost).map(({ id, summary }): [string, readonly Band[]] => [id, summary()]),
        ...shownLanes(ghost, folds).map(({ id, bands }): [string, readonly Band[]] => [id, bands]),
      ]),
  ),
);
