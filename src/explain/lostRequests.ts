/** Requests that were not served: what each met, and why the rules sent it there. */
import { memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { storedKeys } from '../sim/trace/storedObjects.ts';
import { type Held, heldAt } from './heldAt.ts';
import { clientsOf, type PathSubject, podEvents, subjectOf } from './pathSubject.ts';
import { podsOf } from './podsOf.ts';
import { rulesSteps } from './ruleHistory.ts';

/**
 * What a request met. Without a backend: `noEndpoints` (the rules reject), `noRules` (none in force yet), `dropped` (no
 * endpoint that the traffic policy allows). At the Pod: `noListener`, `noProcess` (its container does not run), `noAddress`
 * (its sandbox is gone), `hang` (accepted, never answered), `slow` (the answer came after the timeout), `error` (400 or
 * more), `ended` (the process ended before it had answered).
 */
export type Met =
  | 'noEndpoints'
  | 'noRules'
  | 'dropped'
  | 'noListener'
  | 'noProcess'
  | 'noAddress'
  | 'hang'
  | 'slow'
  | 'error'
  | 'ended';

export interface LostRequest {
  readonly ref: EventRef;
  /** Its start, and when the client knew. */
  readonly at: Micros;
  readonly end: Micros;
  readonly client: string;
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

/** All requests of a run that were not served, by their start. Found once for each run. */
export const lostRequests = memoizedWeakly((run: FinishedRun): readonly LostRequest[] => {
  const subjects = new Map<string, PathSubject | null>();
  return callers(run)
    .flatMap(({ service, proxy, rows }) => rows.map((row) => lostRequest(run, service, proxy, row, subjects)))
    .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
});

interface Caller {
  readonly service: string;
  readonly proxy: string;
  /** Its attempts that were not served. */
  readonly rows: readonly number[];
}

function callers({ reader, scenario, ...run }: FinishedRun): readonly Caller[] {
  const { clients = [], proxies = [] } = scenario.cluster ?? {};
  const lost = lostRows(reader);
  const served = proxies.flatMap(({ name: proxy }) =>
    storedKeys(reader, 'services').flatMap((service) =>
      [...clientsOf({ reader, scenario, ...run }, service, null, proxy)].map((client) => ({ client, service, proxy })),
    ),
  );
  return clients.map(({ name, proxy }) => {
    const service = served.find(({ client }) => client === name)?.service ?? '';
    return { service, proxy, rows: lost.get(name) ?? [] };
  });
}

/** Attempts with an outcome other than served, by client. */
function lostRows(reader: TraceReader): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [subject, { component, object }] of reader.subjects.entries()) {
    if (component !== 'client') continue;
    const rows = [...reader.rowsOf(subject)].filter((row) => isLost(reader, row));
    found.set(object, [...(found.get(object) ?? []), ...rows]);
  }
  return found;
}

const isLost = (reader: TraceReader, row: number): boolean =>
  reader.kindOf(row) === 'clientAttempt' &&
  !Number.isNaN(reader.data.length[row] as number) &&
  reader.field(row, 'outcome') !== 'served';

function lostRequest(
  run: FinishedRun,
  service: string,
  proxy: string,
  row: number,
  subjects: Map<string, PathSubject | null>,
): LostRequest {
  const event = run.reader.event({ row, ordinal: 0 }) as TraceEvent<'clientAttempt'>;
  const { ref, at, end, payload } = event;
  const { pod, code } = payload;
  const key = `${pod} ${service}`;
  const input = podsOf(run.scenario).get(pod);
  const known = subjects.get(key);
  const subject = known === undefined && input !== undefined ? subjectOf(run, input, service, null) : (known ?? null);
  subjects.set(key, subject);
  const whole = { ref, at, end, client: event.subject.object, node: event.subject.node, service, pod, code };
  if (subject === null) return { ...whole, met: metNobody(run.reader, proxy, service, event), held: null };
  return { ...whole, met: metAt(subject, event), held: heldAt(subject, at, end) };
}

function metNobody(reader: TraceReader, proxy: string, service: string, event: TraceEvent<'clientAttempt'>): Met {
  if (event.payload.outcome === 'rejected') return 'noEndpoints';
  const inForce = rulesSteps(reader, proxy, service).findLast((step) => step.at <= event.at);
  return inForce === undefined || inForce.frontends.length === 0 ? 'noRules' : 'dropped';
}

function metAt(subject: PathSubject, { end, payload }: TraceEvent<'clientAttempt'>): Met {
  switch (payload.outcome) {
    case 'errorAnswer':
      return 'error';
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
