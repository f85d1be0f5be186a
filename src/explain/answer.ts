/** The one sentence: is the Pod Ready in the API, and if not, what is the first thing that is missing. */
import type { Micros } from '../base/units.ts';
import { listenerAt, type PodInput, type ProbeKind } from '../sim/scenario.ts';
import { apiPodKey, conditionOf, containerStatusOf, type PodStatus } from '../sim/trace/podObject.ts';
import { removalsOf } from '../sim/trace/removals.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { historyOf } from '../sim/trace/storedObjects.ts';
import { type BackendAnswer, backendAnswer } from './backendAnswer.ts';
import { backendAt, type ServiceView } from './backendAt.ts';
import { endpointHistories } from './endpointHistory.ts';
import { type PendingInit, pendingInit } from './initContainers.ts';
import { backOffAt } from './nextTry.ts';
import { type NodeTrouble, nodeTroubleAt, type Trouble } from './nodeReach.ts';
import { hasKubelet } from './podsOf.ts';
import { readySince } from './readySince.ts';
import { unschedulableReason } from './scheduling.ts';
import type { AppState, PodState, WorkerState } from './stateAt.ts';

/** Why a Pod is not (or still) Ready. Facts only; `words` says it in a language. */
export type Because =
  | { readonly kind: 'notCreated'; readonly at: Micros }
  | { readonly kind: 'removed'; readonly at: Micros }
  | { readonly kind: 'settled'; readonly version: number }
  /** Ready, though the app does not serve: its readiness result is still a success. */
  | { readonly kind: 'stillReady'; readonly container: string; readonly app: string }
  /** Ready, though the app does not serve: no readiness probe asks it. */
  | { readonly kind: 'notAsked'; readonly container: string; readonly app: string }
  /** In the slices under a port on which none of its containers listens. */
  | { readonly kind: 'noListener'; readonly port: number }
  | {
      readonly kind: 'appWaiting';
      readonly container: string;
      readonly reason: string;
      /** End of the back-off; null when it waits for none. */
      readonly notBefore: Micros | null;
    }
  /** It is being deleted since `since`; `app` is its first container that does not serve, '' for none. */
  | { readonly kind: 'deleting'; readonly since: Micros; readonly container: string; readonly app: string }
  /** It has no node; `reason`: what the scheduler says, '' when it has said nothing. */
  | { readonly kind: 'unscheduled'; readonly reason: string }
  /** An init container has not run to its end: those after it wait. */
  | ({ readonly kind: 'initContainer' } & PendingInit)
  | { readonly kind: 'appNotServing'; readonly container: string; readonly app: string }
  | {
      readonly kind: 'belowThreshold';
      readonly container: string;
      readonly probe: ProbeKind;
      readonly run: number;
      readonly threshold: number;
      readonly nextAttempt: Micros | null;
    }
  | { readonly kind: 'probing'; readonly container: string; readonly probe: ProbeKind }
  /** The startup probe has failed for good: the kubelet is about to kill the container. */
  | { readonly kind: 'startupFailed'; readonly container: string }
  | {
      readonly kind: 'waitingForProbe';
      readonly container: string;
      readonly probe: ProbeKind;
      readonly nextAttempt: Micros | null;
    }
  /** The containers are ready; nobody has set the condition of a readiness gate (K-187). */
  | { readonly kind: 'gate'; readonly condition: string }
  | { readonly kind: 'waitingForSync'; readonly probed: boolean }
  /** The node controller has given the node up, and marked its Pods (N-031, N-033). */
  | { readonly kind: 'nodeSilent'; readonly node: string; readonly since: Micros }
  /** Nothing is heard of its node since `since`, for a reason that the scenario has; `givenUp`: as `nodeSilent`, null before that. */
  | {
      readonly kind: 'nodeTrouble';
      readonly node: string;
      readonly trouble: Trouble;
      readonly since: Micros;
      readonly givenUp: Micros | null;
      readonly isReady: boolean;
    }
  | { readonly kind: 'waitingForPatch'; readonly version: number; readonly committedAt: Micros | null };

/** What speaks against a Pod that the API has as Ready. */
export const isDoubt = ({ kind }: Because): boolean =>
  kind === 'stillReady' || kind === 'notAsked' || kind === 'nodeTrouble' || kind === 'noListener';

