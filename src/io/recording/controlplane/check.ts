import { sameData } from '../../../base/equal.ts';
import { WRITE_ORDER } from '../../../sim/api/sliceWrites.ts';
import { TraceReader } from '../../../sim/trace/reader.ts';
import { firstDifference } from '../compare.ts';
import type { RecordedEvent } from '../event.ts';
import { describeDifference, describeDraw, type Play, type PlayedDraws, type Verdict } from '../verdict.ts';
import { Exchange } from './exchange.ts';
import { CONTROL_PLANE_ORDER } from './order.ts';
import { projectControlPlane } from './project.ts';
import type { ControlPlaneRecording, RecordedObject } from './recording.ts';
import { ruleOfEvent } from './rules.ts';
import { type RecordedState, stateAt } from './stateAt.ts';
import { isHidden, Summaries } from './summaries.ts';
import { controlPlaneScenario } from './toScenario.ts';
import { totalsOf } from './totals.ts';

/** All that a recording shows, of a run. */
interface Shown {
  readonly initial: RecordedState & { readonly totals: RecordedObject };
  readonly events: readonly RecordedEvent[];
  readonly counts: Readonly<Record<string, number>>;
  readonly final: RecordedObject;
}

/** Simulates what a recording of `traces/controlplane` played and compares all that it shows. */
export function checkControlPlane(recording: ControlPlaneRecording, play: Play): Verdict {
  const { trace, draws } = play(controlPlaneScenario(recording, true));
  const shown = shownBy(recording, new TraceReader(trace));
  const { events: expected } = recording;
  const got = shown.events;
  const failed = (message: string, differsAt: number | null): Verdict => {
    return { passed: false, message, differsAt, expected, got };
  };
  const before = initialDifference(recording.initial, shown.initial);
  if (before) return failed(before, null);
  const difference = firstDifference(expected, got, CONTROL_PLANE_ORDER);
  if (difference) return failed(describeDifference(difference, ruleOfEvent), difference.t);
  const after = partDifference('counts', recording.counts, shown.counts) ?? finalDifference(recording, shown);
  if (after) return failed(after, null);
  const chance = drawProblem(draws);
  if (chance) return failed(chance, null);
  return { passed: true, message: `${expected.length} events`, differsAt: null, expected, got };
}

/** A pin consumed elsewhere or never, or an order of writes that the recording does not have. */
function drawProblem({ differences, taken }: PlayedDraws): string | null {
  const [wrong] = differences;
  if (wrong) return describeDraw(wrong);
  const extra = taken.find(({ name, at, pinned }) => !pinned && at >= 0 && name.includes(WRITE_ORDER));
  return extra ? `draw ${extra.name} at ${extra.at} is not in the recording` : null;
}

/** What a run shows in the recording's words. */
function shownBy(recording: ControlPlaneRecording, reader: TraceReader): Shown {
  const { world } = recording.scenario;
  const dualStack = new Set(world.proxies.filter(({ ipFamilies }) => ipFamilies.length > 1).map(({ name }) => name));
  const all = projectControlPlane(reader, dualStack);
  const state = stateAt(all, 0);
  const exchange = new Exchange(recording, all, state);
  const listed = all.filter(({ t }) => t >= 0);
  const summaries = new Summaries(world.recording);
  for (const slice of state.endpointslices) summaries.see(slice);
  const inWords = <T extends RecordedObject>(object: T): T => summaries.of(exchange.of(object));
  const initial = {
    endpoints: state.endpoints.map(inWords),
    endpointslices: state.endpointslices.map(inWords),
    backends: state.backends.map(inWords),
    totals: totalsOf(state.endpoints, state.endpointslices),
  };
  const events = listed.flatMap((event) => {
    summaries.see(event);
    return isHidden(event, world.recording) ? [] : [inWords(event)];
  });
  const last = stateAt(all, Number.POSITIVE_INFINITY);
  return { initial, events, counts: countsOf(listed), final: totalsOf(last.endpoints, last.endpointslices) };
}

function countsOf(events: readonly RecordedEvent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { lane, type } of events) counts[`${lane}/${type}`] = (counts[`${lane}/${type}`] ?? 0) + 1;
  return counts;
}

/** The lists of `initial` have no order that means anything. */
function initialDifference(expected: ControlPlaneRecording['initial'], got: Shown['initial']): string | null {
  for (const part of ['endpoints', 'endpointslices', 'backends'] as const) {
    const left = [...got[part]];
    for (const object of expected[part]) {
      const place = left.findIndex((other) => sameData(object, other));
      if (place < 0) return `initial.${part}: expected ${brief(object)}, got ${brief(likest(object, left))}`;
      left.splice(place, 1);
    }
    if (left[0]) return `initial.${part}: expected nothing more, got ${brief(left[0])}`;
  }
  return partDifference('initial.totals', expected.totals, got.totals);
}

const finalDifference = ({ final }: ControlPlaneRecording, shown: Shown): string | null =>
  partDifference('final', final, shown.final);

/** The first part in which two trees of objects differ, by its path. */
function partDifference(path: string, expected: unknown, got: unknown): string | null {
  if (sameData(expected, got)) return null;
  if (!isObject(expected) || !isObject(got)) return `${path}: expected ${brief(expected)}, got ${brief(got)}`;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const difference = partDifference(`${path}.${key}`, expected[key], got[key]);
    if (difference) return difference;
  }
  return null;
}

const isObject = (value: unknown): value is RecordedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The one that is about the same thing, to be shown beside it. */
const likest = (object: RecordedObject, others: readonly RecordedObject[]): RecordedObject | undefined =>
  others.find(({ name, proxy, frontend }) => {
    return name === object.name && proxy === object.proxy && frontend === object.frontend;
  });

const LONGEST = 160;
function brief(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
