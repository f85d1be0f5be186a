import type { Quantiles } from '../base/quantiles.ts';
import type { Micros, MicrosSpan } from '../base/units.ts';
import type { ConditionStatus, Labels, OwnerRef, Protocol, Toleration } from './api/objects.ts';
import type { PeersInput } from './clientInput.ts';
import type { ClusterInput } from './clusterInput.ts';

/** Kubernetes minor versions that can be simulated: 1.20 to 1.37, the reference. */
export const MINOR_VERSIONS = { oldest: 20, reference: 37 } as const;

/**
 * What goes into the simulator: plain data, fully defaulted, nothing left to guess.
 * `src/io` makes it from manifests and the `kind: Scenario` document, or from a recording.
 */
export interface Scenario {
  /** The run ends here: nothing at or after this instant is simulated. µs after the start. */
  readonly duration: MicrosSpan;
  /** Decides every draw that is not pinned. */
  readonly seed: number;
  /** Kubernetes minor version, such as `1.37`. */
  readonly kubernetes: string;
  /** Wall clock at t = 0, whole µs since the Unix epoch (G-5: its part below a second matters); null draws the part below a second. */
  readonly wallClock: number | null;
  readonly kubelet: KubeletConfig;
  readonly latency: Latencies;
  /** How hops vary around their latency, by named draws; without it none does. */
  readonly jitter?: Jitter;
  /** How far the wall clock of a node is ahead of the world's, µs; 0 for those that are not named. */
  readonly clockSkew: Readonly<Record<string, MicrosSpan>>;
  /** One kubelet each. */
  readonly nodes: readonly string[];
  /** What is different on single nodes. */
  readonly perNode: Readonly<Record<string, NodeSettings>>;
  readonly pods: readonly PodInput[];
  /** The control plane beside the API server, and the proxies; null: none of them runs. */
  readonly cluster: ClusterInput | null;
  /** What people and other programs do during the run, in any order. */
  readonly actions: readonly Action[];
  readonly pins: Pins;
}

/** Something that happens from outside at an instant, µs. `pod` is an identity, or `namespace/workload` for each Pod of one. */
export type Action = { readonly at: Micros } & (
  | {
      readonly do: 'deletePod';
      readonly pod: string /** Null: the Pod's own grace. */;
      readonly graceSeconds: number | null;
    }
  /** The kubelet itself ends the Pod, short of a resource (K-043); the grace of a hard threshold is 1 s. */
  | { readonly do: 'evictPod'; readonly pod: string; readonly graceSeconds: number }
  /** The process in a container ends by itself; nothing happens while none runs there. */
  | { readonly do: 'crash'; readonly pod: string; readonly container: string; readonly exitCode: number }
  /** Another client writes a condition into the Pod's status. */
  | {
      readonly do: 'patchCondition';
      readonly pod: string;
      readonly condition: string;
      readonly status: ConditionStatus;
    }
  /** Another client adds labels; without any, one that nothing selects by. */
  | { readonly do: 'labelPod'; readonly pod: string; readonly labels: Labels }
  /** The manifest of a static Pod disappears from the node. */
  | { readonly do: 'removeStaticPod'; readonly pod: string }
  /** The node does not reach the API server for `lasts`: its requests fail, its watch events come when that is over. */
  | { readonly do: 'cutApi'; readonly node: string; readonly lasts: MicrosSpan }
  /** The node reaches nobody and is reached by nobody for `lasts`: its Pods go on, unseen. */
  | { readonly do: 'cutNode'; readonly node: string; readonly lasts: MicrosSpan }
  /** The API server answers the writes of the node's kubelet with a conflict for `lasts`. */
  | { readonly do: 'refuseWrites'; readonly node: string; readonly lasts: MicrosSpan }
  /** The runtime reports its network as not ready for `lasts` (K-046 step 4). */
  | { readonly do: 'cutPodNetwork'; readonly node: string; readonly lasts: MicrosSpan }
  /** The kubelet's process ends, and a new one starts `down` later. */
  | { readonly do: 'restartKubelet'; readonly node: string; readonly down: MicrosSpan }
);

/** Settings of one node; what is left out is as the scenario has it. */
export interface NodeSettings {
  readonly kubelet?: KubeletConfig;
  readonly latency?: Latencies;
  /** First address of its Pods' range, such as `10.244.1.0`; without it each node has a range of its own. */
  readonly podSubnet?: string;
}

