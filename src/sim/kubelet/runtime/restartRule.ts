import type { ContainerInput, PodInput, RestartPolicy, RestartRule } from '../../scenario.ts';

/** The container's own policy, else that of its Pod. */
export const restartPolicyOf = (pod: PodInput, { restart, isSidecar }: ContainerInput): RestartPolicy =>
  restart?.policy ?? (isSidecar ? 'Always' : pod.restartPolicy);

/** The first rule of a container that is about this exit code. Source: util.go, findMatchingContainerRestartRule. */
export const matchingRule = ({ restart }: ContainerInput, exitCode: number): RestartRule | undefined =>
  restart?.rules.find(({ operator, exitCodes }) => exitCodes.includes(exitCode) === (operator === 'In'));

/**
 * Whether a container that exited with `exitCode` is started again: any rule that matches says so, else its policy.
 * Source: pkg/api/v1/pod/util.go, ContainerShouldRestart (K-066).
 */
export function restartsAfterExit(pod: PodInput, container: ContainerInput, exitCode: number): boolean {
  if (matchingRule(container, exitCode)) return true;
  const policy = restartPolicyOf(pod, container);
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
