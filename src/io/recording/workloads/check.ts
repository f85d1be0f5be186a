import { sameData } from '../../../base/equal.ts';
import { microsSpan } from '../../../base/units.ts';
import { TraceReader } from '../../../sim/trace/reader.ts';
import type { GivenIdentity } from '../../../sim/workloadsInput.ts';
import { NOTHING_GIVEN } from '../../../sim/workloadsInput.ts';
import { firstDifference } from '../compare.ts';
import { describeDifference, describeDraw, type Play, type Verdict } from '../verdict.ts';
import { identityOf } from './identity.ts';
import { WORKLOADS_ORDER } from './order.ts';
import { projectWorkloads } from './project.ts';
import type { WorkloadsRecording } from './recording.ts';
import { ruleOfWorkloadEvent } from './rules.ts';
import { workloadsScenario } from './toScenario.ts';

/** Simulates what a recording of `traces/workloads` played and compares all that it shows. */
export function checkWorkloads(recording: WorkloadsRecording, play: Play): Verdict {
  const given = givenBy(recording, play);
  const { trace, draws } = play(workloadsScenario(recording, given));
  const { events: got, initial, final } = projectWorkloads(new TraceReader(trace));
  const { events: expected } = recording;
  const failed = (message: string, differsAt: number | null): Verdict => {
    return { passed: false, message, differsAt, expected, got };
  };
  const before = stateDifference('initial', recording.initial, initial);
  if (before) return failed(before, null);
  const difference = firstDifference(expected, got, WORKLOADS_ORDER);
  if (difference) return failed(describeDifference(difference, ruleOfWorkloadEvent), difference.t);
  const after = stateDifference('final', recording.final, final);
  if (after) return failed(after, null);
  const [wrong] = draws.differences;
  if (wrong) return failed(describeDraw(wrong), null);
  return { passed: true, message: `${expected.length} events`, differsAt: null, expected, got };
}

/** The generated identity of a recording; the names of what was made before t = 0 are found by a run up to there. */
function givenBy(recording: WorkloadsRecording, play: Play): GivenIdentity {
  const scenario = workloadsScenario(recording, NOTHING_GIVEN);
  const { trace } = play({ ...scenario, duration: microsSpan(1) });
  return identityOf(recording, projectWorkloads(new TraceReader(trace)).initial.pods ?? {});
}

type State = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The first object in which two states differ. */
function stateDifference(what: string, expected: State, got: State): string | null {
  for (const resource of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const [a, b] = [expected[resource] ?? {}, got[resource] ?? {}];
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (sameData(a[name], b[name])) continue;
      return `${what}.${resource}.${name}: expected ${JSON.stringify(a[name])}, got ${JSON.stringify(b[name])}`;
    }
  }
  return null;
}
