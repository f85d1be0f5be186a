/** What the timeline shows and changes. The page gives it; nothing here knows where it is kept. */
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { Link } from '../draw/chain.ts';
import type { MarkWords } from '../draw/frame.ts';
import type { Hit } from '../draw/hit.ts';
import type { ActionFlag } from '../model/actionFlags.ts';
import type { Band, Lane, LaneGroup } from '../model/marks.ts';
import type { TimeWindow } from '../model/window.ts';
import type { Stretch } from '../scale/timeScale.ts';

/** State that changes while people scrub and zoom: read at each paint, without React. */
export interface TimelineState {
  readonly window: TimeWindow;
  /** What is drawn larger than the rest of it. */
  readonly stretches: readonly Stretch[];
  /** µs. */
  readonly playhead: number;
  readonly links: readonly Link[];
  /** Events of the lit chain as `row:ordinal`; null when nothing is selected. */
  readonly lit: ReadonlySet<string> | null;
  /** Bands of another run by the id of their lane or folded group; null for none. */
  readonly ghost: ReadonlyMap<string, readonly Band[]> | null;
  readonly selected: { readonly at: number; readonly laneId: string } | null;
}

export interface TimelineSource {
  /** Called on each change of the state; returns how to stop. */
  readonly subscribe: (changed: () => void) => () => void;
  readonly state: () => TimelineState;
  readonly setWindow: (window: TimeWindow) => void;
  /** All is drawn at one scale again. */
  readonly endMagnify: () => void;
  readonly setPlayhead: (at: number) => void;
  /** Makes an action happen at another instant, µs. False: that is refused. */
  readonly moveAction: (flag: ActionFlag, at: number) => Promise<boolean>;
  /** Shows what can be changed about an action; `place` is that of its flag. */
  readonly openAction: (flag: ActionFlag, place: DOMRect) => void;
  readonly removeAction: (flag: ActionFlag) => void;
  readonly select: (ref: EventRef | null) => void;
  /** Folds or unfolds a group, or a lane with parts. */
  readonly toggle: (id: string) => void;
  /** The keys act on this lane from now on. */
  readonly focusLane: (laneId: string) => void;
  readonly hover: (hit: Hit | null, clientX: number, clientY: number) => void;
  /** The frame is on the screen. */
  readonly painted: () => void;
}

export interface TimelineWords extends MarkWords {
  /** Before a group's own title; '' for none. */
  readonly groupKind: (group: LaneGroup) => string;
  readonly laneTitle: (lane: Lane) => string;
  readonly laneNote: (lane: Lane) => string;
  /** What unfolds below a lane. */
  readonly laneParts: (lane: Lane) => string;
  /** The note is what tells the lane from its like, so that it also stays where notes are left out. */
  readonly needsNote: (lane: Lane) => boolean;
  readonly overview: string;
  /** How many lanes are shown, of how many. */
  readonly lanes: (shown: number, all: number) => string;
  /** What brings the lanes that come hidden, and what hides them again. */
  readonly moreLanes: (count: number) => string;
  readonly fewerLanes: (count: number) => string;
  readonly lanesOfRun: string;
  /** Under the word for the overview: from when to when, µs. */
  readonly overviewSpan: (length: number) => string;
  readonly playhead: string;
  /** How to have one scale again, where time is drawn so many times as long. */
  readonly endMagnify: (times: number) => string;
  /** What an action does and to whom. */
  readonly action: (flag: ActionFlag) => string;
  /** How to move one. */
  readonly moveAction: string;
}
