import type { PodInput } from '../../scenario.ts';

/**
 * Whether a container that exited with `exitCode` is started again.
 * Source: pkg/api/v1/pod/util.go, ContainerShouldRestart (K-066). Left out: container-level policies and rules.
 */
export function restartsAfterExit({ restartPolicy }: PodInput, exitCode: number): boolean {
  return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
}
