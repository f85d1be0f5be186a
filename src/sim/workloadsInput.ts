import { type Micros, type MicrosSpan, seconds } from '../base/units.ts';
import type { Labels, Resource, Taint } from './api/objects.ts';
import type { PodInput } from './scenario.ts';

/** Controllers of workloads and nodes, by the names that events show. */
export const WORKLOAD_CONTROLLERS = [
  'deployment',
  'replicaset',
  'statefulset',
  'daemonset',
  'nodelifecycle',
  'tainteviction',
  'podgc',
  'disruption',
] as const;
export type WorkloadController = (typeof WORKLOAD_CONTROLLERS)[number];

/** The controllers of workloads and nodes, and the scheduler. */
export interface WorkloadsInput {
  readonly running: readonly WorkloadController[];
  /**
   * Lengths of hops, µs: `watch/<component>/<resource>` commit to delivery, `watch/removal` on top of it for a deletion,
   * `request/<component>` call to commit, `request/nameSpread` and `request/createStep` as `ClusterLatencies` has them,
   * `response/<component>` commit to return, `scheduler/cycle`, `pass/nodelifecycle` a pass over all nodes without its requests.
   * A hop that is not named takes no time.
   */
  readonly hops: Readonly<Record<string, MicrosSpan>>;
  /** Agents in place of kubelets; null: kubelets run the Pods, and report for their nodes. */
  readonly agents: AgentsInput | null;
  readonly reports: KubeletReportsInput;
  readonly nodeLifecycle: NodeLifecycleInput;
  readonly given: GivenIdentity;
  /** What is special about single Pods, by identity. */
  readonly special: Readonly<Record<string, Pick<PodInput, 'containers' | 'initContainers' | 'faults'>>>;
  readonly actions: readonly WorkloadAction[];
}

/** What kubelets tell of their nodes, by the names of the KubeletConfiguration (N-030). */
export interface KubeletReportsInput {
  /** nodeLeaseDurationSeconds: a quarter of it is the renewal interval. */
  readonly leaseDuration: MicrosSpan;
  /** nodeStatusUpdateFrequency: how often the status is looked at. */
  readonly statusUpdate: MicrosSpan;
  /** nodeStatusReportFrequency: how often it is sent without a change. */
  readonly statusReport: MicrosSpan;
}

/** Flags of kube-controller-manager about nodes (N-031, N-035). */
export interface NodeLifecycleInput {
  /** --node-monitor-period */
  readonly monitorPeriod: MicrosSpan;
  /** --node-monitor-grace-period; null: the default of the version. And --node-startup-grace-period. */
  readonly gracePeriod: MicrosSpan | null;
  readonly startupGracePeriod: MicrosSpan;
  /** --node-eviction-rate and --secondary-node-eviction-rate, nodes a second. */
  readonly evictionRate: number;
  readonly secondaryEvictionRate: number;
  /** --large-cluster-size-threshold and --unhealthy-zone-threshold */
  readonly largeZone: number;
  readonly unhealthyShare: number;
}

/** Their defaults in 1.37. */
export const KUBELET_REPORTS: KubeletReportsInput = {
  leaseDuration: seconds(40),
  statusUpdate: seconds(10),
  statusReport: seconds(300),
};
export const NODE_LIFECYCLE = {
  monitorPeriod: seconds(5),
  gracePeriod: seconds(50),
  startupGracePeriod: seconds(60),
  evictionRate: 0.1,
  secondaryEvictionRate: 0.01,
  largeZone: 50,
  unhealthyShare: 0.55,
} satisfies NodeLifecycleInput;

/** Default of --node-monitor-grace-period (N-031): longer since 1.32 (kubernetes/kubernetes#126287). `minor`: 37 for 1.37. */
export const defaultGracePeriod = (minor: number): MicrosSpan =>
  minor >= 32 ? NODE_LIFECYCLE.gracePeriod : seconds(40);