/** Feature gates of the kubelet that are off by default and that the model knows, with the version that has them. */
export const FEATURE_GATES = {
  EventedPLEG: 37,
  ChangeContainerStatusOnKubeletRestart: 35,
  ReduceDefaultCrashLoopBackOffDecay: 33,
} as const;
export type FeatureGate = keyof typeof FEATURE_GATES;

export interface KubeletConfig {
  /** Start of the process (PLEG and status ticker start here); the default world starts it a day before t = 0. */
  readonly processStart: Micros;
  /** From process start to the syncLoop's 1 s and 2 s tickers. Null: the phases of all tickers are named draws. */
  readonly syncLoopDelay: MicrosSpan | null;
  /** Global relists that are known, in order; the others come in their cycle after them. Without any the phase is drawn. */
  readonly relists?: readonly KnownRelist[];
  /** Gates that are on. */
  readonly featureGates?: readonly FeatureGate[];
  /** `syncFrequency` of the kubelet configuration, seconds (K-040). */
  readonly syncFrequencySeconds: number;
  /** `crashLoopBackOff.maxContainerRestartPeriod`, seconds (K-077). */
  readonly maxContainerRestartPeriodSeconds: number;
}

/** A global relist views the runtime at `view`, and none does between `after` and that, µs. */
export interface KnownRelist {
  readonly after: Micros;
  readonly view: Micros;
}

/** Length of every hop that takes time, µs. Names are those of the recordings (`../shared/traces/kubelet/README.md`). */
export interface Latencies {
  /** Client to commit. */
  readonly apiRequest: MicrosSpan;
  /** Commit to client. */
  readonly apiResponse: MicrosSpan;
  /** Commit to the kubelet's config mux. */
  readonly watch: MicrosSpan;
  /** Process start to the first set of Pods. */
  readonly initialList: MicrosSpan;
  readonly criRunPodSandbox: MicrosSpan;
  readonly criCreateContainer: MicrosSpan;
  /** `startedAt` is the end of this call. */
  readonly criStartContainer: MicrosSpan;
  /** Before SIGTERM, and again between exit and the return of the call. */
  readonly criStopContainer: MicrosSpan;
  readonly criStopPodSandbox: MicrosSpan;
  readonly criRemove: MicrosSpan;
  /** `latencyIndex` times this is added to the create, start and stop calls of a container. */
  readonly perContainer: MicrosSpan;
  /** Begin of a global relist to the instant of its view. */
  readonly plegRelist: MicrosSpan;
  /** Begin of an on-demand relist of one Pod to the instant of its view. */
  readonly plegRelistPod: MicrosSpan;
  /** Begin of a pod worker's pass to its first effect. */
  readonly syncPod: MicrosSpan;
  /** Steps 6, 8 and 10 of SyncPod (K-046). */
  readonly syncPodCgroups: MicrosSpan;
  readonly syncPodDirectories: MicrosSpan;
  readonly syncPodPullSecrets: MicrosSpan;
  /** First look at a Pod's volumes to all being mounted. The pass looks at once, and then each 300 ms (K-046 step 9). */
  readonly syncPodVolumes: MicrosSpan;
  /** Within SyncTerminatedPod. */
  readonly volumeTeardown: MicrosSpan;
  /** Tick or poke to the turn of the Pod's first probe worker, plus `workerTurnStep` for each further one. */
  readonly workerTurn: MicrosSpan;
  readonly workerTurnStep: MicrosSpan;
}

/**
 * Hops whose length may vary from one time to the next. Most have one length in `Latencies` or `ClusterLatencies`, which
 * holds where nothing else is said; `probeResult` (result set to the syncLoop's receipt) then takes no time, `pokedTurn` is
 * the worker's own delay, and `statusGet` and `deletionWatch` are as `apiRequest` and `controllerWatch`.
 */
export type VaryingHop =
  | 'probeResult'
  | 'pokedTurn'
  | 'statusGet'
  | 'apiRequest'
  | 'apiResponse'
  | 'plegRelistPod'
  | 'criRunPodSandbox'
  | 'criCreateContainer'
  | 'criStartContainer'
  | 'controllerWatch'
  | 'deletionWatch'
  | 'controllerRequest'
  | 'controllerResponse'
  | 'proxyWatch'
  | 'ruleWrite'
  | 'proxyAfterSync';

/** How the lengths of hops vary; those that it leaves out keep their one length. */
export type Jitter = Readonly<Partial<Record<VaryingHop, Quantiles>>>;

