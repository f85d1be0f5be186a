/** Objects of a control plane for tests: each builder gives a plain object, and `over` what is special about it. */
import { micros, microsSpan, milliseconds, seconds } from '../../src/base/units.ts';
import type { ApiPod } from '../../src/sim/api/apiPod.ts';
import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Labels,
  NodeObject,
  ObjectMeta,
  Protocol,
  ServiceObject,
  ServicePort,
  ServiceSpec,
} from '../../src/sim/api/objects.ts';
import { EMPTY_STATUS, type PodCondition, type PodStatus } from '../../src/sim/api/podStatus.ts';
import type { ClusterInput, ClusterLatencies, ProxyInput, ScriptedPod } from '../../src/sim/clusterInput.ts';
import type { PodInput, Scenario } from '../../src/sim/scenario.ts';
import { container, pod, scenario } from './scenario.ts';

/** Wall-clock second at t = 0 of these scenarios. */
export const EPOCH_SECONDS = 1_767_225_600;

export const meta = (name: string, over: Partial<ObjectMeta> = {}): ObjectMeta => ({
  namespace: 'default',
  name,
  generateName: '',
  uid: `uid-${name}`,
  resourceVersion: 0,
  generation: 0,
  labels: {},
  annotations: {},
  creationTimestamp: EPOCH_SECONDS - 3600,
  deletionTimestamp: null,
  ownerUid: '',
  ...over,
});

export const servicePort = (over: Partial<ServicePort> = {}): ServicePort => ({
  name: '',
  protocol: 'TCP',
  port: 80,
  targetPort: 8080,
  nodePort: 0,
  appProtocol: null,
  ...over,
});

/** A ClusterIP Service `name` that selects `app: <name>`. */
export const service = (
  name: string,
  spec: Partial<ServiceSpec> = {},
  over: Partial<ObjectMeta> = {},
): ServiceObject => ({
  meta: meta(name, over),
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.96.0.10',
    clusterIPs: [spec.clusterIP ?? '10.96.0.10'],
    ports: [servicePort()],
    selector: { app: name },
    ipFamilies: ['IPv4'],
    publishNotReadyAddresses: false,
    internalTrafficPolicy: 'Cluster',
    externalTrafficPolicy: 'Cluster',
    trafficDistribution: '',
    healthCheckNodePort: 0,
    externalIPs: [],
    loadBalancerSourceRanges: [],
    loadBalancerIngress: [],
    affinitySeconds: null,
    externalName: '',
    ...spec,
  },
});

export const nodeObject = (name: string, labels: Labels = {}): NodeObject => ({
  meta: meta(name, { namespace: '', labels }),
  cpuMillis: 4000,
  ready: 'True',
});

export const endpointPort = (name: string, port: number, over: Partial<EndpointPort> = {}): EndpointPort => ({
  name,
  port,
  protocol: 'TCP',
  appProtocol: null,
  ...over,
});

/** An address of the Pod `name`. */
export const address = (ip: string, name: string): EndpointAddress => ({
  ip,
  hostname: '',
  nodeName: 'node-a',
  targetRef: { namespace: 'default', name, uid: `uid-${name}` },
});

export const subset = (
  addresses: readonly EndpointAddress[],
  notReadyAddresses: readonly EndpointAddress[],
  ports: readonly EndpointPort[],
): EndpointSubset => ({ addresses, notReadyAddresses, ports });

export const readyCondition = (ready: boolean, since = EPOCH_SECONDS - 60): PodCondition => ({
  type: 'Ready',
  status: ready ? 'True' : 'False',
  reason: '',
  message: '',
  lastTransitionTime: since,
});

export const runningStatus = (podIPs: readonly string[], ready: boolean, over: Partial<PodStatus> = {}): PodStatus => ({
  ...EMPTY_STATUS,
  phase: 'Running',
  podIPs,
  conditions: [readyCondition(ready)],
  ...over,
});

/** A Pod without a kubelet; `ports` are what its container declares. */
export const scriptedPod = (
  name: string,
  labels: Labels,
  status: PodStatus,
  over: Partial<PodInput> = {},
  ports: readonly { readonly name: string; readonly containerPort: number; readonly protocol?: Protocol }[] = [],
): ScriptedPod => ({
  input: pod([{ ...container({}), ports: ports.map((port) => ({ protocol: 'TCP' as const, ...port })) }], {
    identity: `default/${name}`,
    name,
    uid: `uid-${name}`,
    labels,
    ...over,
  }),
  status,
});

/** A Pod as the API server would have stored it. */
export const apiPod = ({ input, status }: ScriptedPod, over: Partial<ApiPod> = {}): ApiPod => ({
  input,
  resourceVersion: 1,
  generation: 1,
  labels: input.labels,
  annotations: {},
  deletionTimestamp: null,
  deletionGracePeriodSeconds: null,
  status,
  ...over,
});

/** Hops of a quick cluster; none equal, so that a mix-up shows. */
export const CLUSTER_LATENCY: ClusterLatencies = {
  watch: {
    endpoints: { pods: microsSpan(1310), services: microsSpan(1450), endpoints: microsSpan(1570) },
    endpointslices: {
      pods: microsSpan(1730),
      services: microsSpan(1870),
      nodes: microsSpan(1990),
      endpointslices: microsSpan(2110),
    },
    mirroring: { services: microsSpan(2350), endpoints: microsSpan(2230), endpointslices: microsSpan(2470) },
    proxy: { services: microsSpan(2630), endpointslices: microsSpan(2970), nodes: microsSpan(2510) },
  },
  watchPerProxy: microsSpan(137),
  listExtra: microsSpan(7000),
  request: { endpoints: microsSpan(3110), endpointslices: microsSpan(3370), mirroring: microsSpan(3590) },
  requestNameSpread: microsSpan(61),
  response: { endpoints: microsSpan(1030), endpointslices: microsSpan(1170), mirroring: microsSpan(1290) },
  proxyAfterSync: microsSpan(3),
  proxyConfigStartGap: microsSpan(1300),
};

/** A kube-proxy with its defaults, up long before t = 0. */
export const proxyInput = (name: string, over: Partial<ProxyInput> = {}): ProxyInput => ({
  name,
  mode: 'iptables',
  node: 'node-a',
  start: micros(-4_000_000),
  minSyncPeriod: seconds(1),
  syncPeriod: seconds(30),
  configSyncPeriod: seconds(900),
  ipFamilies: ['IPv4'],
  kernelWriteBase: milliseconds(18),
  kernelWritePerLineNs: 17_000,
  fail: null,
  detectLocalPodCIDR: '',
  ...over,
});

/** An empty cluster whose controllers start at -10 s. */
export const clusterInput = (over: Partial<ClusterInput> = {}): ClusterInput => ({
  start: micros(-10_000_000),
  existing: [],
  controllers: {
    clockSetBack: microsSpan(0),
    endpoints: { batchPeriod: microsSpan(0), workers: 5 },
    endpointslices: { batchPeriod: microsSpan(0), workers: 5, maxEndpointsPerSlice: 100 },
    mirroring: null,
  },
  proxies: [],
  latency: CLUSTER_LATENCY,
  faults: [],
  conntrack: [],
  writes: [],
  rollouts: [],
  clients: [],
  ...over,
});

/** A run of `durationSeconds` without kubelets. */
export const clusterScenario = (
  cluster: ClusterInput,
  durationSeconds: number,
  over: Partial<Scenario> = {},
): Scenario => scenario([], durationSeconds, { nodes: [], cluster, wallClock: EPOCH_SECONDS * 1_000_000, ...over });