/** Generated identity as a recording has it. What is not given is generated. */
export interface GivenIdentity {
  /** Names made from a `generateName`, in order, by `namesOf`. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** UIDs of Pods by name, in order of their creation. */
  readonly uids: Readonly<Record<string, readonly string[]>>;
}
/** The names that are given to Pods of a `generateName`: those of one node have a list of their own. */
export const namesOf = (generateName: string, target: string): string =>
  target === '' ? generateName : `${generateName}@${target}`;
export const NOTHING_GIVEN: GivenIdentity = { names: {}, uids: {} };

/** What stands for the kubelets where none runs: Pods of an image do what is said here. */
export interface AgentsInput {
  /** Nodes that have one, in the order of their Pods' ranges of addresses. */
  readonly nodes: readonly string[];
  readonly behaviours: Readonly<Record<string, AgentBehaviour>>;
  /** How far the clocks of nodes are ahead, µs; negative: behind. */
  readonly clockSkew: Readonly<Record<string, number>>;
  /** From the terminal phase to the deletion with grace 0. */
  readonly finalDelete: MicrosSpan;
  /** From one renewal of the Lease to the next, and how much longer it is at most. */
  readonly leaseRenew: MicrosSpan;
  readonly leaseJitter: MicrosSpan;
  /** From one report of the node's status to the next. */
  readonly statusReport: MicrosSpan;
  /** From the return of a node to its first Lease, its report, and its look at its Pods. */
  readonly back: { readonly lease: MicrosSpan; readonly nodeStatus: MicrosSpan; readonly pods: MicrosSpan };
}
export interface AgentBehaviour {
  /** From seeing the Pod to Running. */
  readonly start: MicrosSpan;
  /** From Running to Ready; null: never. FNV-1a of the Pod's name modulo `spread` comes on top. */
  readonly ready: MicrosSpan | null;
  readonly spread: number;
  /** Changes of Ready after the first Ready: µs after it. */
  readonly flaps: readonly { readonly at: MicrosSpan; readonly ready: boolean }[];
  /** From Running to phase Failed; null: never. */
  readonly fail: MicrosSpan | null;
  /** From seeing the deletion to the terminal phase. */
  readonly drain: MicrosSpan;
}

/** What somebody does to workloads and nodes at an instant, µs. Keys are `namespace/name`, nodes by name, Pods by identity. */
export type WorkloadAction =
  | ({ readonly at: Micros } & (
      | {
          readonly do: 'patch';
          readonly resource: PatchedResource;
          readonly key: string;
          /** The spec after the patch; the status stays. */
          readonly spec: object;
          readonly note: string;
        }
      /** An object or a patch that the API server refuses. */
      | {
          readonly do: 'refused';
          readonly verb: 'create' | 'patch';
          readonly resource: Resource;
          readonly name: string;
          readonly note: string;
          readonly code: number;
          readonly error: string;
        }
      | { readonly do: 'deletePod'; readonly pod: string; readonly graceSeconds: number | null }
      /** `pod`: as in scenario.ts Action. */
      | { readonly do: 'evict'; readonly pod: string }
      | { readonly do: 'setReady'; readonly pod: string; readonly ready: boolean }
      | {
          readonly do: 'patchPod';
          readonly pod: string;
          readonly annotations: Labels;
          readonly labels: Labels;
          readonly note: string;
        }
    ))
  | NodeAction;
/** What somebody does to a node at an instant, µs. */
export type NodeAction = { readonly at: Micros; readonly node: string } & (
  | { readonly do: 'drain' | 'deleteNode' | 'startNode' }
  | { readonly do: 'stopNode'; readonly powerOff: boolean }
  | { readonly do: 'nodeReady'; readonly ready: boolean }
  | { readonly do: 'addTaint' | 'removeTaint'; readonly taint: Taint; readonly note: string }
  | {
      readonly do: 'patchNode';
      /** Null: as it is. */
      readonly unschedulable: boolean | null;
      readonly taints: readonly Taint[] | null;
      readonly note: string;
    }
);
export type PatchedResource = 'deployments' | 'replicasets' | 'statefulsets' | 'daemonsets' | 'poddisruptionbudgets';