/** One Pod as the API server first stores it, bound to a node already. */
export interface PodInput {
  /** `namespace/workload#revision/ordinal`, or `namespace/name` for a bare Pod: selection, draws and links use this. */
  readonly identity: string;
  readonly namespace: string;
  /** For display; may hold a generated suffix. */
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  readonly labels: Labels;
  /** spec.hostname and spec.subdomain; '' when not given (C-110, C-120). */
  readonly hostname: string;
  readonly subdomain: string;
  /** The workload's object that made it; null for a bare Pod. */
  readonly owner: OwnerRef | null;
  readonly tolerations: readonly Toleration[];
  /** The only node that it may be bound to (a DaemonSet's affinity); '' for any. */
  readonly target: string;
  /** Commit of the creation at the API server. */
  readonly createdAt: Micros;
  readonly restartPolicy: RestartPolicy;
  readonly terminationGracePeriodSeconds: number;
  readonly activeDeadlineSeconds: number | null;
  /** Condition types (K-187). */
  readonly readinessGates: readonly string[];
  /** From a file on the node: `createdAt` is when the file appears (K-192). */
  readonly isStatic: boolean;
  readonly containers: readonly ContainerInput[];
  /** Regular init containers and sidecars, in spec order. */
  readonly initContainers: readonly ContainerInput[];
  readonly faults: PodFaults;
}

/** What is made to go wrong for a Pod. */
export interface PodFaults {
  /** The kubelet refuses the Pod: the handler's reason and message (K-045). */
  readonly admission: { readonly reason: string; readonly message: string } | null;
  /** So many RunPodSandbox calls fail before one succeeds. */
  readonly sandboxFailures: number;
}
export const NO_FAULTS: PodFaults = { admission: null, sandboxFailures: 0 };

