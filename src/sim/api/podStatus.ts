import type { ConditionStatus } from './objects.ts';

/** Pod status as the model holds it. Times are whole wall-clock seconds since the Unix epoch (K-181). */
export interface PodStatus {
  readonly phase: PodPhase;
  readonly reason: string;
  readonly message: string;
  /** One of each family; empty without a sandbox. */
  readonly podIPs: readonly string[];
  readonly startTime: number | null;
  readonly observedGeneration: number;
  readonly conditions: readonly PodCondition[];
  readonly initContainerStatuses: readonly ContainerStatus[];
  readonly containerStatuses: readonly ContainerStatus[];
}

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';
export const isTerminal = (phase: PodPhase): boolean => phase === 'Succeeded' || phase === 'Failed';

/** All containers of a Pod are about to begin anew (K-061). */
export const ALL_CONTAINERS_RESTARTING = 'AllContainersRestarting';
/** Conditions that the kubelet owns; all others belong to somebody else (K-180). */
const KUBELET_CONDITIONS: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
  ALL_CONTAINERS_RESTARTING,
]);
/** Why a Pod is about to end: the kubelet writes it, and others do (K-180). */
export const DISRUPTION_TARGET = 'DisruptionTarget';
export const isKubeletCondition = ({ type }: { readonly type: string }): boolean => KUBELET_CONDITIONS.has(type);

export interface PodCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  /** 0: it was never set. */
  readonly lastTransitionTime: number;
}

export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly containerID: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastState: TerminatedState | null;
}

export type ContainerState = WaitingState | RunningState | TerminatedState;
export interface WaitingState {
  readonly is: 'waiting';
  readonly reason: string;
  readonly message: string;
}
export interface RunningState {
  readonly is: 'running';
  readonly startedAt: number;
}
export interface TerminatedState {
  readonly is: 'terminated';
  readonly exitCode: number;
  readonly reason: string;
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** The status of a Pod that no kubelet has written to. */
export const EMPTY_STATUS: PodStatus = {
  phase: 'Pending',
  reason: '',
  message: '',
  podIPs: [],
  startTime: null,
  observedGeneration: 0,
  conditions: [],
  initContainerStatuses: [],
  containerStatuses: [],
};

/** Regular containers first, then init containers (K-122). */
export const containerOf = (status: PodStatus, name: string): ContainerStatus | undefined =>
  status.containerStatuses.find((container) => container.name === name) ??
  status.initContainerStatuses.find((container) => container.name === name);

/**
 * Equality as the status manager asks for it, of an older and a newer one: conditions by status, reason and message
 * only, the rest deeply.
 * Source: pkg/kubelet/status/status_manager.go, isPodStatusByKubeletEqual (K-179).
 */
export function sameStatus(a: PodStatus, b: PodStatus): boolean {
  return (
    a.phase === b.phase &&
    a.reason === b.reason &&
    a.message === b.message &&
    sameList(a.podIPs, b.podIPs, sameText) &&
    a.startTime === b.startTime &&
    a.observedGeneration === b.observedGeneration &&
    sameConditions(a, b) &&
    sameList(a.initContainerStatuses, b.initContainerStatuses, sameContainer) &&
    sameList(a.containerStatuses, b.containerStatuses, sameContainer)
  );
}

/** Whether the newer status `b` has the kubelet's conditions of `a`. Most are the same objects. */
function sameConditions(a: PodStatus, b: PodStatus): boolean {
  if (sameList(a.conditions, b.conditions, (one, other) => one === other)) return true;
  return sameList(ownConditions(a), ownConditions(b), sameCondition) && hasDisruptionOf(b, a);
}

/** Those of the kubelet; the list itself when there are no others. */
const ownConditions = ({ conditions }: PodStatus): readonly PodCondition[] =>
  conditions.every(isKubeletCondition) ? conditions : conditions.filter(isKubeletCondition);

/** Whether `other` has the DisruptionTarget of `status`, if that has one. */
function hasDisruptionOf(status: PodStatus, other: PodStatus): boolean {
  const made = status.conditions.find(({ type }) => type === DISRUPTION_TARGET);
  return made === undefined || other.conditions.some((condition) => sameCondition(condition, made));
}

/** Whether a PATCH from `a` to `b` would be empty: `sameStatus`, transition times and foreign conditions too (K-185). */
export function identicalStatus(a: PodStatus, b: PodStatus): boolean {
  if (a === b) return true;
  const isTheSame = (condition: PodCondition, i: number): boolean => condition === b.conditions[i];
  const sameTimes = (condition: PodCondition): boolean => {
    const other = b.conditions.find(({ type }) => type === condition.type);
    return (
      other !== undefined &&
      sameCondition(condition, other) &&
      condition.lastTransitionTime === other.lastTransitionTime
    );
  };
  return (
    a.conditions.length === b.conditions.length &&
    (a.conditions.every(isTheSame) || a.conditions.every(sameTimes)) &&
    sameStatus(a, b)
  );
}

const sameText = (a: string, b: string): boolean => a === b;

/** Whether two lists have the same items, as `same` sees them, in the same order. */
export const sameList = <T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean =>
  a === b || (a.length === b.length && a.every((item, i) => same(item, b[i] as T)));

const sameCondition = (a: PodCondition, b: PodCondition): boolean =>
  a === b || (a.type === b.type && a.status === b.status && a.reason === b.reason && a.message === b.message);

/** Equality of containers as the status manager asks for it. */
export const sameContainer = (a: ContainerStatus, b: ContainerStatus): boolean =>
  a === b ||
  (a.name === b.name &&
    a.containerID === b.containerID &&
    a.ready === b.ready &&
    a.started === b.started &&
    a.restartCount === b.restartCount &&
    sameState(a.state, b.state) &&
    (a.lastState === null || b.lastState === null ? a.lastState === b.lastState : sameState(a.lastState, b.lastState)));

function sameState(a: ContainerState, b: ContainerState): boolean {
  if (a === b) return true;
  if (a.is === 'waiting') return b.is === 'waiting' && a.reason === b.reason && a.message === b.message;
  if (a.is === 'running') return b.is === 'running' && a.startedAt === b.startedAt;
  return (
    b.is === 'terminated' &&
    a.exitCode === b.exitCode &&
    a.reason === b.reason &&
    a.startedAt === b.startedAt &&
    a.finishedAt === b.finishedAt
  );
}
