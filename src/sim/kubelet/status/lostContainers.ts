import {
  type ContainerState,
  type ContainerStatus,
  EMPTY_STATUS,
  type PodStatus,
  type TerminatedState,
} from '../../api/podStatus.ts';
import type { PodInput } from '../../scenario.ts';

/** The end of a container of which nothing is left to tell how it went. */
const UNKNOWN_END: TerminatedState = {
  is: 'terminated',
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  startedAt: 0,
  finishedAt: 0,
};

/**
 * The last status of a Pod: containers that it shows waiting or running though the Pod has terminated have failed, unless
 * the Pod, as the API has it (`stored`), never came to start them.
 * Source: pkg/kubelet/status/status_manager.go, TerminatePod (K-176).
 */
export function withLostContainers(pod: PodInput, stored: PodStatus | undefined, status: PodStatus): PodStatus {
  const isInitialized = hasInitialized(pod, stored ?? EMPTY_STATUS);
  const begun = Math.max(status.initContainerStatuses.findLastIndex(hasBegun), 0);
  return {
    ...status,
    containerStatuses: isInitialized ? status.containerStatuses.map(ended) : status.containerStatuses,
    initContainerStatuses: status.initContainerStatuses.map((one, i) => (i <= begun ? ended(one) : one)),
  };
}

const ended = (container: ContainerStatus): ContainerStatus =>
  container.state.is === 'terminated' ? container : { ...container, state: UNKNOWN_END };

const hasBegun = ({ state, lastState }: ContainerStatus): boolean => state.is !== 'waiting' || lastState !== null;

/** Source: status_manager.go, hasPodInitialized. */
function hasInitialized({ initContainers }: PodInput, status: PodStatus): boolean {
  const last = initContainers.at(-1);
  if (!last || status.containerStatuses.some(hasBegun)) return true;
  const told = status.initContainerStatuses.at(-1);
  if (!told) return false;
  if (last.isSidecar) return told.state.is === 'running' && told.started;
  return [told.state, told.lastState].some(hasSucceeded);
}

const hasSucceeded = (state: ContainerState | null): boolean => state?.is === 'terminated' && state.exitCode === 0;
