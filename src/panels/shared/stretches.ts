/** Parts of the timeline that are drawn larger than the rest, or folded. */
import { MICROS_PER_SECOND } from '../../base/units.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { ViewState } from '../../state/viewStore.ts';
import { actionFlags } from '../../timeline/model/actionFlags.ts';
import { quietStretches } from '../../timeline/model/quiet.ts';
import { foldsOf, type Stretch } from '../../timeline/scale/timeScale.ts';
import { lengthOf } from '../../timeline/scale/timeWindow.ts';
import { boundsOf } from './bounds.ts';
import type { Stores } from './index.ts';
import { shownLanes } from './lanes.ts';

const TIMES = 8;
/** A second, but of the window no more than this share: half of the screen stays for the rest. */
const SHARE = 1 / TIMES;

/** Px of a fold, and how many there are at most, the longest ones: half of a phone's screen stays for what happens. */
const FOLD_WIDTH = 30;
/** Px of the room beside the run, where quiet time is folded: else it would be as long as what happens. */
const ROOM_WIDTH = 10;
const MOST_FOLDS = 6;

/** How the time of the window is drawn. What is magnified is not folded. */
export function stretchesOf({ scenario, view }: Stores): readonly Stretch[] {
  const { magnified, foldsQuiet, folds } = view.getState();
  const { run } = scenario.getState();
  const quiet = foldsQuiet && run !== null ? foldsOfRun(run, folds) : NONE;
  if (magnified === null) return quiet;
  const beside = quiet.filter(({ from, to }) => to <= magnified.from || from >= magnified.to);
  return [...beside, { ...magnified, times: TIMES }].sort((a, b) => a.from - b.from);
}
const NONE: readonly Stretch[] = [];

let last: { readonly run: FinishedRun; readonly folds: ViewState['folds']; readonly made: readonly Stretch[] } | null =
  null;
/** Worked out once for the lanes in view: it is asked for at each paint. */
function foldsOfRun(run: FinishedRun, folds: ViewState['folds']): readonly Stretch[] {
  if (last?.run === run && last.folds === folds) return last.made;
  const flags = actionFlags(run.reader).map(({ at }) => at);
  const quiet = quietStretches(shownLanes(run, folds), flags, run.reader.data.horizon);
  const longest = quiet.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MOST_FOLDS);
  const { horizon } = run.reader.data;
  const bounds = boundsOf(run);
  const made = [
    { from: bounds.from, to: 0, width: ROOM_WIDTH },
    ...longest.sort((a, b) => a.from - b.from).map((stretch) => ({ ...stretch, width: FOLD_WIDTH })),
    { from: horizon + 1, to: bounds.to, width: ROOM_WIDTH },
  ];
  last = { run, folds, made };
  return made;
}

/** Quiet time is folded, or no more. */
export const toggleFold = ({ view }: Stores): void => view.setState({ foldsQuiet: !view.getState().foldsQuiet });

/** About a second around the playhead, or around the middle of the window when it is out of view; again: nothing. */
export function toggleMagnify(stores: Stores): void {
  const { magnified, window } = stores.view.getState();
  if (magnified !== null || window === null) return endMagnify(stores);
  const { playhead } = stores.playback.getState();
  const inView = playhead >= window.from && playhead <= window.to;
  const half = magnifiedLength(stores) / 2;
  const middle = inView ? playhead : (window.from + window.to) / 2;
  stores.view.setState({ magnified: { from: middle - half, to: middle + half } });
}

export const endMagnify = ({ view }: Stores): void => view.setState({ magnified: null });

/** µs; of the window only what is not folded counts. 0 without one. */
export function magnifiedLength(stores: Stores): number {
  const { window } = stores.view.getState();
  if (window === null) return 0;
  const folded = foldsOf(stretchesOf(stores)).map(
    ({ from, to }) => Math.min(to, window.to) - Math.max(from, window.from),
  );
  const length = lengthOf(window) - folded.reduce((sum, part) => sum + Math.max(0, part), 0);
  return Math.min(MICROS_PER_SECOND, length * SHARE);
}
