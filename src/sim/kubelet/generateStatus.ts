import {
  type ContainerState,
  type ContainerStatus,
  containerOf,
  DISRUPTION_TARGET,
  EMPTY_STATUS,
  isKubeletCondition,
  isTerminal,
  type PodPhase,
  type PodStatus,
  type TerminatedState,
} from '../api/podStatus.ts';
import type { ContainerInput, PodInput } from '../scenario.ts';
import type { WallClock } from '../world/wallClock.ts';
import type { Behaviour } from './behaviour.ts';
import { shouldBeStarted } from './runtime/podActions.ts';
import type { ContainerRecord, RuntimePod } from './runtime/records.ts';
import { isCleanedUp, mayRestartAll, shouldRestartAll } from './runtime/restartAll.ts';
import { restartsAfterExit } from './runtime/restartRule.ts';
import type { WaitingReason } from './runtime/runtimeManager.ts';
import {
  type AnyCondition,
  initializedCondition,
  type NewCondition,
  type ReadinessInput,
  readyConditions,
  restartingAllCondition,
  sandboxCondition,
  scheduledCondition,
  withCondition,
} from './status/conditions.ts';
import type { NewStatus } from './status/statusManager.ts';

export interface GenerateInput {
  readonly pod: PodInput;
  /** A deletion has been asked for. */
  readonly deleted: boolean;
  readonly view: RuntimePod;
  /** The cached status, else the API's. */
  readonly old: PodStatus | undefined;
  /** The status of the pod manager's object. */
  readonly stored: PodStatus | undefined;
  /** True in the last status of a Pod: exited containers decide the phase whatever the policy (K-207). */
  readonly podIsTerminal: boolean;
  /** activeDeadlineSeconds are over (K-208). */
  readonly pastDeadline: boolean;
  /** The Pod was refused inside SyncPod, as up to 1.30. */
  readonly blocked: { readonly reason: string; readonly message: string } | null;
  readonly behaviour: Behaviour;
  readonly wall: WallClock;
  /** Why a container was not started when last tried. */
  readonly waitingReason: (container: string) => WaitingReason | undefined;
  /** The prober manager's part: `started` and `ready`. */
  readonly updatePodStatus: (
    containers: readonly ContainerStatus[],
    initContainers: readonly ContainerStatus[],
  ) => { readonly containers: readonly ContainerStatus[]; readonly initContainers: readonly ContainerStatus[] };
}

/** Reason and message of a Pod that its activeDeadlineSeconds ended. */
export const DEADLINE = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/**
 * The Pod's status as the kubelet sees it now.
 * Source: pkg/kubelet/kubelet_pods.go, generateAPIPodStatus, convertStatusToAPIStatus, getPhase (K-200 to K-209).
 */
export function generateStatus(input: GenerateInput): NewStatus {
  const status = statusOfWorld(input);
  return input.blocked && !isTerminal(status.phase) ? block(status, input.blocked) : status;
}

/** canRunPod said no: the waiting reason is the only trace that it leaves (kubelet.go of that age, syncPod). */
function block(status: NewStatus, { reason, message }: NonNullable<GenerateInput['blocked']>): NewStatus {
  const blocked = (container: ContainerStatus): ContainerStatus =>
    container.state.is === 'waiting' ? { ...container, state: { ...container.state, reason: 'Blocked' } } : container;
  return {
    ...status,
    phase: 'Pending',
    reason,
    message,
    containerStatuses: status.containerStatuses.map(blocked),
    initContainerStatuses: status.initContainerStatuses.map(blocked),
  };
}

