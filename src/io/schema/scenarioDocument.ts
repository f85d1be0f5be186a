import * as z from 'zod/mini';
import { CLUSTER_LATENCIES_MS, CLUSTER_LATENCY_NAMES, type ClusterLatencyName } from '../clusterSettings.ts';
import { LATENCY_DEFAULTS_MS, LATENCY_NAMES, type LatencyName } from '../settings.ts';
import { action } from './action.ts';
import { app } from './app.ts';
import { client } from './client.ts';
import { apiFault, controllerManager, kubeProxy } from './cluster.ts';
import { pinnedResult } from './draws.ts';
import { duration, signedDuration } from './duration.ts';
import { fault } from './fault.ts';
import { kubernetesVersion, OLDEST_VERSION, REFERENCE_VERSION } from './kubernetesVersion.ts';
import { optional, strict } from './strict.ts';
import { wallClock } from './time.ts';

export const SCENARIO_API_VERSION = 'podtopool/v1';

const LATENCY_TEXTS: Readonly<Record<LatencyName, string>> = {
  apiRequest: 'A request of the kubelet, from the client to its commit at the API server.',
  apiResponse: 'From the commit to the answer at the client.',
  watch: "From a commit to the kubelet's watch.",
  initialList: "From the kubelet's start to its first list of Pods. ≈",
  criRunPodSandbox: 'The RunPodSandbox call of the container runtime. ≈',
  criCreateContainer: 'The CreateContainer call. ≈',
  criStartContainer: 'The StartContainer call; the container has started when it ends. ≈',
  criStopContainer: 'In the StopContainer call: before SIGTERM, and again from the exit to the return. ≈',
  criStopPodSandbox: 'The StopPodSandbox call. ≈',
  criRemove: 'The calls that remove a container or a sandbox. ≈',
  perContainer: 'Added i times to create, start and stop of the i-th container of a Pod, counted from 0. ≈',
  plegRelist: 'A relist of all Pods by the PLEG. ≈',
  plegRelistPod: 'A relist of one Pod. ≈',
  syncPod: "From the begin of a pod worker's pass to its first effect. ≈",
  syncPodCgroups: 'Step 6 of SyncPod: the cgroup of the Pod.',
  syncPodDirectories: 'Step 8 of SyncPod: the directories of the Pod.',
  syncPodVolumes:
    'First look at the volumes of a Pod to all being mounted; SyncPod looks again each 300 ms. 0: no volumes. ≈',
  syncPodPullSecrets: 'Step 10 of SyncPod: the pull secrets.',
  volumeTeardown: 'Unmounting the volumes of a terminated Pod. ≈',
  workerTurn: "From a tick or trigger to the turn of the Pod's first probe worker. ≈",
  workerTurnStep: 'Added for each further probe worker of the Pod. ≈',
};

const CLUSTER_LATENCY_TEXTS: Readonly<Record<ClusterLatencyName, string>> = {
  controllerWatch:
    'From a commit to the watch of a controller; the endpoints controller hears 0.05ms later than the EndpointSlice controller. Rows 05 and 06 of the recorded hops.',
  controllerOwnWatch:
    'From a write of an endpoints, EndpointSlice or mirroring controller to its own watch. In the recorded cluster it comes before the answer, so that its cache is not out of date.',
  controllerRequest: 'A write of a controller, from the sync to its commit at the API server. Rows 06 and 07.',
  controllerResponse: 'From the commit to the answer at the controller. Row 07.',
  schedulerCycle: 'From a Pod at the head of the scheduler queue to the binding request. ≈',
  proxyWatch: 'From a commit to kube-proxy; each further node hears 0.2ms later. Rows 07 and 08.',
  clientNetwork: 'One way between a client and a Pod. ≈',
  iptablesRestore: 'A rule write in iptables mode. Row 09.',
  iptablesRestorePerLine: 'Added for each line of it. ≈',
  nftTransaction: 'A rule write in nftables mode. Row 09.',
  nftTransactionPerLine: 'Added for each operation of it. ≈',
  ipvsSync: 'A rule write in ipvs mode. ≈',
  ipvsSyncPerLine: 'Added for each line of it. ≈',
  ebpfUpdate: 'A change of the maps of an eBPF data plane. ≈',
  ebpfUpdatePerEntry: 'Added for each entry of them. ≈',
};

type Latencies = Record<LatencyName | ClusterLatencyName, z.ZodMiniOptional<typeof duration>>;
const latencies = Object.fromEntries([
  ...LATENCY_NAMES.map((name) => [
    name,
    optional(duration, `${LATENCY_TEXTS[name]} Default ${LATENCY_DEFAULTS_MS[name]}ms.`),
  ]),
  ...CLUSTER_LATENCY_NAMES.map((name) => [
    name,
    optional(duration, `${CLUSTER_LATENCY_TEXTS[name]} Default ${CLUSTER_LATENCIES_MS[name]}ms.`),
  ]),
]) as Latencies;

