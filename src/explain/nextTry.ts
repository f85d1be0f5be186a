/** When a container in back-off may be tried again. */
import { MICROS_PER_SECOND, type Micros } from '../base/units.ts';
import type { PodInput } from '../sim/scenario.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { asKind, lastOfKind, nextOfKind, subjectsOfPod } from './lookUp.ts';

export interface NextTry {
  /** The back-off ends here, µs. */
  readonly notBefore: Micros;
  /** The next try of this run, µs; null when there is none. */
  readonly inRun: Micros | null;
}

/**
 * Null for a container that waits for no back-off. By what the kubelet has done, not by the status: that says
 * CrashLoopBackOff only from the next pass on.
 */
export function nextTry(run: FinishedRun, pod: PodInput, container: string, at: Micros): NextTry | null {
  const { reader } = run;
  const subjects = subjectsOfPod(reader, pod.identity, (s) => s.container === container);
  const created = lastOfKind(reader, subjects, 'createContainer', at)?.at ?? Number.NEGATIVE_INFINITY;
  const crashed = crashBackOffEnd(reader, subjects, at, created);
  if (crashed !== null) {
    return { notBefore: crashed, inRun: nextOfKind(reader, subjects, 'createContainer', at)?.at ?? null };
  }
  const pulling = lastOfKind(reader, subjects, 'pullImage', at);
  if (pulling === null || pulling.at < created || pulling.payload.error === '' || !(pulling.end <= at)) return null;
  const notBefore = pullBackOffEnd(run, pod, pulling.payload.image, at);
  return notBefore && { notBefore, inRun: nextOfKind(reader, subjects, 'pullImage', at)?.at ?? null };
}

/** End of the back-off that a container is in; null when it is in none, or that is over and the next pass starts it. */
export function backOffAt(run: FinishedRun, pod: PodInput, container: string, at: Micros): Micros | null {
  const notBefore = nextTry(run, pod, container, at)?.notBefore ?? null;
  return notBefore !== null && notBefore > at ? notBefore : null;
}

/** Counted from the exit (K-076); how long, the kubelet says in its message. */
function crashBackOffEnd(reader: TraceReader, subjects: readonly number[], at: Micros, created: number): Micros | null {
  const said = lastOfKind(reader, subjects, 'backOff', at);
  const exit = lastOfKind(reader, subjects, 'containerExit', at);
  if (said === null || exit === null || said.at < exit.at || said.at < created) return null;
  const [, minutes = '0', seconds] = /^back-off (?:(\d+)m)?(\d+)s /.exec(said.payload.message) ?? [];
  if (seconds === undefined) return null;
  return (exit.at + (60 * Number(minutes) + Number(seconds)) * MICROS_PER_SECOND) as Micros;
}

const FIRST_PULL_BACK_OFF = 10 * MICROS_PER_SECOND;
const LONGEST_PULL_BACK_OFF = 300 * MICROS_PER_SECOND;

/** Counted from the last failed pull of the image by this kubelet process, twice as long after each (K-075). */
function pullBackOffEnd({ reader }: FinishedRun, pod: PodInput, image: string, at: Micros): Micros | null {
  const node = subjectsOfPod(reader, '', (s) => s.node === pod.node);
  const since = lastOfKind(reader, node, 'processStart', at)?.at ?? Number.NEGATIVE_INFINITY;
  const failed = pullsOf(reader, pod).filter(
    ({ end, payload }) => payload.image === image && payload.error !== '' && end > since && end <= at,
  );
  let last: Micros | null = null;
  let length = 0;
  for (const { end } of failed) {
    const goesOn = last !== null && end - last <= 2 * LONGEST_PULL_BACK_OFF;
    length = goesOn ? Math.min(2 * length, LONGEST_PULL_BACK_OFF) : FIRST_PULL_BACK_OFF;
    last = end;
  }
  return last === null ? null : ((last + length) as Micros);
}

function pullsOf(reader: TraceReader, pod: PodInput): readonly TraceEvent<'pullImage'>[] {
  const subjects = subjectsOfPod(reader, pod.identity, (s) => s.component === 'runtime');
  return subjects
    .flatMap((subject) => [...reader.rowsOf(subject)])
    .filter((row) => reader.kindOf(row) === 'pullImage')
    .flatMap((row) => asKind(reader.event({ row, ordinal: 0 }), 'pullImage') ?? [])
    .sort((a, b) => a.end - b.end);
}
