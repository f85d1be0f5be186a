import type { ContainerInput, PodInput } from '../../scenario.ts';
import type { ResultsManager } from '../prober/resultsManager.ts';
import { sandboxProblem } from '../status/conditions.ts';
import type { ContainerRecord, RuntimePod } from './records.ts';
import { restartPolicyOf, restartsAfterExit } from './restartRule.ts';

/** Why a running container is killed. */
export type KillReason = 'livenessProbe' | 'startupProbe';

export interface Kill {
  readonly container: ContainerInput;
  readonly record: ContainerRecord;
  readonly reason: KillReason;
  /** The text of its Killing event. */
  readonly message: string;
}

export interface PodActions {
  readonly createSandbox: boolean;
  readonly killPod: boolean;
  readonly kill: readonly Kill[];
  readonly startInit: readonly ContainerInput[];
  readonly start: readonly ContainerInput[];
}
const NOTHING: PodActions = { createSandbox: false, killPod: false, kill: [], startInit: [], start: [] };

/** Whether a pass leaves the runtime alone. */
export const isNothing = ({ createSandbox, killPod, kill, startInit, start }: PodActions): boolean =>
  !createSandbox && !killPod && kill.length + startInit.length + start.length === 0;

/** The newest instance of a container in a view. */
export const newestOf = (view: RuntimePod, name: string): ContainerRecord | undefined =>
  view.containers.findLast((record) => record.name === name);

/**
 * What a pass does to the runtime, from its cached view.
 * Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions (K-060 to K-068).
 * Left out: changed specs, resize. RestartAllContainers is restartAll.ts.
 */
export function computePodActions(
  pod: PodInput,
  deleted: boolean,
  view: RuntimePod,
  results: ResultsManager,
): PodActions {
  if (sandboxProblem(view) !== null) return newSandboxActions(pod, view);
  const init = computeInitContainerActions(pod, view, results);
  if (init.killPod) return { ...NOTHING, killPod: true };
  if (!init.initialized) return { ...NOTHING, kill: init.kill, startInit: init.start };
  const kill: Kill[] = [...init.kill];
  const start: ContainerInput[] = [];
  let kept = 0;
  for (const container of pod.containers) {
    const record = newestOf(view, container.name);
    if (record?.state !== 'running') {
      if (shouldBeStarted(pod, container, deleted, record)) start.push(container);
      continue;
    }
    const reason = killReason(record, results);
    if (reason === null) {
      kept++;
      continue;
    }
    // Probe kills restart in the same pass; exit-code rules are not consulted (K-067).
    const restarts = restartPolicyOf(pod, container) !== 'Never';
    const message = `Container ${container.name} ${FAILED[reason]}${restarts ? ', will be restarted' : ''}`;
    kill.push({ container, record, reason, message });
    if (restarts) start.push(container);
  }
  // Nothing kept, nothing to start: the sidecars must not keep the Pod alive (K-068).
  const killPod = kept === 0 && start.length === 0;
  return { createSandbox: false, killPod, kill, startInit: killPod ? [] : init.start, start };
}

const FAILED: Readonly<Record<KillReason, string>> = {
  livenessProbe: 'failed liveness probe',
  startupProbe: 'failed startup probe',
};

/** K-062. */
function newSandboxActions(pod: PodInput, view: RuntimePod): PodActions {
  const again = view.sandboxes.length > 0;
  if (pod.restartPolicy === 'Never' && again && view.containers.length > 0) return { ...NOTHING, killPod: true };
  const start = pod.containers.filter((container) => {
    const record = newestOf(view, container.name);
    const runsOnce = restartPolicyOf(pod, container) === 'OnFailure';
    return !(runsOnce && record?.state === 'exited' && record.exitCode === 0);
  });
  if (start.length === 0) return { ...NOTHING, killPod: true };
  const [first] = pod.initContainers;
  const starts = first ? { startInit: [first], start: [] } : { startInit: [], start };
  return { createSandbox: true, killPod: true, kill: [], ...starts };
}

interface InitActions {
  /** The regular containers may be looked at. */
  readonly initialized: boolean;
  /** A regular init container failed for good. */
  readonly killPod: boolean;
  readonly kill: readonly Kill[];
  readonly start: readonly ContainerInput[];
}

/**
 * Init containers and sidecars, from the last to the first: the last one with a status shows how far the Pod has come.
 * Source: pkg/kubelet/kuberuntime/kuberuntime_container.go, computeInitContainerActions (K-063).
 */
function computeInitContainerActions(pod: PodInput, view: RuntimePod, results: ResultsManager): InitActions {
  if (pod.initContainers.length === 0) return { initialized: true, killPod: false, kill: [], start: [] };
  let initialized = pod.containers.some(({ name }) => newestOf(view, name) !== undefined);
  let later = initialized;
  const kill: Kill[] = [];
  const start: ContainerInput[] = [];
  const goOn = (index: number): void => {
    const next = pod.initContainers[index + 1];
    if (next) start.push(next);
    else initialized = true;
  };
  for (const [index, container] of [...pod.initContainers.entries()].reverse()) {
    const record = newestOf(view, container.name);
    if (!record) {
      if (later && container.isSidecar) start.push(container);
      continue;
    }
    if (later && !container.isSidecar) continue;
    if (record.state === 'created') start.push(container);
    else if (record.state === 'running' && container.isSidecar) {
      const reason = sidecarStep(container, record, results);
      if (reason === 'wait') {
        later = true;
        continue;
      }
      if (reason === 'startupProbe') {
        kill.push({ container, record, reason, message: `Init container ${container.name} ${FAILED[reason]}` });
        start.push(container);
      } else {
        if (!later) goOn(index);
        if (reason === 'livenessProbe') {
          kill.push({ container, record, reason, message: `Init container ${container.name} ${FAILED[reason]}` });
          start.push(container);
        }
      }
    } else if (record.state === 'exited') {
      if (container.isSidecar) start.push(container);
      else if (record.exitCode !== 0) {
        if (!restartsAfterExit(pod, container, record.exitCode))
          return { initialized: false, killPod: true, kill: [], start: [] };
        start.push(container);
      } else goOn(index);
    }
    later = true;
  }
  const [first] = pod.initContainers;
  if (!later && first) start.push(first);
  return { initialized, killPod: false, kill, start: start.reverse() };
}

/** A running sidecar: waits for its startup verdict, is killed by a probe, or lets the next one start. */
function sidecarStep(
  { probes }: ContainerInput,
  { id }: ContainerRecord,
  results: ResultsManager,
): KillReason | 'wait' | 'goOn' {
  if (probes.startup) {
    const startup = results.get('startup', id);
    if (startup === 'failure') return 'startupProbe';
    if (startup !== 'success') return 'wait';
  }
  return probes.liveness && results.get('liveness', id) === 'failure' ? 'livenessProbe' : 'goOn';
}

/** K-065: one that never ran, was only created, or that the restart rule revives; none once deletion is asked for. */
export const shouldBeStarted = (
  pod: PodInput,
  container: ContainerInput,
  deleted: boolean,
  newest: ContainerRecord | undefined,
): boolean =>
  !deleted &&
  newest?.state !== 'running' &&
  (newest?.state !== 'exited' || restartsAfterExit(pod, container, newest.exitCode));

function killReason({ id }: ContainerRecord, results: ResultsManager): KillReason | null {
  if (results.get('liveness', id) === 'failure') return 'livenessProbe';
  return results.get('startup', id) === 'failure' ? 'startupProbe' : null;
}
