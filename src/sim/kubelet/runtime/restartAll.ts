import { ALL_CONTAINERS_RESTARTING, type PodStatus } from '../../api/podStatus.ts';
import { type ContainerInput, containersOf, type PodInput } from '../../scenario.ts';
import { newestOf } from './podActions.ts';
import type { ContainerRecord, RuntimePod } from './records.ts';
import { matchingRule } from './restartRule.ts';

/** Whether the rules of a container may restart all of the Pod (K-061). */
export const mayRestartAll = (pod: PodInput): boolean =>
  containersOf(pod).some(({ restart }) => restart?.rules.some(({ action }) => action === 'RestartAllContainers'));

const asksForAll = (container: ContainerInput, exitCode: number): boolean =>
  matchingRule(container, exitCode)?.action === 'RestartAllContainers';

/** Whether the status says that all containers are about to begin anew. */
export const isRestartingAll = (status: PodStatus | undefined): boolean =>
  status?.conditions.some((one) => one.type === ALL_CONTAINERS_RESTARTING && one.status === 'True') ?? false;

/**
 * Whether all containers of the Pod are to begin anew: they are about to already, or one has ended with an exit code that
 * asks for it, as the runtime has it; without a `view` of that, as the status has it. The status alone would ask again
 * when it is done: it keeps the exit until the container starts.
 * Source: pkg/kubelet/container/helpers.go, ShouldAllContainersRestart (K-061).
 */
export function shouldRestartAll(pod: PodInput, view: RuntimePod | null, status: PodStatus | undefined): boolean {
  if (!mayRestartAll(pod)) return false;
  if (isRestartingAll(status)) return true;
  return containersOf(pod).some((container) => {
    if (view) {
      const record = newestOf(view, container.name);
      return record?.state === 'exited' && asksForAll(container, record.exitCode);
    }
    const told = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].find(
      ({ name }) => name === container.name,
    );
    return told?.state.is === 'terminated' && asksForAll(container, told.state.exitCode);
  });
}

/** Nothing of the containers is left in the runtime, so that they can begin. Source: AllContainersRestartCleanedUp. */
export const isCleanedUp = ({ containers }: RuntimePod): boolean => containers.length === 0;

/** What is killed and removed: those that asked for it last, so that a kubelet that dies meanwhile asks again (K-061). */
export function containersToReset(pod: PodInput, { containers }: RuntimePod): readonly ContainerRecord[] {
  const all = containersOf(pod).flatMap(({ name }) => containers.filter((record) => record.name === name));
  const asks = ({ name, state, exitCode }: ContainerRecord): boolean =>
    state === 'exited' &&
    containersOf(pod).some((container) => container.name === name && asksForAll(container, exitCode));
  return [...all.filter((record) => !asks(record)), ...all.filter(asks)];
}
