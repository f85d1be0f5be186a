/** What the path of one Pod through one Service port is read from. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { ClientInput } from '../sim/clientInput.ts';
import { type PodInput, servingContainersOf } from '../sim/scenario.ts';
import { apiPodKey, conditionOf, podStatusOf } from '../sim/trace/podObject.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import { removalsOf } from '../sim/trace/removals.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { historyOf } from '../sim/trace/storedObjects.ts';
import { attemptsAt } from './attempts.ts';
import { type EndpointHistory, endpointHistoryOf } from './endpointHistory.ts';
import { asKind, eventsOfKind, lastOfKind, subjectsOfPod, syncLoopOf } from './lookUp.ts';
import type { DecidingProbe, Moment } from './path.ts';
import { rulesSteps } from './ruleHistory.ts';

export interface PathSubject {
  readonly run: FinishedRun;
  readonly pod: PodInput;
  readonly history: EndpointHistory;
  /** Name of the container with the target port. */
  readonly container: string;
  readonly publishesNotReady: boolean;
  /** internalTrafficPolicy Local: rules choose among the endpoints of their own node. */
  readonly isLocal: boolean;
  /** `ip:port`, as the rules write it, of all endpoints that it ever has there. */
  readonly backends: ReadonlySet<string>;
}

/** Null when no slice of the Service ever lists the Pod with that port; `null` asks for all ports together. */
export function subjectOf(run: FinishedRun, pod: PodInput, service: string, port: string | null): PathSubject | null {
  const history = endpointHistoryOf(run.reader, pod.uid, service, port);
  if (history === null) return null;
  const declaring = servingContainersOf(pod).find(({ ports }) =>
    ports.some(({ containerPort }) => containerPort === history.targetPort),
  );
  const [version] = historyOf(run.reader, 'services', service);
  return {
    run,
    pod,
    history,
    container: (declaring ?? pod.containers[0])?.name ?? '',
    publishesNotReady: version?.object?.spec.publishNotReadyAddresses ?? false,
    isLocal: version?.object?.spec.internalTrafficPolicy === 'Local',
    backends: new Set(history.steps.flatMap(({ backends }) => backends)),
  };
}

/** All events of the Pod, of one kind; of one container when it is named. */
export const podEvents = <K extends TraceEvent['kind']>(
  { run, pod }: Pick<PathSubject, 'run' | 'pod'>,
  kind: K,
  container?: string,
): readonly TraceEvent<K>[] =>
  eventsOfKind(
    run.reader,
    subjectsOfPod(run.reader, pod.identity, (s) => container === undefined || s.container === container),
    kind,
  );

/** A version of the Pod at the API server, or its removal. */
export interface ApiCommit extends Moment {
  /** Ready (or there, where not ready addresses are published) and not being deleted. */
  readonly fits: boolean;
  readonly isDeleted: boolean;
  readonly isRemoved: boolean;
}

/** All that the API server ever has of the Pod; its removal counts as a deletion. */
export function apiCommits({ run: { reader }, pod, publishesNotReady }: PathSubject): readonly ApiCommit[] {
  const versions = reader.versionsOf(apiPodKey(pod.identity)).map(({ index, since, row }): ApiCommit => {
    const isDeleted = reader.versionText(index).includes('"deletionTimestamp"');
    const isReady = conditionOf(podStatusOf(reader, index), 'Ready')?.status === 'True';
    const fits = !isDeleted && (publishesNotReady || isReady);
    return { at: since, ref: { row, ordinal: 0 }, isDeleted, isRemoved: false, fits };
  });
  const removals = removalsOf(reader, pod.identity).map(
    ({ at, ref }): ApiCommit => ({ at, ref, isDeleted: true, isRemoved: true, fits: false }),
  );
  return [...versions, ...removals].sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
}

/** From `at` on new connections to the container are answered below 400, or not. */
export interface AnswerStep {
  readonly at: Micros;
  readonly ref: TraceEvent['ref'];
  readonly answers: boolean;
}

/** Changes of whether the container with the target port answers clients. Without a word on connections: whether it serves. */
export function answerSteps(subject: PathSubject): readonly AnswerStep[] {
  const said = podEvents(subject, 'appServe', subject.container).map(({ at, ref, payload }) => ({
    at,
    ref,
    answers: payload.state === 'answer' && payload.code < 400,
  }));
  const steps =
    said.length > 0
      ? said
      : podEvents(subject, 'appState', subject.container).map(({ at, ref, payload }) => ({
          at,
          ref,
          answers: payload.state === 'serving',
        }));
  return steps.filter(({ answers }, i) => answers !== (steps[i - 1]?.answers ?? false));
}

