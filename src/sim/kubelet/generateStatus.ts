import {
  type ContainerState,
  type ContainerStatus,
  containerOf,
  EMPTY_STATUS,
  isTerminal,
  type PodPhase,
  type PodStatus,
} from '../api/podStatus.ts';
import type { ContainerInput, PodInput } from '../scenario.ts';
import type { WallClock } from '../world/wallClock.ts';
import { inheritedStarted } from './prober/proberManager.ts';
import type { ContainerRecord, RuntimePod } from './runtime/containerRuntime.ts';
import { newestOf, shouldBeStarted } from './runtime/podActions.ts';
import { restartsAfterExit } from './runtime/restartRule.ts';
import type { WaitingReason } from './runtime/runtimeManager.ts';
import { initializedCondition, readyConditions, sandboxCondition, scheduledCondition } from './status/conditions.ts';
import type { NewStatus } from './status/statusManager.ts';

export interface GenerateInput {
  readonly pod: PodInput;
  readonly view: RuntimePod;
  /** The cached status, else the API's. */
  readonly old: PodStatus | undefined;
  /** The API's phase, as far as the kubelet knows. */
  readonly apiPhase: PodPhase;
  /** True in the last status of a Pod: exited containers decide the phase whatever the policy (K-207). */
  readonly podIsTerminal: boolean;
  readonly wall: WallClock;
  /** Why a container was not started when last tried. */
  readonly waitingReason: (container: string) => WaitingReason | undefined;
  /** The prober manager's part: `started` and `ready`. */
  readonly updatePodStatus: (statuses: readonly ContainerStatus[]) => readonly ContainerStatus[];
}

/**
 * The Pod's status as the kubelet sees it now.
 * Source: pkg/kubelet/kubelet_pods.go, generateAPIPodStatus, convertStatusToAPIStatus, getPhase (K-200 to K-209).
 * Left out: containers that vanish from the runtime while they run (nothing in the model makes them).
 */
export function generateStatus(input: GenerateInput): NewStatus {
  const { pod, view, podIsTerminal, apiPhase } = input;
  const old = input.old ?? EMPTY_STATUS;
  const converted = pod.containers.map((container) => convertContainer(input, old, container));
  const phase = keepTerminal(phaseOf(pod, converted, podIsTerminal), old.phase, apiPhase);
  const containerStatuses = input.updatePodStatus(converted);
  const { ready, containersReady } = readyConditions(pod, containerStatuses, phase);
  return {
    phase,
    reason: phase === old.phase ? old.reason : '',
    message: phase === old.phase ? old.message : '',
    podIP: view.sandboxes.at(-1)?.ip ?? '',
    conditions: [sandboxCondition(view), initializedCondition(phase), ready, containersReady, scheduledCondition],
    containerStatuses,
  };
}

/** K-200: the newest instance gives the state, the second newest the last state. */
function convertContainer(
  { pod, view, wall, waitingReason }: GenerateInput,
  old: PodStatus,
  container: ContainerInput,
): ContainerStatus {
  const before = containerOf(old, container.name);
  const instances = view.containers.filter(({ name }) => name === container.name);
  const newest = instances.at(-1);
  const previous = instances.at(-2);
  const status = newest ? fromRecord(newest, previous, container, wall, before) : withoutInstance(container, before);
  const started = status.state.is === 'running' && inheritedStarted(old, container.name);
  const failed = shouldBeStarted(pod, newestOf(view, container.name)) ? waitingReason(container.name) : undefined;
  if (!failed) return { ...status, started };
  return {
    ...status,
    started: false,
    lastState: status.state.is === 'terminated' ? status.state : status.lastState,
    state: { is: 'waiting', ...failed },
  };
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
function withoutInstance(container: ContainerInput, before: ContainerStatus | undefined): ContainerStatus {
  if (before?.state.is === 'terminated') return { ...before, ready: false, started: false };
  return {
    name: container.name,
    image: container.image,
    containerID: '',
    ready: false,
    started: false,
    restartCount: before?.restartCount ?? 0,
    state: { is: 'waiting', reason: 'ContainerCreating', message: '' },
    lastState: before?.lastState ?? null,
  };
}

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

/** K-207 for regular containers. */
function phaseOf(pod: PodInput, statuses: readonly ContainerStatus[], podIsTerminal: boolean): PodPhase {
  const never = statuses.filter(({ state, lastState }) => state.is === 'waiting' && lastState === null);
  const running = statuses.filter(({ state }) => state.is === 'running');
  if (never.length > 0) return 'Pending';
  if (running.length > 0) return 'Running';
  const codes = statuses.map(({ state, lastState }) =>
    state.is === 'terminated' ? state.exitCode : lastState?.exitCode,
  );
  const ended = statuses.every(({ state }) => state.is === 'terminated');
  const succeeded = ended && codes.every((code) => code === 0);
  if (podIsTerminal) return codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  if (codes.some((code) => restartsAfterExit(pod, code ?? 1))) return 'Running';
  return succeeded ? 'Succeeded' : 'Failed';
}

/** K-208: a terminal phase never goes back. */
function keepTerminal(phase: PodPhase, cached: PodPhase, stored: PodPhase): PodPhase {
  if (isTerminal(phase)) return phase;
  if (isTerminal(cached)) return cached;
  return isTerminal(stored) ? stored : phase;
}
