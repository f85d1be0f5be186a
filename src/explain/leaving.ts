/** How a Pod stops being a backend the last time. Fields as in the page of `traces/endtoend`. */
import type { Micros } from '../base/units.ts';
import { conditionOf, podStatusOf } from '../sim/trace/podObject.ts';
import type { TraceEvent } from '../sim/trace/reader.ts';
import { removalsOf } from '../sim/trace/removals.ts';
import { historyOf } from '../sim/trace/storedObjects.ts';
import { fallbackOf } from './fallback.ts';
import { eventsOfKind } from './lookUp.ts';
import { nodeTroubles } from './nodeReach.ts';
import type { Leaving, LeavingCause, LeavingNode, Moment } from './path.ts';
import {
  answerSteps,
  apiCommits,
  attemptBehind,
  attemptsOf,
  firstOfChannel,
  holdingSteps,
  momentOf,
  type PathSubject,
  podEvents,
  syncOf,
} from './pathSubject.ts';

/** Null when the slices never stop having it ready. */
export function leavingOf(subject: PathSubject): Leaving | null {
  const { steps } = subject.history;
  const index = steps.findLastIndex((step, i) => step.state !== 'ready' && steps[i - 1]?.state === 'ready');
  const slice = steps[index];
  if (slice === undefined) return null;
  const commits = apiCommits(subject);
  const ceased = commits.findLast(({ at, fits }, i) => at <= slice.at && !fits && commits[i - 1]?.fits);
  const cause = ceased === undefined || ceased.isDeleted ? null : causeOf(subject, ceased);
  const hasReturned = steps.slice(index).some(({ state }) => state === 'ready');
  const stops = answerSteps(subject).findLast(({ at, answers }) => !answers && (!hasReturned || at <= slice.at));
  const goneFrom = steps.findLastIndex(({ state }) => state !== 'absent') + 1;
  return {
    ...(cause ?? BY_DELETION),
    deleteCommit: momentOf(commits.find(({ isDeleted, isRemoved }) => isDeleted && !isRemoved)),
    patchCommit: cause && momentOf(ceased),
    appStopsAnswering: momentOf(stops),
    sliceCommit: { at: slice.at, ref: slice.ref },
    terminatingSlice: momentOf(steps.find(({ isTerminating }) => isTerminating)),
    sliceRemoved: goneFrom >= index ? momentOf(steps[goneFrom]) : null,
    podRemoved: momentOf(removalsOf(subject.run.reader, subject.pod.identity).at(-1)),
    nodes: (subject.run.scenario.cluster?.proxies ?? []).map(({ name, node }) =>
      leavingNode(subject, name, node, slice.at, stops?.at ?? null),
    ),
  };
}

type Cause = Pick<
  Leaving,
  'cause' | 'statusVersion' | 'resultSet' | 'probe' | 'syncLoop' | 'containerExit' | 'conditionPatch' | 'nodeSilent'
>;
const NOTHING = {
  statusVersion: null,
  resultSet: null,
  probe: null,
  syncLoop: null,
  containerExit: null,
  conditionPatch: null,
  nodeSilent: null,
} as const;
const BY_DELETION: Cause = { cause: 'delete', ...NOTHING };

/** What made Ready False in the last status that says so before the commit. */
function causeOf(subject: PathSubject, ceased: Moment): Cause | null {
  const commit = ceased.at;
  if (!isOfKubelet(subject, commit)) {
    const nodeSilent = silencedBefore(subject, commit);
    return { ...NOTHING, cause: nodeSilent === null ? 'marked' : 'node', nodeSilent };
  }
  const sets = podEvents(subject, 'statusSet').map((event) => ({ event, ready: isReadySet(subject, event) }));
  const set = sets.findLast(({ event, ready }, i) => event.at <= commit && !ready && sets[i - 1]?.ready)?.event;
  if (set === undefined) return null;
  const statusVersion = { at: set.at, ref: set.ref, version: set.payload.version };
  const upTo = <T extends { readonly at: Micros }>(events: readonly T[]): T | null =>
    events.findLast(({ at }) => at <= set.at) ?? null;
  const failure = upTo(failures(subject, 'readiness'));
  const exit = upTo(podEvents(subject, 'containerExit'));
  const patch = upTo(podEvents(subject, 'action').filter(({ payload }) => payload.action === 'patchCondition'));
  const last = [failure, exit, patch]
    .filter((event) => event !== null)
    .sort((a, b) => b.at - a.at || b.ref.row - a.ref.row);
  switch (last[0]?.kind) {
    case 'resultSet':
      return { ...NOTHING, statusVersion, ...failed(subject, 'readiness', last[0]) };
    case 'containerExit': {
      const kill = killedFor(subject, last[0]);
      const by =
        kill === null ? { cause: 'containerExit' as const } : failed(subject, kill.subject.probe as LeavingCause, kill);
      return { ...NOTHING, statusVersion, ...by, containerExit: momentOf(last[0]) };
    }
    case 'action':
      return { ...NOTHING, cause: 'condition', statusVersion, conditionPatch: momentOf(last[0]) };
    default:
      return null;
  }
}

