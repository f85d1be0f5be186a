import type { PodPath } from '../../explain/path.ts';
import type { Scenario } from '../../sim/scenario.ts';
import type { TraceData } from '../../sim/trace/trace.ts';
import type { Difference } from './compare.ts';
import type { RecordedEvent } from './event.ts';

/** What one recording came to. */
export interface Verdict {
  readonly passed: boolean;
  /** One line: what differed first, expected and got, with its rule; or what the model lacks. */
  readonly message: string;
  /** Instant of the first difference, µs; null when there is none in the events. */
  readonly differsAt: number | null;
  /** For a side-by-side view. */
  readonly expected: readonly RecordedEvent[];
  readonly got: readonly RecordedEvent[];
}

/** A draw as the simulator reports it; see `Run.draws` in sim/simulate.ts. */
export interface PlayedDraws {
  readonly differences: readonly PlayedDrawDifference[];
  readonly taken: readonly {
    readonly name: string;
    readonly at: number;
    readonly value: number | string;
    readonly pinned: boolean;
  }[];
}
export interface PlayedDrawDifference {
  readonly name: string;
  readonly index: number;
  readonly expectedAt: number | null;
  readonly actualAt: number | null;
  readonly note: string;
}

/** Plays a scenario with its draws recorded; the command line and the tests hand the simulator in, and who reads the paths of its Pods. */
export type Play = (scenario: Scenario) => {
  readonly trace: TraceData;
  readonly draws: PlayedDraws;
  readonly paths: () => readonly PodPath[];
};

/** A recording that could not be compared, and why. */
export const notCompared = (message: string): Verdict => ({
  passed: false,
  message,
  differsAt: null,
  expected: [],
  got: [],
});

/** The first difference on one line, with the rule that `ruleOf` finds for it. */
export function describeDifference(
  { t, where, expected, got }: Difference,
  ruleOf: (event: RecordedEvent | null) => string,
): string {
  return `${t} ${where}: expected ${brief(expected)}, got ${brief(got)} (${ruleOf(expected ?? got)})`;
}

/** A pin that was consumed elsewhere, or never. */
export const describeDraw = ({ name, index, note, expectedAt, actualAt }: PlayedDrawDifference): string =>
  `draw ${name}[${index}]: ${note}; expected at ${expectedAt}, got ${actualAt}`;

const LONGEST = 160;

/** An event on one line, without its instant and lane. */
function brief(event: RecordedEvent | null): string {
  if (!event) return 'nothing';
  const { t: _t, lane: _lane, type, ...fields } = event;
  const text = `${type} ${JSON.stringify(fields)}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