export interface Answer {
  readonly verdict: 'absent' | 'notReady' | 'ready';
  /** Since when the verdict holds; null for an absent Pod. */
  readonly since: Micros | null;
  readonly because: Because;
  /** What the control plane and the proxies make of it. */
  readonly backend: BackendAnswer | null;
}

/** `views`: the Services to speak of; all that ever list the Pod unless given. */
export function answerAt(
  run: FinishedRun,
  state: PodState,
  views: readonly ServiceView[] = backendAt(run, state.pod, state.at),
): Answer {
  const { api, pod, at } = state;
  if (api === null) return { verdict: 'absent', since: null, because: whyAbsent(run, pod, at), backend: null };
  const since = readySince(run, pod, at);
  const ready = conditionOf(api.status, 'Ready')?.status === 'True';
  return {
    verdict: ready ? 'ready' : 'notReady',
    since,
    because: nodeTrouble(run, state, ready) ?? (ready ? whyReady(run, state, views) : whyNotReady(run, state)),
    backend: backendAnswer(views, state, ready, since),
  };
}

function whyAbsent({ reader }: FinishedRun, { identity, createdAt }: PodInput, at: Micros): Because {
  const removal = removalsOf(reader, identity).findLast((candidate) => candidate.at <= at);
  return removal === undefined ? { kind: 'notCreated', at: createdAt } : { kind: 'removed', at: removal.at };
}

/** The trouble that the Pod's node is in, where nothing nearer to the app explains what the API says; null where something does. */
function nodeTrouble(run: FinishedRun, state: PodState, isReady: boolean): Because | null {
  const { pod, at, apps } = state;
  const found = nodeTroubleAt(run.scenario, pod.node, at);
  if (found === null || !isInTheWay(found, apps)) return null;
  return {
    kind: 'nodeTrouble',
    node: pod.node,
    trouble: found.trouble,
    since: found.since,
    givenUp: isReady ? null : silentSince(run, state),
    isReady,
  };
}

/** An app that does not serve would be no backend on a node in touch either; without power there is no app. */
export const isInTheWay = ({ trouble }: NodeTrouble, apps: readonly AppState[]): boolean =>
  trouble === 'off' || apps.every(({ state }) => state === 'serving');

/** Ready, and true to the app; or Ready only because nobody has noticed yet. */
function whyReady(run: FinishedRun, state: PodState, views: readonly ServiceView[]): Because {
  const { apps, workers, kubelet, pod } = state;
  const broken = apps.find((app) => app.state !== 'serving');
  const port = views.flatMap(({ service, slice }) => (slice.value === 'ready' ? unheard(run, pod, service) : []))[0];
  if (broken === undefined && port !== undefined) return { kind: 'noListener', port };
  if (broken === undefined) return { kind: 'settled', version: kubelet?.version ?? 0 };
  const { container, state: app } = broken;
  const isAsked = workers.some((worker) => worker.container === container && worker.probe === 'readiness');
  const hasProcess = app !== 'waiting' && app !== 'exited';
  return { kind: hasProcess && !isAsked ? 'notAsked' : 'stillReady', container, app };
}

/** Target ports of a Service on which no container of the Pod listens. */
const unheard = ({ reader }: FinishedRun, pod: PodInput, service: string): readonly number[] =>
  endpointHistories(reader, service).flatMap((history) => {
    const isOwn = hasKubelet(pod) && history.uid === pod.uid && history.port !== null;
    return isOwn && history.targetPort !== null && listenerAt(pod, history.targetPort) === undefined
      ? [history.targetPort]
      : [];
  });

