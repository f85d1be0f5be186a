import { canonicalIp, ipv6Beside } from '../../base/ipAddress.ts';
import { MICROS_PER_MS, type Micros, type MicrosSpan, micros, milliseconds, seconds } from '../../base/units.ts';
import type { ServiceObject } from '../../sim/api/objects.ts';
import { familyOf } from '../../sim/api/objects.ts';
import type { PodStatus } from '../../sim/api/podStatus.ts';
import { EMPTY_STATUS } from '../../sim/api/podStatus.ts';
import type {
  ApiFault,
  ClusterInput,
  ClusterLatencies,
  ControllersInput,
  ProxyInput,
  ProxyMode,
  ScriptedPod,
  ScriptedWrite,
  StoredInput,
} from '../../sim/clusterInput.ts';
import type { PodInput } from '../../sim/scenario.ts';
import type { ClusterLatencyName, ControllerFlag } from '../clusterSettings.ts';
import { endpointsObject, nodeObject, serviceObject, sliceObject } from '../manifest/clusterObjects.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { type Allocation, asksForIPv6, givenClusterIPs } from '../manifest/serviceAddresses.ts';
import type { ServiceManifest } from '../schema/service.ts';
import type { Settings } from '../settings.ts';
import type { Happenings } from './actions.ts';
import { clientInputs } from './clients.ts';
import { CREATE_INTERVAL_US } from './created.ts';
import { runsControllers } from './managed.ts';
import { numberIn } from './numberIn.ts';
import { peersOf } from './peers.ts';
import { nodesOf } from './placedPods.ts';
import { workloadsInput, workloadWrites } from './workloads.ts';

/** Controllers have run for so long when a scenario begins, and kube-proxies: both are idle by then. */
const CONTROLLERS_START = micros(-10_000_000);
const PROXIES_START = micros(-4_000_000);
/** Hops of two components that would end in the same instant are told apart by so much (semantics, section 8). */
const ENDPOINTS_LATER = milliseconds(0.05);
const EACH_PROXY_LATER = milliseconds(0.2);

/** Whether the text has anything for the controllers and the proxies to do. */
export const hasCluster = (parsed: ParsedText): boolean => {
  const { services, endpoints, clients, scenario } = parsed;
  const objects = services.length + endpoints.length + clients.length + (scenario?.podsWithoutKubelet?.length ?? 0);
  return objects > 0 || runsControllers(parsed);
};

/**
 * The control plane and the proxies; null when the text has no Service, EndpointSlice or Endpoints, and no Pod without
 * a kubelet. Services are created in their turn like all objects; Nodes and Pods without a kubelet exist before.
 */
export function clusterOf(
  parsed: ParsedText,
  settings: Settings,
  scripted: readonly PodInput[],
  { writes, workloads }: Pick<Happenings, 'writes' | 'workloads'>,
): ClusterInput | null {
  const { nodes, scenario } = parsed;
  if (!hasCluster(parsed)) return null;
  const services = serviceObjects(parsed);
  const isDualStack = hasBothFamilies(parsed);
  const existing: StoredInput[] = [
    ...nodesOf(parsed).map((name): StoredInput => {
      const object = nodeObject(nodes.get(name) ?? { metadata: { name } });
      return { resource: 'nodes', object };
    }),
    ...scripted.map((input, i): StoredInput => ({ resource: 'pods', object: runningPod(input, i, isDualStack) })),
  ];
  return {
    start: CONTROLLERS_START,
    ...(isDualStack && { isDualStack }),
    existing,
    controllers: controllersOf(settings),
    proxies: proxiesOf(parsed, settings),
    latency: latenciesOf(settings),
    faults: (scenario?.apiFaults ?? []).map(
      ({ from = 0, count = 1, committed = false, ...same }): ApiFault => ({
        ...same,
        from: micros(seconds(from)),
        count,
        committed,
      }),
    ),
    conntrack: [],
    writes: [...creations(parsed, services), ...workloadWrites(parsed, settings), ...writes],
    rollouts: [],
    clients: clientInputs(parsed, settings, services),
    ...peersLookedUp(parsed),
    workloads: workloadsInput(parsed, settings, workloads),
  };
}

