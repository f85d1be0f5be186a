import { type ContainerStatus, containerOf, isTerminal, type PodStatus } from '../../api/podStatus.ts';
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
  const seen = {
    ...NO_FACTS,
    hasStatus: true,
    hasContainer: true,
    newContainer: found.containerID !== owner.containerID,
  };
  return { ...seen, ...containerFacts(owner, found, status) };
}

function containerFacts(
  { context, pod, container, spec }: TurnOwner,
  { state, started }: ContainerStatus,
  status: PodStatus,
): Partial<TurnFacts> {
  if (state.is === 'waiting') return {};
  if (state.is === 'terminated') {
    const revives = restartsAfterExit(pod, container, state.exitCode) || shouldRestartAll(pod, null, status);
    return { container: revives ? 'ended' : 'endedForGood' };
  }
  return {
    container: 'running',
    delayOver: context.wall.secondsSince(state.startedAt, context.kernel.now) >= spec.initialDelaySeconds,
    started,
    isOld: context.behaviour.keepsStateOverRestart && isOldContainer(context, state.startedAt),
    isStartedSidecar: context.behaviour.seedsStartedSidecars && container.isSidecar && started,
  };
}
