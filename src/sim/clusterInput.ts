import type { Micros, MicrosSpan } from '../base/units.ts';
import type {
  EndpointSliceObject,
  EndpointsObject,
  IpFamily,
  Labels,
  NodeObject,
  Resource,
  ServiceObject,
} from './api/objects.ts';
import type { PodStatus } from './api/podStatus.ts';
import type {
  DaemonSetObject,
  DeploymentObject,
  PodDisruptionBudgetObject,
  ReplicaSetObject,
  StatefulSetObject,
} from './api/workloadObjects.ts';
import type { ClientInput, PeersInput } from './clientInput.ts';
import type { PodInput } from './scenario.ts';
import type { WorkloadsInput } from './workloadsInput.ts';

/** The control plane and the proxies of a scenario. */
export interface ClusterInput {
  /** The controllers' caches are filled at this instant, at or before 0, µs. */
  readonly start: Micros;
  /** Pods of kubelets have an IPv6 address beside the IPv4 one. */
  readonly isDualStack?: boolean;
  /** Objects that exist at `start`. */
  readonly existing: readonly StoredInput[];
  readonly controllers: ControllersInput;
  readonly proxies: readonly ProxyInput[];
  readonly latency: ClusterLatencies;
  readonly faults: readonly ApiFault[];
  /** UDP connections that the nodes' connection tracking tables hold from the start. */
  readonly conntrack: readonly ConntrackEntry[];
  /** What a script writes to the API server, in any order. */
  readonly writes: readonly ScriptedWrite[];
  readonly rollouts: readonly RolloutInput[];
  /** Null: nobody makes Pods but the script. */
  readonly workloads: WorkloadsInput | null;
  /** Names that apps look up. */
  readonly peers?: readonly PeersInput[];
  readonly clients: readonly ClientInput[];
}

/** An actor that replaces Pods one after the other. */
export interface RolloutInput {
  readonly at: Micros;
  readonly replace: readonly { readonly add: PodInput /** An identity. */; readonly remove: string }[];
  /** From seeing the new Pod Ready to the deletion, on top of `request`. */
  readonly minReady: MicrosSpan;
  /** Whether it waits until the old Pod's removal is delivered. */
  readonly waitGone: boolean;
  readonly request: MicrosSpan;
  readonly response: MicrosSpan;
  /** Commit of a Pod to its delivery. */
  readonly watch: MicrosSpan;
}

/** A Pod that no kubelet runs: the script writes its status. */
export interface ScriptedPod {
  readonly input: PodInput;
  readonly status: PodStatus;
}

export type StoredInput =
  | { readonly resource: 'nodes'; readonly object: NodeObject }
  | { readonly resource: 'pods'; readonly object: ScriptedPod }
  | { readonly resource: 'services'; readonly object: ServiceObject }
  | { readonly resource: 'endpoints'; readonly object: EndpointsObject }
  | { readonly resource: 'endpointslices'; readonly object: EndpointSliceObject }
  | { readonly resource: 'deployments'; readonly object: DeploymentObject }
  | { readonly resource: 'replicasets'; readonly object: ReplicaSetObject }
  | { readonly resource: 'statefulsets'; readonly object: StatefulSetObject }
  | { readonly resource: 'daemonsets'; readonly object: DaemonSetObject }
  | { readonly resource: 'poddisruptionbudgets'; readonly object: PodDisruptionBudgetObject };

/** A write that is committed at `at`, µs. `pod` is an identity; other names are `namespace/name`, nodes by name. */
export type ScriptedWrite = { readonly at: Micros } & (
  | { readonly do: 'create' | 'replace'; readonly stored: StoredInput }
  | { readonly do: 'setReady'; readonly pod: string; readonly ready: boolean }
  /** Ready true or false goes with the phase. */
  | {
      readonly do: 'setPhase';
      readonly pod: string;
      readonly phase: PodStatus['phase'];
      readonly ready: boolean | null;
    }
  | { readonly do: 'setPodIPs'; readonly pod: string; readonly podIPs: readonly string[] }
  /** Replaces the Pod's labels. */
  | { readonly do: 'labelPod'; readonly pod: string; readonly labels: Labels }
  /** Adds annotations. */
  | { readonly do: 'annotatePod'; readonly pod: string; readonly annotations: Labels }
  /** Sets the deletion timestamp; nothing else happens to a Pod without a kubelet. */
  | { readonly do: 'deletePod'; readonly pod: string; readonly graceSeconds: number }
  | { readonly do: 'removePod'; readonly pod: string }
  /** Adds to its selector. */
  | { readonly do: 'patchSelector'; readonly service: string; readonly labels: Labels }
  | { readonly do: 'deleteService'; readonly service: string }
  | { readonly do: 'deleteEndpoints'; readonly name: string }
  | { readonly do: 'dropEndpointsAddresses'; readonly name: string }
  /** All slices of the Service. */
  | { readonly do: 'deleteSlices'; readonly service: string }
  /** Somebody edits the first slice of the Service: adds `annotations`, or takes its first endpoint out when that is null. */
  | { readonly do: 'touchSlice'; readonly service: string; readonly annotations: Labels | null }
  /** The first endpoint of a slice (`namespace/name`) changes between ready and not ready, `count` times and at once for the first. */
  | { readonly do: 'flipSlice'; readonly slice: string; readonly every: MicrosSpan; readonly count: number }
  /** Replaces the Node's labels. */
  | { readonly do: 'labelNode'; readonly node: string; readonly labels: Labels }
  | { readonly do: 'nodeReady'; readonly node: string; readonly ready: boolean }
  /** Many Pods, each of `pods` `step` after the one before it. */
  | {
      readonly do: 'createSet';
      readonly set: string;
      readonly ready: boolean;
      readonly pods: readonly ScriptedPod[];
      readonly step: MicrosSpan;
    }
  | {
      readonly do: 'setReadyRange';
      readonly set: string;
      readonly ready: boolean;
      readonly pods: readonly string[];
      readonly step: MicrosSpan;
    }
);