/** The names that apps look up. */
function peersLookedUp({ scenario, workloads, services }: ParsedText): Pick<ClusterInput, 'peers'> {
  const namespaces = [...new Set(workloads.map(({ namespace }) => namespace))];
  const peers = (scenario?.apps ?? []).flatMap((app) =>
    (app.namespace === undefined ? namespaces : [app.namespace]).flatMap(
      (namespace) => peersOf(app, namespace, services) ?? [],
    ),
  );
  return peers.length > 0 ? { peers } : {};
}

/** Services, Endpoints and slices of the text, each created in its turn. */
function creations({ services, endpoints }: ParsedText, made: readonly ServiceObject[]): ScriptedWrite[] {
  const created = (slot: number, stored: StoredInput): ScriptedWrite => ({
    at: micros(slot * CREATE_INTERVAL_US),
    do: 'create',
    stored,
  });
  return [
    ...services.flatMap(({ slot }, i) => {
      const object = made[i];
      return object ? [created(slot, { resource: 'services', object })] : [];
    }),
    ...endpoints.map(({ slot, kind, manifest }) =>
      created(
        slot,
        kind === 'Endpoints'
          ? { resource: 'endpoints', object: endpointsObject(manifest) }
          : { resource: 'endpointslices', object: sliceObject(manifest) },
      ),
    ),
  ];
}

/** The Services as the API server has them, in the order of the text. */
function serviceObjects(parsed: ParsedText): readonly ServiceObject[] {
  const specs = parsed.services.map(({ manifest: { spec } }) => spec);
  const allocate = allocations(specs);
  const isDualStack = hasBothFamilies(parsed);
  return parsed.services.map(({ manifest }) => serviceObject(manifest, allocate(), isDualStack));
}

/** The API server draws these; here each Service has the next free one, so that it keeps them over edits of others' fields. */
function allocations(specs: readonly ServiceManifest['spec'][]): () => Allocation {
  const taken = new Set(specs.flatMap(givenClusterIPs).map(canonicalIp));
  const takenPorts = new Set(
    specs.flatMap(({ ports = [], healthCheckNodePort = 0 }) => [
      healthCheckNodePort,
      ...ports.map(({ nodePort = 0 }) => nodePort),
    ]),
  );
  let service = 0;
  let port = 30_079;
  const nodePort = (): number => {
    do port++;
    while (takenPorts.has(port));
    return port;
  };
  return () => {
    do service++;
    while (Object.values(clusterIPs(service)).some((ip) => taken.has(ip)));
    return { clusterIPs: clusterIPs(service), nodePort, loadBalancerIPs: loadBalancerIPs(service) };
  };
}
const clusterIPs = (n: number) => ({
  IPv4: `10.96.${(n + 9) >> 8}.${(n + 9) & 255}`,
  IPv6: `fd00:10:96::${(n + 9).toString(16)}`,
});
/** Of TEST-NET-3 (RFC 5737) and 2001:db8::/32 (RFC 3849): addresses for examples. */
const loadBalancerIPs = (n: number) => ({
  IPv4: `203.0.113.${((n - 1) % 254) + 1}`,
  IPv6: `2001:db8::${n.toString(16)}`,
});

/** A Pod that runs and is Ready from before the start. Its address is of a range that no kubelet gives out. */
function runningPod(input: PodInput, place: number, isDualStack: boolean): ScriptedPod {
  const ip = `172.30.${(place + 1) >> 8}.${(place + 1) & 255}`;
  const condition = (type: string) =>
    ({ type, status: 'True', reason: '', message: '', lastTransitionTime: 0 }) as const;
  const status: PodStatus = {
    ...EMPTY_STATUS,
    phase: 'Running',
    podIPs: isDualStack ? [ip, ipv6Beside(ip)] : [ip],
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
  };
  return { input, status };
}

