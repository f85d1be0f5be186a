/** What a Deployment's strategy promises while nothing fails (N-010 to N-013). */
import type { Invariant } from './invariant.ts';
import { place } from './observation.ts';
import { type Commit, isGoing, isReady, type WorkloadObservation, type WorkloadPod } from './workloadObservation.ts';

interface DeploymentJson {
  readonly spec: {
    readonly replicas: number;
    readonly minReadySeconds?: number;
    readonly strategy: {
      readonly rollingUpdate: { readonly maxSurge: number | string; readonly maxUnavailable: number | string };
    };
  };
}
interface Bounds {
  readonly least: number;
  readonly most: number;
}

const part = (value: number | string, of: number, round: (n: number) => number): number =>
  typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100);

/** Of one number of replicas, worked out from the words of the documentation. */
function boundsOf({ spec: { replicas, strategy } }: DeploymentJson): Bounds {
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  const surge = part(maxSurge, replicas, Math.ceil);
  const away = part(maxUnavailable, replicas, Math.floor);
  return { least: replicas - Math.min(replicas, surge === 0 && away === 0 ? 1 : away), most: replicas + surge };
}

/** Whether it has been Ready for minReadySeconds, by what the API says of it at `at`, µs since the start. */
function isAvailable(run: WorkloadObservation, pod: WorkloadPod, minReadySeconds: number, at: number): boolean {
  const ready = pod.status.conditions.find(({ type }) => type === 'Ready');
  if (isGoing(pod) || !isReady(pod)) return false;
  const since = Date.parse(ready?.lastTransitionTime ?? '') * 1000;
  return since + minReadySeconds * 1_000_000 <= run.reader.data.wallClock + at;
}

interface ReplicaSetJson {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly replicas: number };
  readonly status: { readonly observedGeneration?: number };
}

/**
 * A ReplicaSet gets smaller before its status has told of the last time. The Deployment controller counts what statuses
 * say, so that it takes the same Pods for available twice (scaleDownOldReplicaSetsForRollingUpdate): in a real cluster, too.
 */
function isHasty({ resource, before, now }: Commit): boolean {
  if (resource !== 'replicasets' || before === null || now === null) return false;
  const { metadata, spec, status } = before as ReplicaSetJson;
  const isSmaller = (now as ReplicaSetJson).spec.replicas < spec.replicas;
  return isSmaller && (status.observedGeneration ?? 0) < metadata.generation;
}

/** Calls `visit` at each commit of a Pod with the bounds of all numbers of replicas so far, up to a hasty one. */
function eachPodChange(
  run: WorkloadObservation,
  visit: (where: string, pods: readonly WorkloadPod[], bounds: Bounds, minReady: number, at: number) => void,
): void {
  let bounds: Bounds | null = null;
  let hasty = false;
  run.walk((commit, stored) => {
    const { event, resource } = commit;
    hasty ||= isHasty(commit);
    if (hasty) return;
    const deployment = stored.of<DeploymentJson>('deployments').get('web');
    if (!deployment) return;
    const now = boundsOf(deployment);
    bounds = bounds ? { least: Math.min(bounds.least, now.least), most: Math.max(bounds.most, now.most) } : now;
    if (resource !== 'pods') return;
    const pods = [...stored.of<WorkloadPod>('pods').values()];
    visit(place(event), pods, bounds, deployment.spec.minReadySeconds ?? 0, event.at);
  });
}

export const ROLLOUT_INVARIANTS: readonly Invariant<WorkloadObservation>[] = [
  {
    name: 'once enough Pods have been available, never fewer are than the strategy allows, as long as statuses keep up (N-010, N-011, N-013)',
    check: (run, find) => {
      let begun = false;
      eachPodChange(run, (where, pods, { least }, minReady, at) => {
        const available = pods.filter((pod) => isAvailable(run, pod, minReady, at)).length;
        begun ||= available >= least;
        if (begun) find.that(available >= least, () => `${where}: ${available} of at least ${least}`);
      });
    },
  },
  {
    name: 'there are never more Pods that are not ending than the strategy allows (N-010 to N-012)',
    check: (run, find) => {
      eachPodChange(run, (where, pods, { most }) => {
        const there = pods.filter((pod) => !isGoing(pod)).length;
        find.that(there <= most, () => `${where}: ${there} of at most ${most}`);
      });
    },
  },
  {
    name: 'a rollout that is left alone ends with all Pods available and of the newest template (N-011)',
    check: (run, find) => {
      const actions = run.scenario.cluster?.workloads?.actions ?? [];
      const isPaused = actions.findLast((one) => one.do === 'patch' && (one.note === 'pause' || one.note === 'resume'));
      if (isPaused?.do === 'patch' && isPaused.note === 'pause') return;
      let status: Readonly<Record<string, number>> = {};
      let replicas = 0;
      run.walk(({ resource, now }) => {
        if (resource !== 'deployments') return;
        const deployment = now as DeploymentJson & { readonly status: typeof status };
        replicas = deployment.spec.replicas;
        status = deployment.status;
      });
      const { updatedReplicas, availableReplicas } = status;
      find.that(updatedReplicas === replicas && availableReplicas === replicas, () => JSON.stringify(status));
    },
  },
];
