import type { MicrosSpan } from '../../../base/units.ts';
import { micros } from '../../../base/units.ts';
import type { ClusterInput } from '../../../sim/clusterInput.ts';
import type { Latencies } from '../../../sim/scenario.ts';

const NONE = 0 as MicrosSpan;
const one = { batchPeriod: NONE, workers: 5 };

/** Endpoint controllers without a Service, no proxies, and no kubelets: what these recordings leave out. */
export const NO_ENDPOINTS: { readonly cluster: ClusterInput; readonly kubeletLatency: Latencies } = {
  cluster: {
    start: micros(0),
    existing: [],
    controllers: {
      endpoints: one,
      endpointslices: { ...one, maxEndpointsPerSlice: 100 },
      mirroring: null,
      clockSetBack: NONE,
    },
    proxies: [],
    latency: {
      watch: {
        endpoints: { pods: NONE, services: NONE, endpoints: NONE },
        endpointslices: { pods: NONE, services: NONE, nodes: NONE, endpointslices: NONE },
        mirroring: { services: NONE, endpoints: NONE, endpointslices: NONE },
        proxy: { services: NONE, endpointslices: NONE, nodes: NONE },
      },
      watchPerProxy: NONE,
      listExtra: NONE,
      request: { endpoints: NONE, endpointslices: NONE, mirroring: NONE },
      requestNameSpread: 0,
      response: { endpoints: NONE, endpointslices: NONE, mirroring: NONE },
      proxyAfterSync: NONE,
      proxyConfigStartGap: NONE,
    },
    faults: [],
    conntrack: [],
    writes: [],
    rollouts: [],
    clients: [],
    workloads: null,
  },
  kubeletLatency: {
    apiRequest: NONE,
    apiResponse: NONE,
    watch: NONE,
    initialList: NONE,
    criRunPodSandbox: NONE,
    criCreateContainer: NONE,
    criStartContainer: NONE,
    criStopContainer: NONE,
    criStopPodSandbox: NONE,
    criRemove: NONE,
    perContainer: NONE,
    plegRelist: NONE,
    plegRelistPod: NONE,
    syncPod: NONE,
    syncPodCgroups: NONE,
    syncPodDirectories: NONE,
    syncPodPullSecrets: NONE,
    syncPodVolumes: NONE,
    volumeTeardown: NONE,
    workerTurn: NONE,
    workerTurnStep: NONE,
  },
};