function statusOfWorld(input: GenerateInput): NewStatus {
  const { pod, view, stored, behaviour } = input;
  const old = input.old ?? EMPTY_STATUS;
  const convert = (container: ContainerInput): ContainerStatus => convertContainer(input, old, container);
  const converted = pod.containers.map(convert);
  const convertedInit = pod.initContainers.map(convert);
  const { phase, reason, message } = choosePhase(
    input,
    old,
    phaseOf(pod, converted, convertedInit, input.podIsTerminal),
  );
  const { containers, initContainers } = input.updatePodStatus(converted, convertedInit);
  const foreign = foreignConditions(stored, old);
  const parts: ReadinessInput = { pod, containers, initContainers, phase, conditions: foreign };
  const wasInitialized = old.conditions.some(({ type, status }) => type === 'Initialized' && status === 'True');
  const { ready, containersReady } = readyConditions(parts);
  const conditions: AnyCondition[] = [...foreign];
  if (behaviour.hasSandboxCondition) conditions.push(sandboxCondition(view, behaviour));
  conditions.push(initializedCondition(parts, wasInitialized), ready, containersReady, scheduledCondition);
  if (mayRestartAll(pod)) conditions.push(restartingCondition(input, phase));
  const { ip = '', ipv6 = '' } = view.sandboxes.at(-1) ?? {};
  return {
    phase,
    reason,
    message,
    podIPs: [ip, ipv6].filter((address) => address !== ''),
    conditions,
    initContainerStatuses: initContainers,
    // Regular ones by name, init containers in spec order (K-181).
    containerStatuses: containers.length < 2 ? containers : containers.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** AllContainersRestarting: from the exit that asks for it until nothing is left of the containers (K-061). */
function restartingCondition({ pod, deleted, view, old }: GenerateInput, phase: PodPhase): NewCondition {
  const restarts = !deleted && shouldRestartAll(pod, view, old) && !isCleanedUp(view);
  return restartingAllCondition(restarts, phase);
}

/** Those of the API's object; DisruptionTarget as the last status has it, where the kubelet may have put it (K-209). */
function foreignConditions(stored: PodStatus | undefined, old: PodStatus): PodStatus['conditions'] {
  const foreign = stored?.conditions.filter((condition) => !isKubeletCondition(condition)) ?? [];
  const disruption = old.conditions.find(({ type }) => type === DISRUPTION_TARGET);
  return disruption === undefined ? foreign : withCondition(foreign, disruption);
}

/** K-200: the newest instance gives the state, the second newest the last state. */
function convertContainer(
  { pod, deleted, view, wall, waitingReason, behaviour }: GenerateInput,
  old: PodStatus,
  container: ContainerInput,
): ContainerStatus {
  const before = containerOf(old, container.name);
  const place = view.containers.findLastIndex(({ name }) => name === container.name);
  const newest = view.containers[place];
  const status = newest
    ? fromRecord(newest, previousOf(view, place), container, wall, before)
    : withoutInstance(container, before, pod, deleted);
  // Inherited by name, whatever the id: the root of the defect K-210 (K-201).
  const inherits = behaviour.keepsStateOverRestart && (before?.started ?? false);
  const started = status.state.is === 'running' && inherits;
  // An init container that ended with 0 is not shown as waiting, not even a sidecar that is held back.
  const hasDone = pod.initContainers.includes(container) && newest?.state === 'exited' && newest.exitCode === 0;
  const waits = !hasDone && shouldBeStarted(pod, container, deleted, newest);
  const failed = waits ? waitingReason(container.name) : undefined;
  if (!failed) return status.started === started ? status : { ...status, started };
  return {
    ...status,
    started: false,
    lastState: status.state.is === 'terminated' ? status.state : status.lastState,
    state: { is: 'waiting', ...failed },
  };
}

/** The instance of a container before the one at `place` of the view. */
function previousOf({ containers }: RuntimePod, place: number): ContainerRecord | undefined {
  for (let i = place - 1; i >= 0; i--) if (containers[i]?.name === containers[place]?.name) return containers[i];
  return undefined;
}

function fromRecord(
  newest: ContainerRecord,
  previous: ContainerRecord | undefined,
  container: ContainerInput,
  wall: WallClock,
  before: ContainerStatus | undefined,
): ContainerStatus {
  const last = previous && stateOf(previous, wall);
  return {
    name: container.name,
    image: container.image,
    containerID: newest.id,
    ready: false,
    started: false,
    restartCount: newest.attempt,
    state: stateOf(newest, wall),
    lastState: last ? (last.is === 'terminated' ? last : null) : (before?.lastState ?? null),
  };
}

/** Nothing of that name in the runtime: never created, or removed after it ended. */
function withoutInstance(
  container: ContainerInput,
  before: ContainerStatus | undefined,
  pod: PodInput,
  deleted: boolean,
): ContainerStatus {
  if (before?.state.is === 'terminated') return { ...before, ready: false, started: false };
  const killed = before?.state.is === 'running' ? VANISHED : null;
  return {
    name: container.name,
    image: container.image,
    containerID: '',
    ready: false,
    started: false,
    restartCount: (before?.restartCount ?? 0) + (killed && !deleted ? 1 : 0),
    state: {
      is: 'waiting',
      reason: pod.initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating',
      message: '',
    },
    lastState: killed ?? before?.lastState ?? null,
  };
}

/** A container that ran when it was last seen, and is not in the runtime: only a restart of all removes it so (K-061). */
const VANISHED: TerminatedState = {
  is: 'terminated',
  exitCode: 137,
  reason: 'RestartingAllContainers',
  startedAt: 0,
  finishedAt: 0,
};

function stateOf(record: ContainerRecord, wall: WallClock): ContainerState {
  const startedAt = record.startedAt === null ? 0 : wall.seconds(record.startedAt);
  switch (record.state) {
    case 'created':
      return { is: 'waiting', reason: 'ContainerCreating', message: '' };
    case 'running':
      return { is: 'running', startedAt };
    case 'exited':
      return {
        is: 'terminated',
        exitCode: record.exitCode,
        reason: record.exitCode === 0 ? 'Completed' : 'Error',
        startedAt,
        finishedAt: record.finishedAt === null ? 0 : wall.seconds(record.finishedAt),
      };
  }
}

/** A container that never ran, as getPhase asks. */
const isPending = ({ state, lastState }: ContainerStatus): boolean => state.is === 'waiting' && lastState === null;

const statusOf = (statuses: readonly ContainerStatus[], name: string): ContainerStatus | undefined =>
  statuses.find((status) => status.name === name);

const sidecarsOf = (pod: PodInput, initContainers: readonly ContainerStatus[]): readonly ContainerStatus[] =>
  pod.initContainers.flatMap(({ name, isSidecar }) => (isSidecar ? (statusOf(initContainers, name) ?? []) : []));

/** The phase of a Pod that its init containers decide; null when they leave that to the others. */
function initPhase(
  pod: PodInput,
  containers: readonly ContainerStatus[],
  initContainers: readonly ContainerStatus[],
  sidecars: readonly ContainerStatus[],
): PodPhase | null {
  const initialized = containers.some(({ state, lastState }) => state.is !== 'waiting' || lastState !== null);
  const runToEnd = pod.initContainers.filter(({ isSidecar }) => !isSidecar);
  const failedForGood = runToEnd.some((container) => {
    const state = statusOf(initContainers, container.name)?.state;
    const failed = state?.is === 'terminated' && state.exitCode !== 0;
    return failed && !restartsAfterExit(pod, container, state.exitCode);
  });
  if (failedForGood) return 'Failed';
  const initPending = runToEnd.some(({ name }) => {
    const status = statusOf(initContainers, name);
    return !status || status.state.is === 'running' || isPending(status);
  });
  const sidecarPending = !initialized && sidecars.some((status) => !status.started);
  return initPending || sidecarPending ? 'Pending' : null;
}

/** K-207. */
function phaseOf(
  pod: PodInput,
  containers: readonly ContainerStatus[],
  initContainers: readonly ContainerStatus[],
  podIsTerminal: boolean,
): PodPhase {
  const sidecars = pod.initContainers.length === 0 ? [] : sidecarsOf(pod, initContainers);
  if (pod.initContainers.length > 0) {
    const waits = initPhase(pod, containers, initContainers, sidecars);
    if (waits !== null) return waits;
  }
  const counted = sidecars.length === 0 ? containers : [...containers, ...sidecars];
  if (counted.some(isPending)) return 'Pending';
  if (counted.some(({ state }) => state.is === 'running')) return 'Running';
  const codes = containers.map(({ state, lastState }) =>
    state.is === 'terminated' ? state.exitCode : lastState?.exitCode,
  );
  const succeeded = containers.every(({ state }) => state.is === 'terminated') && codes.every((code) => code === 0);
  if (podIsTerminal && !pod.isStatic) return codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  const revives = containers.some(({ name }, i) => {
    const container = pod.containers.find((one) => one.name === name);
    return container !== undefined && restartsAfterExit(pod, container, codes[i] ?? 1);
  });
  if (revives) return 'Running';
  return succeeded ? 'Succeeded' : 'Failed';
}

/** K-208: a terminal phase never goes back, and a deadline ends the Pod. */
function choosePhase(
  { stored, pastDeadline }: GenerateInput,
  old: PodStatus,
  computed: PodPhase,
): Pick<NewStatus, 'phase' | 'reason' | 'message'> {
  const storedPhase = stored?.phase ?? 'Pending';
  const phase = [computed, old.phase, storedPhase].find((one) => isTerminal(one)) ?? computed;
  const chosen = isTerminal(storedPhase) ? storedPhase : pastDeadline ? 'Failed' : phase;
  if (pastDeadline) return { phase: chosen, reason: DEADLINE.reason, message: DEADLINE.message };
  const keeps = phase === old.phase;
  return { phase: chosen, reason: keeps ? old.reason : '', message: keeps ? old.message : '' };
}
