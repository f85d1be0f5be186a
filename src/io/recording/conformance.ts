import * as z from 'zod';
import type { Scenario } from '../../sim/scenario.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import type { TraceData } from '../../sim/trace/trace.ts';
import { firstDifference } from './compare.ts';
import { projectKubelet } from './projectKubelet.ts';
import { type KubeletRecording, kubeletRecording, type RecordedEvent } from './recording.ts';
import { ruleOfEvent } from './rules.ts';
import { missingFeatures, RECORDED_DRAWS, recordingToScenario } from './toScenario.ts';

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
interface PlayedDraws {
  readonly differences: readonly {
    readonly name: string;
    readonly index: number;
    readonly expectedAt: number | null;
    readonly actualAt: number | null;
    readonly note: string;
  }[];
  readonly taken: readonly { readonly name: string; readonly at: number; readonly pinned: boolean }[];
}

/** Plays a scenario with its draws recorded; the command line and the tests hand the simulator in. */
export type Play = (scenario: Scenario) => { readonly trace: TraceData; readonly draws: PlayedDraws };

/** Simulates what a recording played and compares all that it shows. `json` is the parsed file. */
export function checkRecording(json: unknown, play: Play): Verdict {
  const none = { differsAt: null, expected: [], got: [] };
  const others = otherParts(json);
  if (others.length > 0) return { passed: false, message: `not modelled yet: ${others.join(', ')}`, ...none };
  const parsed = kubeletRecording.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const message = `not a recording that is understood: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`;
    return { passed: false, message, ...none };
  }
  const recording = parsed.data;
  const missing = missingFeatures(recording);
  if (missing.length > 0) return { passed: false, message: `not modelled yet: ${missing.join(', ')}`, ...none };
  return compare(recording, play);
}

/** Recordings of other folders: they name components outside the kubelet, or hold cases or rows instead of a run. */
const otherRecording = z.object({
  components: z.array(z.string()).default([]),
  topic: z.string().optional(),
  cases: z.array(z.unknown()).optional(),
  rows: z.array(z.unknown()).optional(),
});
/** The kubelet's packages, and this product's own recordings. */
const KUBELET_COMPONENT = /^(?:pkg\/|podtopool)/;

/** What a recording needs beyond the kubelet, in its own words; empty when there is nothing. */
function otherParts(json: unknown): readonly string[] {
  const { success, data } = otherRecording.safeParse(json);
  if (!success) return [];
  if (data.cases) return [`cases of ${data.topic ?? 'another kind'}`];
  if (data.rows) return ['rows without a run'];
  return data.components.filter((component) => !KUBELET_COMPONENT.test(component));
}

function compare(recording: KubeletRecording, play: Play): Verdict {
  const scenario = recordingToScenario(recording);
  const { trace, draws } = play(scenario);
  const names = new Map(scenario.pods.map(({ identity, name }) => [identity, name]));
  const expected = recording.events;
  const got = projectKubelet(new TraceReader(trace), (identity) => names.get(identity) ?? identity);
  const difference = firstDifference(expected, got);
  if (difference) {
    const { t, where } = difference;
    const rule = ruleOfEvent(difference.expected ?? difference.got);
    const message = `${t} ${where}: expected ${brief(difference.expected)}, got ${brief(difference.got)} (${rule})`;
    return { passed: false, message, differsAt: t, expected, got };
  }
  const chance = drawProblem(scenario, draws, got);
  if (chance) return { passed: false, message: chance, differsAt: null, expected, got };
  return { passed: true, message: `${expected.length} events`, differsAt: null, expected, got };
}

/** A pin consumed elsewhere or never, or a draw of a recorded family that the recording does not have. */
function drawProblem(
  scenario: Scenario,
  { differences, taken }: PlayedDraws,
  got: readonly RecordedEvent[],
): string | null {
  const wrong = differences.find(
    (one) => !(one.actualAt === null && followsAtOnce(scenario, one.name, one.index, got)),
  );
  if (wrong)
    return `draw ${wrong.name}[${wrong.index}]: ${wrong.note}; expected at ${wrong.expectedAt}, got ${wrong.actualAt}`;
  const extra = taken.find(({ name, pinned }) => !pinned && RECORDED_DRAWS.some((family) => name.startsWith(family)));
  return extra ? `draw ${extra.name} at ${extra.at} is not in the recording` : null;
}

/**
 * The recordings count a turn within a millisecond of the last command's end as one of `pendingCause`, whether its cause
 * was pending then or came just after. The latter is no draw; the turn must be there all the same.
 */
function followsAtOnce({ pins }: Scenario, name: string, index: number, got: readonly RecordedEvent[]): boolean {
  const pin = pins[name]?.[index];
  if (!name.startsWith('prober/select/') || !pin) return false;
  return got.some(
    (event) =>
      event.t === pin.at &&
      event.type === 'turn' &&
      event.cause === pin.value &&
      name.endsWith(`/${event.pod}/${event.container}/${event.probe}`),
  );
}

const LONGEST = 160;

/** An event on one line, without its instant and lane. */
function brief(event: RecordedEvent | null): string {
  if (!event) return 'nothing';
  const { t: _t, lane: _lane, type, ...fields } = event;
  const text = `${type} ${JSON.stringify(fields)}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
