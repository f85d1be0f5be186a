import {
  ALL_CONTAINERS_RESTARTING,
  type ContainerStatus,
  isKubeletCondition,
  type PodCondition,
  type PodPhase,
  type PodStatus,
} from '../../api/podStatus.ts';
import type { ContainerInput, PodInput } from '../../scenario.ts';
import type { Behaviour } from '../behaviour.ts';
import type { RuntimePod } from '../runtime/records.ts';

/** A condition before its transition time is known. */
export type NewCondition = Omit<PodCondition, 'lastTransitionTime'>;

const condition = (type: string, isTrue: boolean, reason = '', message = ''): NewCondition => ({
  type,
  status: isTrue ? 'True' : 'False',
  reason,
  message,
});

/** AllContainersRestarting. Source: pkg/kubelet/status/generate.go, GenerateAllContainersRestartingCondition (K-061). */
export function restartingAllCondition(restarts: boolean, phase: PodPhase): NewCondition {
  if (phase === 'Succeeded') return condition(ALL_CONTAINERS_RESTARTING, false, 'PodCompleted');
  if (phase === 'Failed') return condition(ALL_CONTAINERS_RESTARTING, false, 'PodFailed');
  return restarts
    ? condition(
        ALL_CONTAINERS_RESTARTING,
        true,
        'RestartAllContainersStarted',
        'container exited with restart policy rule',
      )
    : condition(ALL_CONTAINERS_RESTARTING, false);
}

/** What Ready and ContainersReady are made of. */
export interface ReadinessInput {
  readonly pod: PodInput;
  readonly containers: readonly ContainerStatus[];
  readonly initContainers: readonly ContainerStatus[];
  readonly phase: PodPhase;
  /** Where the readiness gates are looked up. */
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
}

/**
 * ContainersReady from the containers' `ready`; Ready also needs every readiness gate.
 * Source: pkg/kubelet/status/generate.go, GenerateContainersReadyCondition and GeneratePodReadyCondition (K-187).
 */
export function readyConditions(input: ReadinessInput): { ready: NewCondition; containersReady: NewCondition } {
  const containersReady = containersReadyCondition(input);
  if (containersReady.status !== 'True') return { containersReady, ready: { ...containersReady, type: 'Ready' } };
  const problems = input.pod.readinessGates.flatMap((type) => gateProblem(type, input.conditions));
  const ready =
    problems.length > 0
      ? condition('Ready', false, 'ReadinessGatesNotReady', problems.join(', '))
      : condition('Ready', true);
  return { containersReady, ready };
}

function containersReadyCondition({ pod, containers, initContainers, phase }: ReadinessInput): NewCondition {
  const type = 'ContainersReady';
  const unknown: ContainerInput[] = [];
  const unready: ContainerInput[] = [];
  const look = (container: ContainerInput, statuses: readonly ContainerStatus[]): void => {
    const status = statuses.find(({ name }) => name === container.name);
    if (!status) unknown.push(container);
    else if (!status.ready) unready.push(container);
  };
  for (const container of pod.initContainers) if (container.isSidecar) look(container, initContainers);
  for (const container of pod.containers) look(container, containers);
  if (phase === 'Succeeded' && unknown.length === 0) return condition(type, false, 'PodCompleted');
  if (phase === 'Failed') return condition(type, false, 'PodFailed');
  const parts = [
    ...(unknown.length > 0 ? [`containers with unknown status: [${namesOf(unknown)}]`] : []),
    ...(unready.length > 0 ? [`containers with unready status: [${namesOf(unready)}]`] : []),
  ];
  return parts.length > 0 ? condition(type, false, 'ContainersNotReady', parts.join(', ')) : condition(type, true);
}

function gateProblem(type: string, conditions: ReadinessInput['conditions']): readonly string[] {
  const found = conditions.find((one) => one.type === type);
  if (!found) return [`corresponding condition of pod readiness gate "${type}" does not exist.`];
  return found.status === 'True'
    ? []
    : [`the status of pod readiness gate "${type}" is not "True", but ${found.status}`];
}

const namesOf = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(' ');

/**
 * Initialized: regular init containers have completed and sidecars have started (K-188).
 * `wasTrue`: it was True in the last status.
 */
export function initializedCondition(
  { pod, containers, initContainers, phase }: Omit<ReadinessInput, 'conditions'>,
  wasTrue: boolean,
): NewCondition {
  const type = 'Initialized';
  if (pod.initContainers.length === 0) return condition(type, true, phase === 'Succeeded' ? 'PodCompleted' : '');
  const status = (name: string): ContainerStatus | undefined => initContainers.find((one) => one.name === name);
  const unknown = pod.initContainers.filter(({ name }) => !status(name));
  const incomplete = pod.initContainers.filter(({ name, isSidecar }) => {
    const one = status(name);
    return one && !(isSidecar ? one.started : one.ready);
  });
  if (phase === 'Succeeded' && unknown.length === 0) return condition(type, true, 'PodCompleted');
  if (containers.some(({ state }) => state.is !== 'waiting')) return condition(type, true);
  if (incomplete.length === 0) return condition(type, true);
  if (wasTrue) return condition(type, true);
  return condition(
    type,
    false,
    'ContainersNotInitialized',
    `containers with incomplete status: [${namesOf(incomplete)}]`,
  );
}

/** PodReadyToStartContainers: True iff the Pod needs no new sandbox (K-188, K-060). */
export function sandboxCondition(
  view: RuntimePod,
  { explainsSandbox }: Pick<Behaviour, 'explainsSandbox'>,
): NewCondition {
  const problem = sandboxProblem(view);
  return problem === null
    ? condition('PodReadyToStartContainers', true)
    : condition('PodReadyToStartContainers', false, 'PodSandboxNotReady', explainsSandbox ? problem : '');
}

/** Why the Pod needs a new sandbox; null when it needs none. Source: kuberuntime/util, PodSandboxChanged (K-060). */
export function sandboxProblem({ sandboxes }: RuntimePod): string | null {
  const newest = sandboxes.at(-1);
  if (!newest) return 'no pod sandbox exists';
  if (sandboxes.filter(({ ready }) => ready).length > 1)
    return 'multiple pod sandboxes are ready and need to be reconciled';
  if (!newest.ready) return 'pod sandbox is not ready';
  return newest.ip === '' ? 'pod sandbox has no IP address' : null;
}

export const scheduledCondition: NewCondition = condition('PodScheduled', true);

/** Puts a condition in the place of the one of its type, or behind all others. */
export const withCondition = (conditions: readonly PodCondition[], condition: PodCondition): readonly PodCondition[] =>
  conditions.some(({ type }) => type === condition.type)
    ? conditions.map((one) => (one.type === condition.type ? condition : one))
    : [...conditions, condition];

/** A condition as made, or as somebody else wrote it. */
export type AnyCondition = NewCondition | PodCondition;

/** `status` with new conditions; a transition time moves only when the status does (K-177 step 3). Foreign ones are kept whole. */
export function withConditions(
  old: PodStatus,
  status: Omit<PodStatus, 'conditions'>,
  conditions: readonly AnyCondition[],
  now: number,
): PodStatus {
  return {
    ...status,
    conditions: conditions.map((made) => {
      if ('lastTransitionTime' in made && !isKubeletCondition(made)) return made;
      const { type, status, reason, message } = made;
      const before = old.conditions.find((one) => one.type === type);
      if (before?.status !== status) return { type, status, reason, message, lastTransitionTime: now };
      // The same object, so that nobody compares it or writes its text once more.
      if (before.reason === reason && before.message === message) return before;
      return { ...before, reason, message };
    }),
  };
}
