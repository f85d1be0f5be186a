/** What must hold before the first hop, and beside it: links without a number. Read from the objects that the API server stores. */
import type { Micros } from '../base/units.ts';
import type { PodInput } from '../sim/scenario.ts';
import { apiPodKey, conditionOf, type PodStatus } from '../sim/trace/podObject.ts';
import { removalsOf } from '../sim/trace/removals.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { historyOf } from '../sim/trace/storedObjects.ts';
import { isAwaited, isInTheWay } from './answer.ts';
import { isByHand } from './backendAt.ts';
import { hasInit, initSteps, pendingInit } from './initContainers.ts';
import { nodeTroubleAt, nodeTroubles } from './nodeReach.ts';
import { unschedulableReason } from './scheduling.ts';
import type { AppState } from './stateAt.ts';
import type { Link, LinkKind, WhyQuestion } from './why.ts';

/** The parts of a stored Pod that the links read. */
interface PodJson {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>>; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
  readonly status?: PodStatus;
}
/** From `at` on the API server has the Pod so; null: it has none. */
interface PodVersion {
  readonly at: Micros;
  readonly pod: PodJson | null;
}

/** A link as a question asked of each version of the Pod. */
interface Condition {
  readonly kind: LinkKind;
  readonly holds: (pod: PodJson | null, at: Micros) => boolean;
  readonly value: (pod: PodJson | null, at: Micros) => string;
  /** Which container it is about, where it is about one. */
  readonly container?: (at: Micros) => string;
  /** Instants beside the Pod's versions at which the answer may change. */
  readonly also?: readonly Micros[];
}

/** Conditions of the Pod object and of the selector; and its readiness gates, which count only once the containers are ready. */
export function preconditions(
  run: FinishedRun,
  question: WhyQuestion,
  apps: readonly AppState[],
): { readonly conditions: readonly Link[]; readonly gates: readonly Link[] } {
  const versions = versionsOf(run, question);
  const linkOf = (condition: Condition): Link => linkAt(versions, question.at, condition);
  const { pod, service } = question;
  const selector = (at: Micros) => selectorAt(run, service, at);
  const gates = pod.readinessGates.map((type): Condition => {
    const statusOf = (stored: PodJson | null): string => conditionOf(stored?.status ?? {}, type)?.status ?? '';
    return {
      kind: 'gate',
      holds: (stored) => statusOf(stored) === 'True',
      value: (stored) => `${type}${statusOf(stored) === '' ? '' : `=${statusOf(stored)}`}`,
    };
  });
  const selected: Condition = {
    kind: 'selected',
    holds: (stored, at) => isSelected(stored, selector(at)),
    value: (_stored, at) => textOf(selector(at)),
    also: historyOf(run.reader, 'services', service).map(({ at }) => at),
  };
  const conditions: readonly Condition[] = [
    { kind: 'exists', holds: (stored) => stored !== null, value: () => '' },
    {
      kind: 'kept',
      holds: (stored) => stored !== null && stored.metadata.deletionTimestamp === undefined,
      value: () => '',
    },
    {
      kind: 'scheduled',
      holds: (stored) => nodeOf(stored) !== '',
      value: (stored, at) => nodeOf(stored) || unschedulableReason(run, pod, at),
    },
    ...touchOf(run, pod.node),
    // A Service without a selector has what is written into its slices by hand.
    ...(isByHand(run.reader, service) ? [] : [selected]),
    { kind: 'address', holds: (stored) => addressOf(stored) !== '', value: addressOf },
    ...initOf(run, pod),
  ];
  const trouble = nodeTroubleAt(run.scenario, pod.node, question.at);
  const weighed = (link: Link): Link => {
    if (link.kind === 'node') return { ...link, matters: trouble === null || isInTheWay(trouble, apps) };
    const pending = link.kind === 'init' ? pendingInit(run, pod, question.at) : null;
    return pending === null ? link : { ...link, since: pending.since, matters: isAwaited(pending, pod, apps) };
  };
  return { conditions: conditions.map(linkOf).map(weighed), gates: gates.map(linkOf) };
}

/** That its init containers have run to their end; empty of a Pod without. */
const initOf = (run: FinishedRun, pod: PodInput): readonly Condition[] =>
  hasInit(pod)
    ? [
        {
          kind: 'init',
          holds: (stored, at) => stored !== null && pendingInit(run, pod, at) === null,
          value: (_stored, at) => pendingInit(run, pod, at)?.state ?? '',
          container: (at) => pendingInit(run, pod, at)?.container ?? '',
          also: initSteps(run, pod),
        },
      ]
    : [];

/** That its node is in touch; empty where nothing ever keeps it from that. */
function touchOf({ scenario }: FinishedRun, node: string): readonly Condition[] {
  const troubles = nodeTroubles(scenario, node);
  const troubleAt = (at: Micros) => nodeTroubleAt(scenario, node, at);
  const touch: Condition = {
    kind: 'node',
    holds: (_stored, at) => troubleAt(at) === null,
    value: (_stored, at) => troubleAt(at)?.trouble ?? node,
    also: troubles.flatMap(({ since, until }) => (until === null ? [since] : [since, until])),
  };
  return troubles.length === 0 ? [] : [touch];
}

/** Labels that the Service selects by at `at`; null without a selector. */
export function selectorAt(run: FinishedRun, service: string, at: Micros): Readonly<Record<string, string>> | null {
  const version = historyOf(run.reader, 'services', service).findLast((one) => one.at <= at);
  return version?.object?.spec.selector ?? null;
}

const nodeOf = (stored: PodJson | null): string => stored?.spec.nodeName ?? '';
const addressOf = (stored: PodJson | null): string => stored?.status?.podIP ?? '';
/** Null: the Service is not there yet. */
const isSelected = (stored: PodJson | null, selector: Readonly<Record<string, string>> | null): boolean =>
  Object.entries(selector ?? {}).every(([key, value]) => stored?.metadata.labels?.[key] === value);
const textOf = (labels: Readonly<Record<string, string>> | null): string =>
  Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

function versionsOf({ reader }: FinishedRun, { pod }: WhyQuestion): readonly PodVersion[] {
  const stored = reader
    .versionsOf(apiPodKey(pod.identity))
    .map(({ index, since }): PodVersion => ({ at: since, pod: JSON.parse(reader.versionText(index)) as PodJson }));
  const removed = removalsOf(reader, pod.identity).map(({ at }): PodVersion => ({ at, pod: null }));
  return [...stored, ...removed].sort((a, b) => a.at - b.at);
}

function linkAt(
  versions: readonly PodVersion[],
  t: Micros,
  { kind, holds, value, container, also = [] }: Condition,
): Link {
  const podAt = (at: Micros): PodJson | null => versions.findLast((version) => version.at <= at)?.pod ?? null;
  const steps = [...versions.map(({ at }) => at), ...also]
    .sort((a, b) => a - b)
    .map((at) => ({ at, says: holds(podAt(at), at) }));
  const now = steps.findLast(({ at }) => at <= t);
  const isYes = now?.says ?? false;
  const since = steps[steps.findLastIndex(({ at, says }) => at <= t && says !== isYes) + 1];
  return {
    kind,
    hop: null,
    container: container?.(t) ?? '',
    probe: null,
    says: isYes ? 'yes' : 'no',
    value: value(podAt(t), t),
    since: since !== undefined && since.at <= t ? since.at : null,
    comesAt: isYes ? null : (steps.find(({ at, says }) => at > t && says)?.at ?? null),
    matters: true,
  };
}
