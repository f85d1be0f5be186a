import type { IntOrPercent } from '../../sim/api/workloadObjects.ts';
import type { DaemonSetManifest, DeploymentManifest, StatefulSetManifest } from '../schema/workloads.ts';

/** How the controller of a workload keeps its Pods, with the API server's defaults; its numbers are in the settings. */
export type Plan =
  | {
      readonly kind: 'Deployment';
      readonly strategy: 'RollingUpdate' | 'Recreate';
      readonly maxSurge: IntOrPercent;
      readonly maxUnavailable: IntOrPercent;
      readonly paused: boolean;
    }
  | { readonly kind: 'ReplicaSet' }
  | {
      readonly kind: 'StatefulSet';
      readonly podManagementPolicy: 'OrderedReady' | 'Parallel';
      readonly updateStrategy: 'RollingUpdate' | 'OnDelete';
      readonly maxUnavailable: IntOrPercent;
    }
  | {
      readonly kind: 'DaemonSet';
      readonly updateStrategy: 'RollingUpdate' | 'OnDelete';
      readonly maxSurge: IntOrPercent;
      readonly maxUnavailable: IntOrPercent;
    };

/** pkg/apis/apps/v1/defaults.go, SetDefaults_Deployment. */
export function deploymentPlan({ strategy = {}, paused = false }: DeploymentManifest['spec']): Plan {
  const { type = 'RollingUpdate', rollingUpdate: { maxSurge = '25%', maxUnavailable = '25%' } = {} } = strategy;
  return { kind: 'Deployment', strategy: type, maxSurge, maxUnavailable, paused };
}

/** SetDefaults_StatefulSet. */
export function statefulSetPlan({ podManagementPolicy, updateStrategy = {} }: StatefulSetManifest['spec']): Plan {
  const { type = 'RollingUpdate', rollingUpdate: { maxUnavailable = 1 } = {} } = updateStrategy;
  return {
    kind: 'StatefulSet',
    podManagementPolicy: podManagementPolicy ?? 'OrderedReady',
    updateStrategy: type,
    maxUnavailable,
  };
}

/** SetDefaults_DaemonSet. */
export function daemonSetPlan({ updateStrategy = {} }: DaemonSetManifest['spec']): Plan {
  const { type = 'RollingUpdate', rollingUpdate: { maxSurge = 0, maxUnavailable = 1 } = {} } = updateStrategy;
  return { kind: 'DaemonSet', updateStrategy: type, maxSurge, maxUnavailable };
}
