/** Requests that were not served: what each met, and why the rules sent it there. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { ClientInput } from '../sim/clientInput.ts';
import { servingContainersOf } from '../sim/scenario.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceEvent } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { type Held, heldAt } from './heldAt.ts';
import { lastOfKind } from './lookUp.ts';
import { isUnreachable } from './nodeReach.ts';
import { type PathSubject, podEvents, subjectOf } from './pathSubject.ts';
import { podsOf } from './podsOf.ts';
import { lostRows } from './requestRows.ts';
import { rulesSteps } from './ruleHistory.ts';

/**
 * What a request met. Without a backend: `noEndpoints` (the rules reject), `noRules` (none in force yet), `dropped` (no
 * endpoint that the traffic policy allows), `noName` (DNS has no address),
 * `nowhere` (who dials Pods itself knows none, or the Pod has no address). At the Pod: `noListener`, `noProcess` (its container does not run), `noAddress`
 * (its sandbox is gone), `noWay` (its node, or the client's, is off or cut off), `hang` (accepted, never answered), `slow` (the answer came after the timeout), `error` (400 or
 * more), `wrongPod` (the Service does not select it), `ended` (the process ended before it had answered).
 */
export type Met =
  | 'noEndpoints'
  | 'noRules'
  | 'dropped'
  | 'noName'
  | 'nowhere'
  | 'noListener'
  | 'noProcess'
  | 'noAddress'
  | 'noWay'
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
  /** Why it was sent to that Pod; null without a backend, and where the client asks the Pod itself. */
  readonly held: Held | null;
}

/** All requests of a run that were not served, retries included, by the start of their last attempt. Found once for each run. */
export const lostRequests = memoizedWeakly((run: FinishedRun): readonly LostRequest[] => {
  const { reader, scenario } = run;
  const subjectOfPod = memoized((key: string): PathSubject | null => {
    const [pod = '', service = ''] = key.split(' ');
    const input = podsOf(scenario).get(pod);
    return input === undefined ? null : subjectOf(run, input, service, null);
  });
  const clients = new Map((scenario.cluster?.clients ?? []).map((client) => [client.name, client]));
  return lostRows(reader).flatMap((row) => {
    const event = reader.event({ row, ordinal: 0 }) as TraceEvent<'clientAttempt'>;
    const client = clients.get(event.subject.object);
    if (client === undefined) return [];
    return lostRequest(run, client, subjectOfPod(`${event.payload.pod} ${client.service?.service ?? ''}`), event);
  });
});

function lostRequest(
  run: FinishedRun,
  client: ClientInput,
  subject: PathSubject | null,
  event: TraceEvent<'clientAttempt'>,
): LostRequest {
  const { ref, at, end, payload } = event;
  const { pod, code, via: node } = payload;
  const service = client.service?.service ?? '';
  const whole = { ref, at, end, client: client.name, node, service, pod, code };
  const asked = subject ?? askedItself(run, client, pod);
  if (asked === null) return { ...whole, met: metNobody(run, client, event), held: null };
  const met = metAt(asked, event);
  if (subject === null) return { ...whole, met, held: null };
  const held = heldBy(subject, client, event);
  const isSilent = met === 'noWay' && !(held.kind === 'late' && held.hop >= 5);
  return { ...whole, met, held: isSilent ? { kind: 'silent' } : held };
}

/** What of a Pod decides what a connection to it meets. */
type Asked = Pick<PathSubject, 'run' | 'pod' | 'container'>;

/** The Pod that a client asks past every Service. */
function askedItself(run: FinishedRun, { to }: ClientInput, identity: string): Asked | null {
  const pod = podsOf(run.scenario).get(identity);
  if (to.type !== 'pod' || pod === undefined) return null;
  const containers = servingContainersOf(pod);
  const declaring = containers.find(({ ports }) => ports.some(({ containerPort }) => containerPort === to.port));
  return { run, pod, container: (declaring ?? pod.containers[0])?.name ?? '' };
}

const asksNames = ({ to }: ClientInput): boolean => to.type === 'endpoints' && to.resolver.type === 'dns';

function metNobody(
  { reader, scenario }: FinishedRun,
  client: ClientInput,
  { at, payload }: TraceEvent<'clientAttempt'>,
): Met {
  if (payload.outcome === 'rejected') return 'noEndpoints';
  if (payload.outcome === 'noAddress') return asksNames(client) ? 'noName' : 'nowhere';
  if (payload.via !== '' && isUnreachable(scenario, payload.via, at)) return 'noWay';
  const proxy = scenario.cluster?.proxies.find(({ node }) => node === payload.via)?.name ?? '';
  const inForce = rulesSteps(reader, proxy, client.service?.service ?? '').findLast((step) => step.at <= at);
  return inForce === undefined || inForce.frontends.length === 0 ? 'noRules' : 'dropped';
}

/** A connection that is kept open, a flow that is tracked, and an address from elsewhere outlive the rules. */
function heldBy(
  subject: PathSubject,
  client: ClientInput,
  { at, end, payload, subjectIndex }: TraceEvent<'clientAttempt'>,
): Held {
  const { reader } = subject.run;
  if (payload.connection > 0) {
    const isIt = ({ connection }: { readonly connection: number }): boolean => connection === payload.connection;
    const opened = lastOfKind(reader, [subjectIndex], 'connectionOpened', at, isIt);
    if (opened !== null && opened.at < at) return { kind: 'connection', since: opened.at };
  }
  const held = heldAt(subject, payload.via, at, end);
  if (payload.via !== '' || held.kind !== 'late' || held.hop !== 6) return held;
  const kind = client.to.type !== 'endpoints' ? 'flow' : asksNames(client) ? 'name' : 'watcher';
  return { kind, since: held.since };
}

function metAt(asked: Asked, { at, end, payload, subject }: TraceEvent<'clientAttempt'>): Met {
  switch (payload.outcome) {
    case 'errorAnswer':
      return 'error';
    case 'wrongPod':
      return 'wrongPod';
    case 'reset':
      return 'ended';
    case 'refused':
      return runsAt(asked, end) ? 'noListener' : 'noProcess';
    default: {
      const { pod, run } = asked;
      const stopped = lastBefore(podEvents(asked, 'stopPodSandbox'), end);
      const made = lastBefore(podEvents(asked, 'runPodSandbox'), end);
      if (stopped !== null && (made === null || stopped.end > made.end)) return 'noAddress';
      const isApart = pod.node !== subject.node;
      if (isApart && [pod.node, subject.node].some((node) => isUnreachable(run.scenario, node, at))) return 'noWay';
      const serves = lastBefore(podEvents(asked, 'appServe', asked.container), end);
      return serves?.payload.state === 'answer' ? 'slow' : 'hang';
    }
  }
}

const lastBefore = <T extends { readonly end: Micros }>(events: readonly T[], t: Micros): T | null =>
  events.findLast(({ end }) => end <= t) ?? null;

function runsAt(subject: Asked, t: Micros): boolean {
  const started = lastBefore(podEvents(subject, 'startContainer', subject.container), t);
  const exited = lastBefore(podEvents(subject, 'containerExit', subject.container), t);
  return started !== null && (exited === null || exited.at < started.end);
}
