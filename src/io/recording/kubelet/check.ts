import type { Scenario } from '../../../sim/scenario.ts';
import { TraceReader } from '../../../sim/trace/reader.ts';
import { firstDifference } from '../compare.ts';
import type { RecordedEvent } from '../event.ts';
import { describeDifference, describeDraw, type Play, type PlayedDraws, type Verdict } from '../verdict.ts';
import { KUBELET_ORDER } from './order.ts';
import { projectKubelet } from './project.ts';
import type { KubeletRecording } from './recording.ts';
import { ruleOfEvent } from './rules.ts';
import { RECORDED_DRAWS, recordingToScenario } from './toScenario.ts';

/** Simulates what a recording of `traces/kubelet` played and compares all its events and draws. */
export function checkKubelet(recording: KubeletRecording, play: Play): Verdict {
  const scenario = recordingToScenario(recording);
  const { trace, draws } = play(scenario);
  const names = new Map(scenario.pods.map(({ identity, name }) => [identity, name]));
  const expected = recording.events;
  const got = projectKubelet(new TraceReader(trace), (identity) => names.get(identity) ?? identity);
  const difference = firstDifference(expected, got, KUBELET_ORDER);
  if (difference) {
    return {
      passed: false,
      message: describeDifference(difference, ruleOfEvent),
      differsAt: difference.t,
      expected,
      got,
    };
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
  if (wrong) return describeDraw(wrong);
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