/** A pull of an image that the node does not have. The first one of a node pulls; then the image is there. */
export interface ImagePull {
  readonly takes: MicrosSpan;
  /** So many pulls fail, each after `takes`, before one succeeds. */
  readonly failures: number;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

/** A container's own restartPolicy and restartPolicyRules (KEP-5307). */
export interface ContainerRestart {
  readonly policy: RestartPolicy;
  /** The first one that matches an exit code counts. */
  readonly rules: readonly RestartRule[];
}
export interface RestartRule {
  readonly action: 'Restart' | 'RestartAllContainers';
  readonly operator: 'In' | 'NotIn';
  readonly exitCodes: readonly number[];
}
export type ProbeKind = 'startup' | 'readiness' | 'liveness';
/** Order in which the prober manager makes a container's workers (K-110). */
export const PROBE_KINDS: readonly ProbeKind[] = ['startup', 'readiness', 'liveness'];

/** In the order in which they start: init containers and sidecars, then the containers. */
export const containersOf = ({
  initContainers,
  containers,
}: Pick<PodInput, 'initContainers' | 'containers'>): readonly ContainerInput[] => [...initContainers, ...containers];
/** Those whose readiness counts for the Pod: sidecars, then the containers. */
export const servingContainersOf = (
  pod: Pick<PodInput, 'initContainers' | 'containers'>,
): readonly ContainerInput[] => [...pod.initContainers.filter(({ isSidecar }) => isSidecar), ...pod.containers];

/** The container that declares the port; where none does, the first that declares no port at all: it may listen anywhere. */
export const listenerAt = (
  pod: Pick<PodInput, 'initContainers' | 'containers'>,
  port: number,
): ContainerInput | undefined =>
  containersOf(pod).find(({ ports }) => ports.some(({ containerPort }) => containerPort === port)) ??
  pod.containers.find(({ ports }) => ports.length === 0);

export interface ContainerInput {
  readonly name: string;
  readonly image: string;
  readonly ports: readonly ContainerPort[];
  /** Multiplies `latency.perContainer`: the container's place in its Pod (in a recording, its place among all apps). */
  readonly latencyIndex: number;
  readonly probes: Readonly<Record<ProbeKind, ProbeSpec | null>>;
  /** An init container with restartPolicy Always. */
  readonly isSidecar: boolean;
  /** Its own answer to its exits (K-066); null: a sidecar always starts again, others follow their Pod. */
  readonly restart: ContainerRestart | null;
  /** Null: the image is on the node. */
  readonly imagePull: ImagePull | null;
  readonly postStart: Hook | null;
  readonly preStop: Hook | null;
  /** Of the world around it; the later of two counts. */
  readonly outages: readonly Outage[];
  /** What it answers to its readiness probe while it does not find its peers. Absent: it looks for none. */
  readonly needs?: { readonly peers: PeersInput; readonly answer: Answer };
  /** Behaviour from the i-th start on; the last entry serves all later starts. At least one. */
  readonly runs: readonly AppRun[];
}

/** A port that a container declares. `name` is '' without one. */
export interface ContainerPort {
  readonly name: string;
  readonly containerPort: number;
  readonly protocol: Protocol;
}

export interface ProbeSpec {
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
  /** Probe-level grace (K-083), null when not given. */
  readonly terminationGracePeriodSeconds: number | null;
  /** How a run asks: decides the words of events, not their times. `target` is `:8080/healthz`, `:5432`, or the command line. */
  readonly handler: { readonly type: 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'; readonly target: string };
}

export type HookName = 'postStart' | 'preStop';
export const HOOK_NAMES: readonly HookName[] = ['postStart', 'preStop'];

/** A lifecycle hook (K-072, K-082). A `sleep` takes its seconds; the others take what the app's run says. */
export type Hook = { readonly type: 'sleep'; readonly seconds: number } | { readonly type: 'exec' | 'httpGet' };

/** What a process does from its start. */
export interface AppRun {
  readonly script: readonly AppStep[];
  /** How the hooks go; null succeeds at once, and changes nothing. */
  readonly postStart: HookRun | null;
  readonly preStop: HookRun | null;
  /** Null: exits 143 after 50 ms, the answer of a process without a handler. */
  readonly onTerm: AppTerm | null;
}

/** A hook of the app. */
export interface HookRun {
  readonly answer: Answer;
  /** Overrides the run's script, counted from the hook's begin. */
  readonly script: readonly AppStep[];
}

/** Holds from `at` until the next step that names the same probe. */
export interface AppStep {
  /** µs since the container's real start (in `onTerm`: since SIGTERM). */
  readonly at: MicrosSpan;
  readonly answers: Readonly<Partial<Record<ProbeKind, Answer>>>;
  /** What a new connection meets from `at` on, until the next step that says so. Null: as before. */
  readonly serve: Serve | null;
  /** The process ends at `at` with this code. */
  readonly exit: number | null;
}

/** What a client's connection meets. Before the first step that says so there is no listener. */
export interface Serve {
  /** No listener, accepts and never answers, or answers `code` after `takes` µs. */
  readonly state: 'refuse' | 'hang' | 'answer';
  /** Of `refuse`: what a request on a connection that is open still gets; 0 closes those too. */
  readonly code: number;
  readonly takes: MicrosSpan;
  /** What differs for some requests; the last entry that fits counts. */
  readonly except?: readonly ServeException[];
}

/** Null fits every port, every path; a path fits itself and what is below it. */
export interface ServeException {
  readonly port: number | null;
  readonly path: string | null;
  readonly serve: Serve;
}

/** A dependency is away: what would succeed goes as said here. */
export interface Outage {
  readonly from: Micros;
  /** Infinity: for ever. */
  readonly until: Micros;
  readonly answers: Readonly<Partial<Record<ProbeKind, Answer>>>;
  /** What requests meet, and which; null where they do not notice. */
  readonly serve: ServeException | null;
}

export interface Answer {
  /** warning: a success that an event warns of, such as a redirect to another host (K-136, K-146). */
  readonly outcome: 'success' | 'warning' | 'failure' | 'error';
  /** Length of one try, µs; cut at timeoutSeconds, which makes it a failure. `Infinity` hangs. */
  readonly takes: number;
  /** What the event says after "probe failed: ", "probe warning: " or "errored …: ". */
  readonly message: string;
}

export interface AppTerm {
  /** µs from SIGTERM to the exit; null ignores SIGTERM. */
  readonly exitAfter: MicrosSpan | null;
  readonly exitCode: number;
  /** Overrides the run's script, counted from SIGTERM. */
  readonly script: readonly AppStep[];
}

/** Draw name → the results, in the order of the draw's index. A pin may say when it is expected to be consumed. */
export type Pins = Readonly<Record<string, readonly Pin[]>>;
export interface Pin {
  /** The result of the draw: µs, or the text that the draw's README names. */
  readonly value: number | string;
  /** Where the recording consumed it; conformance reports a difference. */
  readonly at: Micros | null;
}