/** Names of the controllers, as recordings and `latency` have them. */
export const CONTROLLERS = ['endpoints', 'endpointslices', 'mirroring'] as const;
export type ControllerName = (typeof CONTROLLERS)[number];

export interface ControllerInput {
  /** `--endpoint-updates-batch-period` and its like, µs (C-113). */
  readonly batchPeriod: MicrosSpan;
  /** `--concurrent-endpoint-syncs` and its like. */
  readonly workers: number;
}

export interface ControllersInput {
  /** How far the wall clock has been set back since their process started; 0 but in a recorder's virtual time. */
  readonly clockSetBack: MicrosSpan;
  readonly endpoints: ControllerInput;
  readonly endpointslices: ControllerInput & {
    /** `--max-endpoints-per-slice`. */
    readonly maxEndpointsPerSlice: number;
  };
  /** Null: the controller does not run. */
  readonly mirroring: (ControllerInput & { readonly maxEndpointsPerSubset: number }) | null;
}

/** `ebpf`: a simple model of data planes without kube-proxy (P-044). */
export type ProxyMode = 'iptables' | 'nftables' | 'ipvs' | 'ebpf';

/** One kube-proxy. */
export interface ProxyInput {
  readonly name: string;
  readonly mode: ProxyMode;
  readonly node: string;
  readonly start: Micros;
  readonly minSyncPeriod: MicrosSpan;
  readonly syncPeriod: MicrosSpan;
  readonly configSyncPeriod: MicrosSpan;
  readonly ipFamilies: readonly IpFamily[];
  /** A rule write takes this, and `kernelWritePerLineNs` nanoseconds for each of its lines. */
  readonly kernelWriteBase: MicrosSpan;
  readonly kernelWritePerLineNs: number;
  /** Rule writes that end in [from, until) fail; null: none does. */
  readonly fail: { readonly from: Micros; readonly until: Micros } | null;
  /** `--detect-local-mode ClusterCIDR` with this range; '' without detection. */
  readonly detectLocalPodCIDR: string;
  /** Syncs that Services outside the scenario ask for; without it there are none. */
  readonly neighbours?: readonly NeighbourSync[];
}

/** A change of somebody else's Service reaches a proxy at `at`; the sync that it asks for writes its rules in `write`, and is done `after` later, µs. */
export interface NeighbourSync {
  readonly at: Micros;
  readonly write: MicrosSpan;
  readonly after: MicrosSpan;
}

/** An answer of the API server that is injected. */
export interface ApiFault {
  /** Component, as events name it. */
  readonly actor: string;
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly resource: Resource;
  /** HTTP status. */
  readonly code: number;
  readonly from: Micros;
  /** So many matching requests after `from`. */
  readonly count: number;
  /** The write is stored all the same; only the answer is an error. */
  readonly committed: boolean;
}

/** A UDP connection in the tracking table of a proxy's node. */
export interface ConntrackEntry {
  /** Name of the proxy. */
  readonly proxy: string;
  /** Address and port that the client used, and those of the endpoint that answers. */
  readonly from: string;
  readonly dest: string;
  readonly backend: string;
  readonly protocol: 'UDP' | 'TCP' | 'SCTP';
}

/** Lengths of the hops of the control plane, µs. */
export interface ClusterLatencies {
  /** Commit of a write to its delivery to a component, for each resource that the component watches. */
  readonly watch: {
    readonly endpoints: Readonly<Record<'pods' | 'services' | 'endpoints', MicrosSpan>>;
    readonly endpointslices: Readonly<Record<'pods' | 'services' | 'nodes' | 'endpointslices', MicrosSpan>>;
    readonly mirroring: Readonly<Record<'services' | 'endpoints' | 'endpointslices', MicrosSpan>>;
    readonly proxy: Readonly<Record<'services' | 'endpointslices' | 'nodes', MicrosSpan>>;
  };
  /** Times a proxy's place among the scenario's proxies, on top of `watch.proxy`. */
  readonly watchPerProxy: MicrosSpan;
  /** On top of the watch latency for a list. */
  readonly listExtra: MicrosSpan;
  /** Call to commit. */
  readonly request: Readonly<Record<ControllerName, MicrosSpan>>;
  /** On top of `request`: FNV-1a 64 of the object's name without its generated suffix, modulo this; 0 adds nothing. */
  readonly requestNameSpread: number;
  /** Commit to the return of the call. */
  readonly response: Readonly<Record<ControllerName, MicrosSpan>>;
  /** After each sync of a proxy. */
  readonly proxyAfterSync: MicrosSpan;
  /** Between the start of a proxy's Service handlers and that of its EndpointSlice handlers. */
  readonly proxyConfigStartGap: MicrosSpan;
}