/** The first missing link, from the app outwards: process, startup probe, readiness probe, pass, PATCH. */
function whyNotReady(run: FinishedRun, state: PodState): Because {
  const { kubelet, patch, api } = state;
  if (api !== null && !api.isBound)
    return { kind: 'unscheduled', reason: unschedulableReason(run, state.pod, state.at) };
  if (kubelet !== null && conditionOf(kubelet.status, 'Ready')?.status === 'True') {
    const since = silentSince(run, state);
    if (since !== null) return { kind: 'nodeSilent', node: state.pod.node, since };
    return { kind: 'waitingForPatch', version: kubelet.version, committedAt: committedAt(patch) };
  }
  const init = pendingInit(run, state.pod, state.at);
  if (init !== null && isAwaited(init, state.pod, state.apps)) return { kind: 'initContainer', ...init };
  const since = api?.isDeleted ? deletedSince(run, state.pod) : null;
  if (since !== null) {
    const { container = '', state: app = '' } = state.apps.find((one) => one.state !== 'serving') ?? {};
    return { kind: 'deleting', since, container, app };
  }
  for (const app of state.apps) {
    const because = whyContainerNotReady(run, state, app);
    if (because !== null) return because;
  }
  const gate = kubelet === null ? undefined : closedGate(state.pod.readinessGates, kubelet.status);
  if (gate !== undefined) return { kind: 'gate', condition: gate };
  return { kind: 'waitingForSync', probed: state.workers.some(({ probe }) => probe !== 'liveness') };
}

/** Not where a sidecar that stands before it in the list does not run: that one is what is waited for. */
export const isAwaited = (
  { container }: PendingInit,
  { initContainers }: PodInput,
  apps: readonly AppState[],
): boolean => {
  const place = (name: string): number => initContainers.findIndex((own) => own.name === name);
  const before = apps.filter((app) => place(app.container) >= 0 && place(app.container) < place(container));
  return before.every(({ state }) => state === 'serving');
};

/** First version of the Pod that has a deletionTimestamp. */
const deletedSince = ({ reader }: FinishedRun, { identity }: PodInput): Micros | null =>
  reader.versionsOf(apiPodKey(identity)).find(({ index }) => reader.versionText(index).includes('"deletionTimestamp"'))
    ?.since ?? null;

/** Since when the API has not known the state of the Pod's node; null when it does, or when the containers are not ready either. */
function silentSince({ reader }: FinishedRun, { api, pod, at }: PodState): Micros | null {
  if (api === null || conditionOf(api.status, 'ContainersReady')?.status !== 'True') return null;
  const history = historyOf(reader, 'nodes', pod.node).filter((version) => version.at <= at);
  const known = history.findLastIndex(
    ({ object }) => object?.status.conditions?.find(({ type }) => type === 'Ready')?.status !== 'Unknown',
  );
  return history[known + 1]?.at ?? null;
}

/** The first gate that holds Ready back, once the containers are ready. */
const closedGate = (gates: readonly string[], status: PodStatus): string | undefined =>
  conditionOf(status, 'ContainersReady')?.status === 'True'
    ? gates.find((type) => conditionOf(status, type)?.status !== 'True')
    : undefined;

const committedAt = (patch: PodState['patch']): Micros | null =>
  patch === null ? null : (patch.payload.committedAt as Micros);

function whyContainerNotReady(
  run: FinishedRun,
  { pod, at, workers, kubelet }: PodState,
  app: AppState,
): Because | null {
  const { container } = app;
  if (app.state === 'waiting' || app.state === 'exited') {
    const status = kubelet === null ? null : containerStatusOf(kubelet.status, container);
    const notBefore = backOffAt(run, pod, container, at);
    return { kind: 'appWaiting', container, reason: status?.state.waiting?.reason ?? '', notBefore };
  }
  const gates = workers.filter((worker) => worker.container === container && worker.probe !== 'liveness');
  const missing = gates.find((worker) => worker.result?.value !== 'success');
  if (missing?.probe === 'startup' && missing.result?.value === 'failure' && app.state !== 'stopping') {
    return { kind: 'startupFailed', container };
  }
  if (app.state !== 'serving' && missing !== undefined) {
    return { kind: 'appNotServing', container, app: app.state };
  }
  return missing === undefined ? null : whyNoResult(missing);
}

function whyNoResult({ container, probe, node, spec, nextAttempt }: WorkerState): Because {
  if (node?.state === 'probing') return { kind: 'probing', container, probe };
  if (node?.lastResult === 'success' && node.resultRun > 0 && node.resultRun < spec.successThreshold) {
    const { resultRun: run } = node;
    return { kind: 'belowThreshold', container, probe, run, threshold: spec.successThreshold, nextAttempt };
  }
  return { kind: 'waitingForProbe', container, probe, nextAttempt };
}
