import { containerOf, isTerminal, type PodStatus } from '../../api/podStatus.ts';
import type { ContainerInput, PodInput, ProbeSpec } from '../../scenario.ts';
import { isOldContainer, type KubeletContext } from '../context.ts';
import { shouldRestartAll } from '../runtime/restartAll.ts';
import { restartsAfterExit } from '../runtime/restartRule.ts';
import type { TurnFacts } from './probeWorkerMachine.ts';

/** Facts of a turn before any of them is known to hold. */
const NO_FACTS: TurnFacts = {
  hasStatus: false,
  terminal: false,
  hasContainer: false,
  newContainer: false,
  isOld: false,
  isStartedSidecar: false,
  container: 'waiting',
  deletionRequested: false,
  delayOver: false,
  started: false,
};

/** Whose turn it is. */
export interface TurnOwner {
  readonly context: KubeletContext;
  readonly pod: PodInput;
  readonly container: ContainerInput;
  readonly spec: ProbeSpec;
  /** Id of the container that the worker knows; '' for none. */
  readonly containerID: string;
}

/** What doProbe finds at this instant in the cached status (K-120 to K-128). */
export function turnFacts(owner: TurnOwner, status: PodStatus | undefined): TurnFacts {
  if (!status) return NO_FACTS;
  if (isTerminal(status.phase)) return { ...NO_FACTS, hasStatus: true, terminal: true };
  const found = containerOf(status, owner.container.name);
  if (!found?.containerID) return { ...NO_FACTS, hasStatus: true };
  const { state, started } = found;
  const isRunning = state.is === 'running';
  const { context, container, spec } = owner;
  const { behaviour, wall, kernel } = context;
  return {
    hasStatus: true,
    terminal: false,
    hasContainer: true,
    newContainer: found.containerID !== owner.containerID,
    isOld: isRunning && behaviour.keepsStateOverRestart && isOldContainer(context, state.startedAt),
    isStartedSidecar: isRunning && behaviour.seedsStartedSidecars && container.isSidecar && started,
    container: state.is === 'terminated' ? endOf(owner, state.exitCode, status) : state.is,
    deletionRequested: false,
    delayOver: isRunning && wall.secondsSince(state.startedAt, kernel.now) >= spec.initialDelaySeconds,
    started: isRunning && started,
  };
}

/** Whether a container that has ended may begin once more. */
function endOf({ pod, container }: TurnOwner, exitCode: number, status: PodStatus): 'ended' | 'endedForGood' {
  const revives = restartsAfterExit(pod, container, exitCode) || shouldRestartAll(pod, null, status);
  return revives ? 'ended' : 'endedForGood';
}