/**
 * The `kind: Scenario` document: the single source of its checks, of public/scenario.schema.json and of the
 * table in docs/scenario.md. Durations come out as seconds, times as µs since the epoch, the version as its minor number.
 */
export const scenarioDocument = strict({
  apiVersion: z.literal(SCENARIO_API_VERSION).check(z.describe(`Always ${SCENARIO_API_VERSION}.`)),
  kind: z.literal('Scenario').check(z.describe('Always Scenario.')),
  metadata: optional(strict({ name: optional(z.string(), 'Shown as the title.') }), 'Name of the scenario.'),
  duration: optional(
    duration,
    'How much time is simulated. Default: 1, 2, 5 or 10 minutes, the first that the probes and the app need to settle.',
  ),
  seed: optional(
    z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
    'Decides every random draw that is not pinned. Default 1.',
  ),
  kubernetes: optional(
    kubernetesVersion,
    `Kubernetes version, '${OLDEST_VERSION}' to '${REFERENCE_VERSION}', in quotes. Default '${REFERENCE_VERSION}'.`,
  ),
  startTime: optional(
    wallClock,
    'Wall clock at the start, RFC 3339 with up to six decimals. Its part below a second matters, because the API keeps whole seconds. Default: drawn from the seed.',
  ),
  kubelet: optional(
    strict({
      syncFrequency: optional(duration, 'syncFrequency of the KubeletConfiguration. Default 1m.'),
      crashLoopBackOff: optional(
        strict({
          maxContainerRestartPeriod: optional(
            duration,
            'Longest wait between two restarts of a container, 1s to 300s; from 1.35 on. Default 5m.',
          ),
        }),
        'crashLoopBackOff of the KubeletConfiguration.',
      ),
      nodeLeaseDurationSeconds: optional(
        z.int(),
        'How long a Lease of a node lasts; a quarter of it is the time between two renewals. Default 40.',
      ),
      nodeStatusUpdateFrequency: optional(
        duration,
        'How often a kubelet looks at the status of its node. Default 10s.',
      ),
      nodeStatusReportFrequency: optional(duration, 'How often it sends a status without a change. Default 5m.'),
      featureGates: optional(
        strict({
          EventedPLEG: optional(
            z.boolean(),
            'Alpha: a container that stops is seen at once, not with the next relist. Modelled as of 1.37.',
          ),
          ChangeContainerStatusOnKubeletRestart: optional(
            z.boolean(),
            'Off since 1.35: a restart of the kubelet makes each container not ready until its probe has run.',
          ),
          ReduceDefaultCrashLoopBackOffDecay: optional(
            z.boolean(),
            'Alpha, from 1.33 on: the crash back-off begins with 1 s, not with 10 s; before 1.35 it ends at 60 s.',
          ),
        }),
        'featureGates of the KubeletConfiguration, as far as the model knows them.',
      ),
      uptime: optional(
        duration,
        'How long the kubelet has been running when the scenario starts. Default 24h. Probe workers of a kubelet younger than their period begin with a random sleep.',
      ),
    }),
    'Settings of every kubelet, by their names in the KubeletConfiguration.',
  ),
  clockSkew: optional(
    z.record(z.string(), signedDuration),
    'How far the wall clock of a node is ahead of the others, such as node-a: 30s; with a minus it is behind.',
  ),
  controllerManager: optional(
    controllerManager,
    'Flags of kube-controller-manager, by their names. Its controllers run when the text has something for them to do.',
  ),
  kubeProxy: optional(
    kubeProxy,
    'Settings of every kube-proxy, by their names in the KubeProxyConfiguration. One runs on each node.',
  ),
  latencies: optional(
    strict(latencies),
    'How long each step takes. ≈ marks assumptions; the others are medians measured in a real cluster.',
  ),
  apps: optional(
    z.array(app),
    'How the apps behave. Without an entry, an app answers every probe at once and well, from its start on. The last entry that fits a container counts.',
  ),
  faults: optional(
    z.array(fault),
    'What goes wrong on the way to a running Pod. The last entry that fits a Pod counts.',
  ),
  actions: optional(z.array(action), 'What people and other programs do during the run, in any order.'),
  clients: optional(
    z.array(client),
    'Who asks, and what. Without this list each Service with a cluster IP that selects a Pod of the text has a client on the first node; [] for none.',
  ),
  podsWithoutKubelet: optional(
    z.array(z.string()),
    'Names of workloads whose Pods no kubelet runs: they exist, are Running and Ready from before the start, and change only by actions such as setReady. For large Services.',
  ),
  apiFaults: optional(z.array(apiFault), 'Answers of the API server to a controller that go wrong.'),
  staticPods: optional(
    z.array(z.string()),
    'Names of bare Pods that the kubelet reads from a file on its node; the API server gets a mirror of each.',
  ),
  draws: optional(
    z.record(z.string(), z.array(pinnedResult)),
    'Pinned results of random draws: name of the draw → results, in the order in which they are drawn.',
  ),
});
export type ScenarioDocument = z.output<typeof scenarioDocument>;
