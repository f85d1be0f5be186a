import type * as z from 'zod/mini';
import type { DaemonSetManifest, DeploymentManifest, StatefulSetManifest, WORKLOADS } from '../schema/workloads.ts';
import { MIN_READY, PARTITION, PROGRESS_DEADLINE, REPLICAS, REVISION_HISTORY, ROLLOUT_PODS } from '../settings.ts';
import { daemonSetPlan, deploymentPlan, type Plan, statefulSetPlan } from './plans.ts';
import { type Spot, within } from './report.ts';
import type { SettingsBuilder } from './settingsBuilder.ts';

/** How far a Deployment's rollout may go above and below its replicas. */
export const ROLLOUT_LIMITS = ['maxSurge', 'maxUnavailable'] as const;

export type WorkloadKind = keyof typeof WORKLOADS;
type Spec = z.output<(typeof WORKLOADS)[WorkloadKind]>['spec'];

/** How the controller of that kind keeps the Pods. `spec` is of that kind. */
export function planOf(kind: WorkloadKind, spec: Spec): Plan {
  switch (kind) {
    case 'Deployment':
      return deploymentPlan(spec as DeploymentManifest['spec']);
    case 'StatefulSet':
      return statefulSetPlan(spec as StatefulSetManifest['spec']);
    case 'DaemonSet':
      return daemonSetPlan(spec as DaemonSetManifest['spec']);
    case 'ReplicaSet':
      return { kind };
  }
}

/** Puts the numbers of a workload into the settings below `path`. */
export function readWorkloadNumbers(
  kind: WorkloadKind,
  spec: Spec,
  path: string,
  spot: Spot,
  settings: SettingsBuilder,
): void {
  const put = (name: string, rule: Parameters<SettingsBuilder['add']>[1], steps: readonly string[] = [name]): void => {
    const value = steps.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], spec);
    const at = within(spot, ...steps);
    if (typeof value === 'string') settings.addPercentage(`${path}/${name}`, at);
    else settings.add(`${path}/${name}`, rule, value as number | undefined, 'manifest', at);
  };
  if (kind !== 'DaemonSet') put('replicas', REPLICAS);
  put('minReadySeconds', MIN_READY);
  if (kind === 'Deployment') {
    put('progressDeadlineSeconds', PROGRESS_DEADLINE);
    const { strategy } = spec as DeploymentManifest['spec'];
    if (strategy?.type !== 'Recreate') {
      for (const name of ROLLOUT_LIMITS) put(name, ROLLOUT_PODS, ['strategy', 'rollingUpdate', name]);
    }
  }
  if (kind !== 'ReplicaSet') put('revisionHistoryLimit', REVISION_HISTORY);
  if (kind === 'StatefulSet') put('partition', PARTITION, ['updateStrategy', 'rollingUpdate', 'partition']);
}
