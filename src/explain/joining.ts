/** How a Pod becomes a backend the first time. Fields as in the page of `traces/endtoend`. */
import type { Micros } from '../base/units.ts';
import { apiPodKey, conditionOf, type PodStatus, podStatusOf } from '../sim/trace/podObject.ts';
import type { TraceEvent } from '../sim/trace/reader.ts';
import type { Joining, JoiningNode, Moment } from './path.ts';
import {
  answerSteps,
  attemptBehind,
  attemptsOf,
  clientsOf,
  firstOfChannel,
  holdingSteps,
  loopEvents,
  momentOf,
  type PathSubject,
  podEvents,
  syncOf,
} from './pathSubject.ts';

export function joiningOf(subject: PathSubject): Joining {
  const { run, pod, history, container } = subject;
  const { reader } = run;
  const slice = history.steps.find(({ state }) => state === 'ready');
  const started = podEvents(subject, 'startContainer', container).find(({ end }) => end < reader.data.horizon);
  const status = firstStatus(subject);
  const result = status && lastSuccess(subject, status.at);
  return {
    containerStarted: started === undefined ? null : { at: started.end, ref: started.ref },
    appCanAnswer: momentOf(answerSteps(subject).find(({ answers }) => answers)),
    probe: result && attemptBehind(subject, result),
    resultSet: momentOf(result),
    syncLoop: status && momentOf(result ? firstOfChannel(subject, result) : lastStarted(subject, status.at)),
    conditionPatch: status && pod.readinessGates.length > 0 ? lastGateOpened(subject, status.at) : null,
    statusVersion: status,
    patchCommit: firstCommit(subject, slice?.at ?? reader.data.horizon),
    sliceCommit: momentOf(slice),
    nodes: (run.scenario.cluster?.proxies ?? []).map(({ name, node }) => joiningNode(subject, name, node)),
  };
}

/** Good enough to be listed as ready: Ready, or where not ready addresses are published an address. */
const isEnough = ({ publishesNotReady }: PathSubject, status: PodStatus): boolean =>
  publishesNotReady ? status.podIP !== undefined : conditionOf(status, 'Ready')?.status === 'True';

function firstStatus(subject: PathSubject): Joining['statusVersion'] {
  const { reader } = subject.run;
  const set = podEvents(subject, 'statusSet').find(
    ({ payload }) => payload.object >= 0 && isEnough(subject, podStatusOf(reader, payload.object)),
  );
  return set === undefined ? null : { at: set.at, ref: set.ref, version: set.payload.version };
}

function firstCommit(subject: PathSubject, until: Micros): Moment | null {
  const { reader } = subject.run;
  const version = reader
    .versionsOf(apiPodKey(subject.pod.identity))
    .find(({ index, since }) => since <= until && isEnough(subject, podStatusOf(reader, index)));
  return version === undefined ? null : { at: version.since, ref: { row: version.row, ordinal: 0 } };
}

/** The last success of readiness or startup of any container at or before `until`. */
export const lastSuccess = (subject: PathSubject, until: Micros): TraceEvent<'resultSet'> | null =>
  podEvents(subject, 'resultSet').findLast(
    ({ at, payload, subject: { probe } }) => at <= until && payload.result === 'success' && probe !== 'liveness',
  ) ?? null;

/** What made the kubelet look, where no probe did. An address alone needs no such message. */
const lastStarted = (subject: PathSubject, until: Micros) =>
  subject.publishesNotReady
    ? null
    : loopEvents(subject).findLast(
        ({ at, payload }) => at <= until && payload.channel === 'pleg' && payload.op === 'ContainerStarted',
      );

function lastGateOpened(subject: PathSubject, until: Micros): Moment | null {
  const opened = podEvents(subject, 'action').findLast(
    ({ at, payload: { action, detail } }) => at <= until && action === 'patchCondition' && detail.endsWith('=True'),
  );
  return momentOf(opened);
}

function joiningNode(subject: PathSubject, proxy: string, node: string): JoiningNode {
  const { reader } = subject.run;
  const change = holdingSteps(subject, proxy).find(({ holds, ref }) => holds && syncOf(reader, ref) !== null);
  const attempts = attemptsOf(subject, proxy);
  const served = attempts.find(({ payload }) => payload.outcome === 'served');
  return {
    node,
    proxy,
    isAsked: clientsOf(subject.run, subject.history.service, subject.history.port, proxy).size > 0,
    rulesInForce: momentOf(change),
    proxySyncStart: change === undefined ? null : momentOf(syncOf(reader, change.ref)),
    firstRequestSent: momentOf(attempts[0]),
    firstServed: served === undefined ? null : { at: served.at, ref: served.ref, end: served.end },
  };
}
