import type { PodInput } from '../scenario.ts';
import type { ConditionStatus, Labels, ObjectMeta } from './objects.ts';

/** A Pod template as a workload has it. */
export interface PodTemplate {
  /** `namespace/workload#revision`, with which the identities of its Pods begin; null: they are known by their names. */
  readonly identity: string | null;
  /** Equal texts are equal templates. */
  readonly text: string;
  /** pod-template-hash and controller-revision-hash; for display and names only. */
  readonly hash: string;
  readonly labels: Labels;
  readonly pod: PodTemplateSpec;
}
export type PodTemplateSpec = Omit<
  PodInput,
  'identity' | 'namespace' | 'name' | 'uid' | 'node' | 'labels' | 'createdAt' | 'owner'
>;

/** A number, or a percentage such as `25%`. */
export type IntOrPercent = number | string;

/** A number, or a percentage of `total`. Source: apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent. */
export function scaledValue(value: IntOrPercent, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const exact = (Number.parseInt(value, 10) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}

export interface WorkloadCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  /** Whole wall-clock seconds. */
  readonly lastUpdateTime: number;
  readonly lastTransitionTime: number;
}

export interface DeploymentObject {
  readonly meta: ObjectMeta;
  readonly spec: DeploymentSpec;
  readonly status: DeploymentStatus;
}
export interface DeploymentSpec {
  readonly replicas: number;
  readonly selector: Labels;
  readonly template: PodTemplate;
  readonly strategy: 'RollingUpdate' | 'Recreate';
  readonly maxSurge: IntOrPercent;
  readonly maxUnavailable: IntOrPercent;
  readonly minReadySeconds: number;
  readonly progressDeadlineSeconds: number;
  readonly revisionHistoryLimit: number;
  readonly paused: boolean;
}
export interface DeploymentStatus {
  readonly observedGeneration: number;
  readonly replicas: number;
  readonly updatedReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly unavailableReplicas: number;
  /** Null: never written. */
  readonly terminatingReplicas: number | null;
  readonly conditions: readonly WorkloadCondition[];
}

export interface ReplicaSetObject {
  readonly meta: ObjectMeta;
  readonly spec: ReplicaSetSpec;
  readonly status: ReplicaSetStatus;
}
export interface ReplicaSetSpec {
  readonly replicas: number;
  readonly minReadySeconds: number;
  readonly selector: Labels;
  readonly template: PodTemplate;
}
export interface ReplicaSetStatus {
  readonly observedGeneration: number;
  readonly replicas: number;
  readonly fullyLabeledReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly terminatingReplicas: number | null;
  readonly conditions: readonly WorkloadCondition[];
}

export interface StatefulSetObject {
  readonly meta: ObjectMeta;
  readonly spec: {
    readonly replicas: number;
    readonly selector: Labels;
    readonly template: PodTemplate;
    readonly serviceName: string;
    readonly podManagementPolicy: 'OrderedReady' | 'Parallel';
    readonly updateStrategy: 'RollingUpdate' | 'OnDelete';
    readonly partition: number;
    readonly maxUnavailable: IntOrPercent;
    readonly minReadySeconds: number;
    readonly revisionHistoryLimit: number;
  };
  readonly status: {
    readonly observedGeneration: number;
    readonly replicas: number;
    readonly readyReplicas: number;
    readonly currentReplicas: number;
    readonly updatedReplicas: number;
    readonly availableReplicas: number;
    readonly currentRevision: string;
    readonly updateRevision: string;
    readonly collisionCount: number;
  };
}

export interface DaemonSetObject {
  readonly meta: ObjectMeta;
  readonly spec: {
    readonly selector: Labels;
    readonly template: PodTemplate;
    readonly updateStrategy: 'RollingUpdate' | 'OnDelete';
    readonly maxSurge: IntOrPercent;
    readonly maxUnavailable: IntOrPercent;
    readonly minReadySeconds: number;
    readonly revisionHistoryLimit: number;
  };
  readonly status: {
    readonly observedGeneration: number;
    readonly currentNumberScheduled: number;
    readonly numberMisscheduled: number;
    readonly desiredNumberScheduled: number;
    readonly numberReady: number;
    readonly updatedNumberScheduled: number;
    readonly numberAvailable: number;
    readonly numberUnavailable: number;
  };
}

export interface ControllerRevisionObject {
  readonly meta: ObjectMeta;
  readonly revision: number;
  readonly template: PodTemplate;
}

export interface PodDisruptionBudgetObject {
  readonly meta: ObjectMeta;
  readonly spec: {
    readonly selector: Labels;
    /** One of the two is given, the other null. */
    readonly minAvailable: IntOrPercent | null;
    readonly maxUnavailable: IntOrPercent | null;
    /** Whether Pods that are not ready may go in any case, or only while enough are healthy. */
    readonly unhealthyPodEvictionPolicy: 'AlwaysAllow' | 'IfHealthyBudget';
  };
  readonly status: {
    readonly observedGeneration: number;
    readonly disruptionsAllowed: number;
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly expectedPods: number;
    /** Evictions that the controller has not seen yet: Pod name → wall-clock seconds. */
    readonly disruptedPods: Readonly<Record<string, number>>;
    readonly conditions: readonly WorkloadCondition[];
  };
}

export interface LeaseObject {
  readonly meta: ObjectMeta;
  /** Microseconds are kept (C-005): µs since the Unix epoch. */
  readonly renewTime: number;
}

/** Keys of the labels and annotations of workloads. */
export const WORKLOAD = {
  podTemplateHash: 'pod-template-hash',
  controllerRevisionHash: 'controller-revision-hash',
  podIndex: 'apps.kubernetes.io/pod-index',
  statefulSetPodName: 'statefulset.kubernetes.io/pod-name',
  revision: 'deployment.kubernetes.io/revision',
  revisionHistory: 'deployment.kubernetes.io/revision-history',
  desiredReplicas: 'deployment.kubernetes.io/desired-replicas',
  maxReplicas: 'deployment.kubernetes.io/max-replicas',
  deletionCost: 'controller.kubernetes.io/pod-deletion-cost',
} as const;