function controllersOf(settings: Settings): ControllersInput {
  const number = numberIn(settings);
  const flag = (name: ControllerFlag): number => number(`controllerManager/${name}`);
  return {
    clockSetBack: seconds(0),
    endpoints: {
      batchPeriod: seconds(flag('endpoint-updates-batch-period')),
      workers: flag('concurrent-endpoint-syncs'),
    },
    endpointslices: {
      batchPeriod: seconds(flag('endpointslice-updates-batch-period')),
      workers: flag('concurrent-service-endpoint-syncs'),
      maxEndpointsPerSlice: flag('max-endpoints-per-slice'),
    },
    mirroring: {
      batchPeriod: 0 as MicrosSpan,
      workers: flag('mirroring-concurrent-service-endpoint-syncs'),
      maxEndpointsPerSubset: flag('mirroring-max-endpoints-per-subset'),
    },
  };
}

const KERNEL_WRITE: Readonly<Record<ProxyMode, readonly [base: ClusterLatencyName, perLine: ClusterLatencyName]>> = {
  iptables: ['iptablesRestore', 'iptablesRestorePerLine'],
  nftables: ['nftTransaction', 'nftTransactionPerLine'],
  ipvs: ['ipvsSync', 'ipvsSyncPerLine'],
  ebpf: ['ebpfUpdate', 'ebpfUpdatePerEntry'],
};

/** One kube-proxy on each node. */
function proxiesOf(parsed: ParsedText, settings: Settings): ProxyInput[] {
  const number = numberIn(settings);
  const { mode = 'iptables', clusterCIDR = '', writesFail } = parsed.scenario?.kubeProxy ?? {};
  const [base, perLine] = KERNEL_WRITE[mode];
  return nodesOf(parsed).map((node) => ({
    name: `kube-proxy-${node}`,
    mode,
    node,
    start: PROXIES_START,
    minSyncPeriod: seconds(number('kubeProxy/minSyncPeriod')),
    syncPeriod: seconds(number('kubeProxy/syncPeriod')),
    configSyncPeriod: seconds(number('kubeProxy/configSyncPeriod')),
    ipFamilies: hasBothFamilies(parsed) ? (['IPv4', 'IPv6'] as const) : (['IPv4'] as const),
    kernelWriteBase: milliseconds(number(`latencies/${base}`)),
    kernelWritePerLineNs: Math.round(number(`latencies/${perLine}`) * MICROS_PER_MS * 1000),
    fail: writesFail ? { from: at(writesFail.from), until: at(writesFail.to) } : null,
    detectLocalPodCIDR: clusterCIDR,
  }));
}
const at = (since: number): Micros => micros(seconds(since));

/** Whether the text speaks of IPv6: then Pods, Services and kube-proxies have both families. */
function hasBothFamilies({ services, endpoints }: ParsedText): boolean {
  const hasIPv6 = endpoints.some(({ manifest }) =>
    'addressType' in manifest
      ? manifest.addressType === 'IPv6'
      : (manifest.subsets ?? []).some(({ addresses = [], notReadyAddresses = [] }) =>
          [...addresses, ...notReadyAddresses].some(({ ip }) => familyOf(ip) === 'IPv6'),
        ),
  );
  return hasIPv6 || services.some(({ manifest: { spec } }) => asksForIPv6(spec));
}

function latenciesOf(settings: Settings): ClusterLatencies {
  const number = numberIn(settings);
  const length = (name: ClusterLatencyName): MicrosSpan => milliseconds(number(`latencies/${name}`));
  const slices = length('controllerWatch');
  const own = length('controllerOwnWatch');
  const endpoints = (slices + ENDPOINTS_LATER) as MicrosSpan;
  const proxy = length('proxyWatch');
  const request = length('controllerRequest');
  const response = length('controllerResponse');
  return {
    watch: {
      endpoints: { pods: endpoints, services: endpoints, endpoints: own },
      endpointslices: { pods: slices, services: slices, nodes: slices, endpointslices: own },
      mirroring: { services: slices, endpoints: slices, endpointslices: own },
      proxy: { services: proxy, endpointslices: proxy, nodes: proxy },
    },
    watchPerProxy: EACH_PROXY_LATER,
    listExtra: milliseconds(5),
    request: { endpoints: request, endpointslices: request, mirroring: request },
    requestNameSpread: 0,
    response: { endpoints: response, endpointslices: response, mirroring: response },
    proxyAfterSync: 3 as MicrosSpan,
    proxyConfigStartGap: milliseconds(1.3),
  };
}
