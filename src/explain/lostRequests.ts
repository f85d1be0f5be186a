/** Requests that were not served: what each met, and why the rules sent it there. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { type Held, heldAt } from './heldAt.ts';
import { lastOfKind } from './lookUp.ts';
import { type PathSubject, podEvents, subjectOf } from './pathSubject.ts';
import { podsOf } from './podsOf.ts';
import { rulesSteps } from './ruleHistory.ts';

/**
 * What a request met. Without a backend: `noEndpoints` (the rules reject), `noRules` (none in force yet), `dropped` (no
 * endpoint that the traffic policy allows), `noName` (DNS has no address). At the Pod: `noListener`, `noProcess` (its container does not run), `noAddress`
 * (its sandbox is gone), `hang` (accepted, never answered), `slow` (the answer came after the timeout), `error` (400 or
 * more), `wrongPod` (the Service does not select it), `ended` (the process ended before it had answered).
 */
export type Met =
  | 'noEndpoints'
  | 'noRules'
  | 'dropped'
  | 'noName'
  | 'noListener'
  | 'noProcess'
  | 'noAddress'
  | 'hang'
  | 'slow'
  | 'error'
  | 'wrongPod'
  | 'ended';

export interface LostRequest {
  readonly ref: EventRef;
  /** Its start, and when the client knew. */
  readonly at: Micros;
  readonly end: Micros;
  readonly client: string;
  /** Whose rules decided; '' where none did. */
  readonly node: string;
  /** `namespace/name`; '' for a frontend of none. */
  readonly service: string;
  /** Identity; '' without a backend. */
  readonly pod: string;
  /** Code of the answer; 0 without one. */
  readonly code: number;
  readonly met: Met;
  /** Why the rules sent it to that Pod; null without a backend. */
  readonly held: Held | null;
}

/** All requests of a run that were not served, retries included, by the start of their last attempt. Found once for each run. */
export const lostRequests = memoizedWeakly((run: FinishedRun): readonly LostRequest[] => {
  const { reader } = run;
  const subjectOfPod = memoized((key: string): PathSubject | null => {
    const [pod = '', service = ''] = key.split(' ');
    const input = podsOf(run.scenario).get(pod);
    return input === undefined ? null : subjectOf(run, input, service, null);
  });
  return reader.subjects
    .flatMap(({ component }, subject) => {
      if (component !== 'client') return [];
      const rows = reader.rowsOf(subject);
      const start = rows.find((row) => reader.kindOf(row) === 'clientStart');
      const service = start === undefined ? '' : String(reader.field(start, 'service'));
      return [...rows]
        .filter((row) => isLost(reader, row))
        .map((row) => reader.event({ row, ordinal: 0 }) as TraceEvent<'clientAttempt'>)
        .map((event) => lostRequest(run, service, subjectOfPod(`${event.payload.pod} ${service}`), event));
    })
    .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
});

const isLost = (reader: TraceReader, row: number): boolean =>
  reader.kindOf(row) === 'clientAttempt' &&
  !Number.isNaN(reader.data.length[row] as number) &&
  reader.field(row, 'final') === 1 &&
  reader.field(row, 'outcome') !== 'served';

function lostRequest(
  run: FinishedRun,
  service: string,
  subject: PathSubject | null,
  event: TraceEvent<'clientAttempt'>,
): LostRequest {
  const { ref, at, end, payload } = event;
  const { pod, code, via: node } = payload;
  const whole = { ref, at, end, client: event.subject.object, node, service, pod, code };
  if (subject === null) return { ...whole, met: metNobody(run, service, event), held: null };
  return { ...whole, met: metAt(subject, event), held: heldBy(subject, event) };
}

function metNobody(
  { reader, scenario }: FinishedRun,
  service: string,
  { at, payload }: TraceEvent<'clientAttempt'>,
): Met {
  if (payload.outcome === 'rejected') return 'noEndpoints';
  if (payload.outcome === 'noAddress') return 'noName';
  const proxy = scenario.cluster?.proxies.find(({ node }) => node === payload.via)?.name ?? '';
  const inForce = rulesSteps(reader, proxy, service).findLast((step) => step.at <= at);
  return inForce === undefined || inForce.frontends.length === 0 ? 'noRules' : 'dropped';
}

/** A connection that is kept open, and an address that DNS gave, outlive the rules. */
function heldBy(subject: PathSubject, { at, end, payload, subjectIndex }: TraceEvent<'clientAttempt'>): Held {
  const { reader } = subject.run;
  if (payload.connection > 0) {
    const opened = lastOfKind(
      reader,
      [subjectIndex],
      'connectionOpened',
      at,
      ({ connection }) => connection === payload.connection,
    );
    if (opened !== null && opened.at < at) return { kind: 'connection', since: opened.at };
  }
  const held = heldAt(subject, at, end);
  return payload.via === '' && held.kind === 'late' && held.hop === 6 ? { kind: 'name', since: held.since } : held;
}

function metAt(subject: PathSubject, { end, payload }: TraceEvent<'clientAttempt'>): Met {
  switch (payload.outcome) {
    case 'errorAnswer':
      return 'error';
    case 'wrongPod':
      return 'wrongPod';
    case 'reset':
      return 'ended';
    case 'refused':
      return runsAt(subject, end) ? 'noListener' : 'noProcess';
    default: {
      const stopped = lastBefore(podEvents(subject, 'stopPodSandbox'), end);
      const made = lastBefore(podEvents(subject, 'runPodSandbox'), end);
      if (stopped !== null && (made === null || stopped.end > made.end)) return 'noAddress';
      const serves = lastBefore(podEvents(subject, 'appServe', subject.container), end);
      return serves?.payload.state === 'answer' ? 'slow' : 'hang';
    }
  }
}

const lastBefore = <T extends { readonly end: Micros }>(events: readonly T[], t: Micros): T | null =>
  events.findLast(({ end }) => end <= t) ?? null;

function runsAt(subject: PathSubject, t: Micros): boolean {
  const started = lastBefore(podEvents(subject, 'startContainer', subject.container), t);
  const exited = lastBefore(podEvents(subject, 'containerExit', subject.container), t);
  return started !== null && (exited === null || exited.at < started.end);
}