/** A commit of what the Pod's kubelet sent. */
const isOfKubelet = (subject: PathSubject, commit: Micros): boolean =>
  podEvents(subject, 'apiRequest').some(({ payload }) => payload.committedAt === commit);

/** The action that silenced the Pod's node until then; null where none did. */
function silencedBefore({ run: { reader, scenario }, pod }: PathSubject, commit: Micros): Moment | null {
  const versions = historyOf(reader, 'nodes', pod.node);
  const conditions = versions.findLast(({ at }) => at <= commit)?.object?.status.conditions ?? [];
  const isGivenUp = conditions.some(({ type, status }) => type === 'Ready' && status === 'Unknown');
  const [trouble] = nodeTroubles(scenario, pod.node)
    .filter(({ since }) => since <= commit)
    .sort((a, b) => b.since - a.since);
  if (!isGivenUp || trouble === undefined) return null;
  const ofNode = [...reader.subjects.entries()].filter(
    ([, subject]) => subject.pod === '' && subject.node === pod.node,
  );
  const actions = eventsOfKind(
    reader,
    ofNode.map(([index]) => index),
    'action',
  );
  return momentOf(actions.find(({ at }) => at === trouble.since));
}

const isReadySet = ({ run: { reader } }: PathSubject, { payload }: TraceEvent<'statusSet'>): boolean =>
  payload.object >= 0 && conditionOf(podStatusOf(reader, payload.object), 'Ready')?.status === 'True';

/** Failures of that probe of any container that came by an attempt. */
const failures = (subject: PathSubject, probe: string): readonly TraceEvent<'resultSet'>[] =>
  podEvents(subject, 'resultSet').filter(
    (event) =>
      event.payload.result === 'failure' && event.subject.probe === probe && attemptBehind(subject, event) !== null,
  );

const failed = (subject: PathSubject, cause: LeavingCause, result: TraceEvent<'resultSet'>) => ({
  cause,
  resultSet: momentOf(result),
  probe: attemptBehind(subject, result),
  syncLoop: momentOf(firstOfChannel(subject, result)),
});

/** The failure for which the kubelet killed the container; null when it ended by itself, or for another reason. */
function killedFor(subject: PathSubject, exit: TraceEvent<'containerExit'>): TraceEvent<'resultSet'> | null {
  if (exit.payload.cause === 'script') return null;
  const { container } = exit.subject;
  const made = podEvents(subject, 'createContainer', container);
  const id = made.findLast(({ end, payload }) => end <= exit.at && payload.attempt === exit.payload.attempt)?.payload
    .id;
  const all = [...failures(subject, 'liveness'), ...failures(subject, 'startup')];
  return all.findLast(({ at, payload }) => payload.id === id && at <= exit.at) ?? null;
}

function leavingNode(
  subject: PathSubject,
  proxy: string,
  node: string,
  slice: Micros,
  stops: Micros | null,
): LeavingNode {
  const { reader } = subject.run;
  const change = holdingSteps(subject, proxy).find(
    ({ at, holds, ref }) => at > slice && !holds && syncOf(reader, ref) !== null,
  );
  const before = attemptsOf(subject, proxy).filter(({ at }) => change === undefined || at < change.at);
  return {
    node,
    proxy,
    rulesWithout: momentOf(change),
    proxySyncStart: change === undefined ? null : momentOf(syncOf(reader, change.ref)),
    lastRequestSent: momentOf(before.at(-1)),
    lastServed: momentOf(before.findLast(({ payload }) => payload.outcome === 'served')),
    lastFailed: momentOf(
      before.findLast(({ end, payload }) => payload.outcome !== 'served' && stops !== null && end >= stops),
    ),
    fallback: fallbackOf(subject, node, slice, change?.at ?? null),
  };
}