/** From `at` on the rules of a proxy send connections for the port to the Pod, or not. */
export interface HoldingStep {
  readonly at: Micros;
  readonly ref: TraceEvent['ref'];
  readonly holds: boolean;
}

/** Changes of whether a proxy's rules for the port have the Pod. */
export function holdingSteps({ run, history, backends }: PathSubject, proxy: string): readonly HoldingStep[] {
  const steps = rulesSteps(run.reader, proxy, history.service).map(({ at, ref, frontends }) => ({
    at,
    ref,
    holds: frontends.some(
      (frontend) =>
        (history.port === null || frontend.port === history.port) &&
        frontend.backends.some((backend) => backends.has(backend)),
    ),
  }));
  return steps.filter(({ holds }, i) => holds !== (steps[i - 1]?.holds ?? false));
}

/** The sync that put rules in force; null when it had not ended when the run did. */
export function syncOf(reader: TraceReader, change: TraceEvent['ref']): TraceEvent<'proxySync'> | null {
  const cause = reader.causesOf(change).find(({ row }) => reader.kindOf(row) === 'proxySync');
  const sync = cause === undefined ? null : (reader.event(cause) as TraceEvent<'proxySync'>);
  return sync === null || Number.isNaN(sync.end) ? null : sync;
}

/** Names of the clients that ask for the Service by the rules of a proxy's node, or from that node; for one port, or null for all. */
export function clientsOf(run: FinishedRun, service: string, port: string | null, proxy: string): ReadonlySet<string> {
  const { clients = [] } = run.scenario.cluster ?? {};
  const node = nodeOf(run, proxy);
  const asks = (client: ClientInput): boolean =>
    (client.from.type === 'outside' || client.from.node === node) &&
    client.service?.service === service &&
    (port === null || client.service.port === port);
  return new Set(clients.filter(asks).map(({ name }) => name));
}

const nodeOf = ({ scenario }: FinishedRun, proxy: string): string =>
  scenario.cluster?.proxies.find(({ name }) => name === proxy)?.node ?? '';

/** Attempts to the Pod for that port, by a proxy's rules or past them from its node, whose outcome is known; by their start. */
export function attemptsOf({ run, pod, history }: PathSubject, proxy: string): readonly TraceEvent<'clientAttempt'>[] {
  const names = clientsOf(run, history.service, history.port, proxy);
  const node = nodeOf(run, proxy);
  return attemptsAt(run.reader, pod.identity).filter(
    ({ payload, subject }) => (payload.via || subject.node) === node && names.has(subject.object),
  );
}

/** When an event happened, and which it was. */
export const momentOf = (
  event: { readonly at: Micros; readonly ref: TraceEvent['ref'] } | null | undefined,
): Moment | null => (event ? { at: event.at, ref: event.ref } : null);

/** The attempt that ended as the result was set; null when the result came without one. */
export function attemptBehind({ run, pod }: PathSubject, result: TraceEvent<'resultSet'>): DecidingProbe | null {
  const { container, probe } = result.subject;
  if (probe === '') return null;
  const subjects = subjectsOfPod(run.reader, pod.identity, (s) => s.container === container && s.probe === probe);
  const turn = lastOfKind(run.reader, subjects, 'probeRun', result.at, (run) => run.outcome === 'attempt');
  if (turn === null || turn.end !== result.at) return null;
  return { container, probe, ref: turn.ref, start: turn.at, end: turn.end };
}

/** The syncLoop's first event of the result's channel from then on. */
export const firstOfChannel = (subject: PathSubject, { at, subject: { probe } }: TraceEvent<'resultSet'>) =>
  loopEvents(subject).find((event) => event.at >= at && event.payload.channel === probe);

/** Rows of a node's syncLoop by the one Pod that they are about. */
const loopRows = memoizedWeakly((reader: TraceReader) =>
  memoized((node: string): ReadonlyMap<string, readonly number[]> => {
    const found = new Map<string, number[]>();
    for (const row of syncLoopOf(reader, node).flatMap((subject) => [...reader.rowsOf(subject)])) {
      if (reader.kindOf(row) !== 'syncLoop') continue;
      const pod = String(reader.field(row, 'pods'));
      const rows = found.get(pod);
      if (rows) rows.push(row);
      else found.set(pod, [row]);
    }
    return found;
  }),
);

/** What the syncLoop of the Pod's node received about it alone. */
export const loopEvents = ({ run: { reader }, pod }: PathSubject): readonly TraceEvent<'syncLoop'>[] =>
  (loopRows(reader)(pod.node).get(pod.name) ?? []).flatMap(
    (row) => asKind(reader.event({ row, ordinal: 0 }), 'syncLoop') ?? [],
  );
