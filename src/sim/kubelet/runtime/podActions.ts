import type { ContainerInput, PodInput } from '../../scenario.ts';
import type { ResultsManager } from '../prober/resultsManager.ts';
import { sandboxProblem } from '../status/conditions.ts';
import type { ContainerRecord, RuntimePod } from './containerRuntime.ts';
import { restartsAfterExit } from './restartRule.ts';

/** Why a running container is killed. */
export type KillReason = 'livenessProbe' | 'startupProbe';

export interface PodActions {
  readonly createSandbox: boolean;
  readonly killPod: boolean;
  readonly kill: readonly {
    readonly container: ContainerInput;
    readonly record: ContainerRecord;
    readonly reason: KillReason;
  }[];
  readonly start: readonly ContainerInput[];
}

/** The newest instance of a container in a view. */
export const newestOf = (view: RuntimePod, name: string): ContainerRecord | undefined =>
  view.containers.findLast((record) => record.name === name);

/**
 * What a pass does to the runtime, from its cached view.
 * Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions (K-060 to K-068).
 * Left out: init containers, changed specs, resize, RestartAllContainers.
 */
export function computePodActions(pod: PodInput, view: RuntimePod, results: ResultsManager): PodActions {
  if (sandboxProblem(view) !== null) return newSandboxActions(pod, view);
  const kill: PodActions['kill'][number][] = [];
  const start: ContainerInput[] = [];
  let kept = 0;
  for (const container of pod.containers) {
    const record = newestOf(view, container.name);
    if (record?.state !== 'running') {
      if (shouldBeStarted(pod, record)) start.push(container);
      continue;
    }
    const reason = killReason(record, results);
    if (reason === null) {
      kept++;
      continue;
    }
    kill.push({ container, record, reason });
    // Probe kills restart in the same pass; exit-code rules are not consulted (K-067).
    if (pod.restartPolicy !== 'Never') start.push(container);
  }
  return { createSandbox: false, killPod: kept === 0 && start.length === 0, kill, start };
}

/** K-062. */
function newSandboxActions(pod: PodInput, view: RuntimePod): PodActions {
  const start = pod.containers.filter((container) => {
    const record = newestOf(view, container.name);
    return !(pod.restartPolicy === 'OnFailure' && record?.state === 'exited' && record.exitCode === 0);
  });
  const again = view.sandboxes.length > 0;
  const createSandbox = start.length > 0 && !(pod.restartPolicy === 'Never' && again && view.containers.length > 0);
  return { createSandbox, killPod: true, kill: [], start: createSandbox ? start : [] };
}

/** K-065: one that never ran, was only created, or that the restart rule revives. */
export const shouldBeStarted = (pod: PodInput, newest: ContainerRecord | undefined): boolean =>
  newest?.state !== 'running' && (newest?.state !== 'exited' || restartsAfterExit(pod, newest.exitCode));

function killReason({ id }: ContainerRecord, results: ResultsManager): KillReason | null {
  if (results.get('liveness', id) === 'failure') return 'livenessProbe';
  return results.get('startup', id) === 'failure' ? 'startupProbe' : null;
}
