/** What of workloads, budgets, nodes and Leases is read back from the stored objects. Shapes as kubectl shows them; counts of 0 are left out. */
interface MetadataJson {
  readonly name: string;
  readonly namespace?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
}
interface ReplicasJson {
  readonly metadata: MetadataJson;
  readonly spec: { readonly replicas: number; readonly paused?: boolean };
  readonly status: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly updatedReplicas?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}

/** A taint of a Node. */
export interface TaintJson {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface WorkloadJsonOf {
  readonly deployments: ReplicasJson;
  readonly replicasets: ReplicasJson;
  readonly statefulsets: ReplicasJson;
  readonly daemonsets: {
    readonly metadata: MetadataJson;
    readonly status: {
      readonly desiredNumberScheduled: number;
      readonly numberReady: number;
      readonly numberAvailable?: number;
      readonly updatedNumberScheduled?: number;
    };
  };
  readonly poddisruptionbudgets: {
    readonly metadata: MetadataJson;
    readonly status: {
      readonly disruptionsAllowed: number;
      readonly currentHealthy: number;
      readonly desiredHealthy: number;
    };
  };
  readonly nodes: {
    readonly metadata: MetadataJson;
    readonly spec: { readonly unschedulable?: boolean; readonly taints?: readonly TaintJson[] };
    readonly status: {
      readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    };
  };
  readonly leases: { readonly metadata: MetadataJson };
}
