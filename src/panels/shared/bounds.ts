import type { FinishedRun } from '../../sim/trace/run.ts';
import type { TimeWindow } from '../../timeline/model/window.ts';

/** Room before and after the run, so that marks at its ends are whole: a share of the run. */
const MARGIN = 0.012;

/** What can be looked at: the whole run and a little room. */
export function boundsOf({ reader }: FinishedRun): TimeWindow {
  const { horizon } = reader.data;
  return { from: -MARGIN * horizon, to: (1 + MARGIN) * horizon };
}
