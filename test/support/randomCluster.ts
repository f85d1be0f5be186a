/** Random control planes without kubelets: Services, Pods, what a script does to them, and what goes wrong. */
import * as fc from 'fast-check';
import { type MicrosSpan, micros, microsSpan, milliseconds, seconds } from '../../src/base/units.ts';
import type { IpFamily, Labels, ServicePort, ServiceSpec } from '../../src/sim/api/objects.ts';
import type {
  ApiFault,
  ClusterInput,
  ClusterLatencies,
  ControllersInput,
  ProxyInput,
  ScriptedPod,
  ScriptedWrite,
  StoredInput,
} from '../../src/sim/clusterInput.ts';
import type { Scenario } from '../../src/sim/scenario.ts';
import {
  address,
  CLUSTER_LATENCY,
  clusterInput,
  clusterScenario,
  endpointPort,
  meta,
  nodeObject,
  proxyInput,
  runningStatus,
  scriptedPod,
  service,
  servicePort,
  subset,
} from './cluster.ts';

const NODES = ['node-a', 'node-b', 'node-c'];
const ZONE = 'topology.kubernetes.io/zone';
const SERVICES = ['web', 'db', 'all'];
const PODS = Array.from({ length: 10 }, (_, i) => `pod-${i}`);
/** Writes come in the first seconds; then there is time for retries. */
const WRITES_UNTIL = 20;
const DURATION = 45;

const int = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const seldom = fc.constantFrom(...Array<boolean>(7).fill(false), true);
/** Scattered, or close to others: races are found within some milliseconds. */
const instant = fc.oneof(
  int(0, WRITES_UNTIL * 1_000_000),
  fc.tuple(int(0, 5), int(0, 12_000)).map(([burst, offset]) => burst * 3_000_000 + offset),
);

const podLabels: fc.Arbitrary<Labels> = fc.record(
  { app: fc.constantFrom('web', 'web', 'db'), track: fc.constantFrom('stable', 'canary') },
  { requiredKeys: ['app'] },
);
/** Addresses of the Pod with that number. */
const podIPs = (place: number): fc.Arbitrary<readonly string[]> => {
  const [four, six] = [`10.0.0.${place + 1}`, `fd00::${place + 1}`];
  return fc.constantFrom([four], [four], [four, six], [six], []);
};
/** Now and then a port has the right name and another protocol. */
const containerPorts = fc
  .tuple(fc.subarray(['http', 'metrics', 'dns']), fc.constantFrom('TCP', 'UDP' as const))
  .map(([names, protocol]) =>
    names.map((name, i) => ({ name, containerPort: 8080 + i, protocol: name === 'http' ? 'TCP' : protocol })),
  );

const podOf = (name: string): fc.Arbitrary<ScriptedPod> =>
  fc
    .record({
      labels: podLabels,
      ips: podIPs(PODS.indexOf(name)),
      ready: fc.boolean(),
      node: fc.constantFrom(...NODES, ...NODES, 'node-unknown'),
      phase: fc.constantFrom(...Array<'Running'>(6).fill('Running'), 'Pending', 'Succeeded' as const),
      hostname: fc.constantFrom('', 'first'),
      subdomain: fc.constantFrom('', 'web'),
      ports: containerPorts,
    })
    .map(({ labels, ips, ready, phase, ports, ...over }) =>
      scriptedPod(name, labels, runningStatus(ips, ready, { phase }), over, ports),
    );

const ports: fc.Arbitrary<readonly ServicePort[]> = fc.subarray(
  [
    servicePort({ name: 'http', port: 80, targetPort: 'http' }),
    servicePort({ name: 'admin', port: 81, targetPort: 9990 }),
    servicePort({ name: 'metrics', port: 82, targetPort: 'metrics', appProtocol: 'http' }),
    servicePort({ name: 'dns', port: 53, targetPort: 'dns', protocol: 'UDP' }),
  ],
  { minLength: 1, maxLength: 3 },
);
const families: fc.Arbitrary<readonly IpFamily[]> = fc.constantFrom(
  ['IPv4'],
  ['IPv4'],
  ['IPv4', 'IPv6'],
  ['IPv6', 'IPv4'],
  ['IPv6'],
  [],
);
const policy = fc.constantFrom('Cluster', 'Cluster', 'Local' as const);
const serviceSpec = (place: number): fc.Arbitrary<Partial<ServiceSpec>> =>
  fc
    .record({
      type: fc.constantFrom(
        ...Array<'ClusterIP'>(4).fill('ClusterIP'),
        'NodePort',
        'LoadBalancer',
        'ExternalName' as const,
      ),
      selector: fc.constantFrom<(Labels | null)[]>(
        { app: 'web' },
        { app: 'web' },
        { app: 'db' },
        { app: 'web', track: 'canary' },
        {},
        null,
      ),
      headless: seldom,
      ipFamilies: families,
      ports,
      publishNotReadyAddresses: seldom,
      internalTrafficPolicy: policy,
      externalTrafficPolicy: policy,
      trafficDistribution: fc.constantFrom('', '', 'PreferClose', 'PreferSameNode' as const),
      affinitySeconds: fc.constantFrom(null, null, 10_800),
    })
    .map(({ headless, ...spec }) => {
      if (headless) return { ...spec, type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'] };
      const ips = { IPv4: `10.96.0.${place + 10}`, IPv6: `fd96::${place + 10}` };
      const clusterIPs = (spec.ipFamilies.length > 0 ? spec.ipFamilies : (['IPv4'] as const)).map(
        (family) => ips[family],
      );
      const isExternal = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
      const withNodePorts = spec.ports.map((port, i) => ({ ...port, nodePort: 30_000 + place * 10 + i }));
      return {
        ...spec,
        ...(isExternal && { ports: withNodePorts }),
        clusterIP: clusterIPs[0] ?? '',
        clusterIPs,
      };
    });
const serviceOf = (name: string): fc.Arbitrary<StoredInput> =>
  fc
    .tuple(serviceSpec(SERVICES.indexOf(name)), fc.constantFrom<Labels[]>({}, { team: 'a' }, { team: 'b' }))
    .map(([spec, labels]) => ({ resource: 'services', object: service(name, spec, { labels }) }));

/** Endpoints that somebody writes for a Service without a selector. */
const endpointsOf = (name: string): fc.Arbitrary<StoredInput> =>
  fc
    .record({
      ready: fc.subarray(['192.0.2.1', '192.0.2.2', '2001:db8::5']),
      notReady: fc.subarray(['192.0.2.1', '192.0.2.7']),
      port: fc.constantFrom(5432, 5433),
      skips: seldom,
    })
    .map(({ ready, notReady, port, skips }) => {
      const bare = (ip: string) => ({ ...address(ip, ''), nodeName: null, targetRef: null });
      const labels = skips ? { 'endpointslice.kubernetes.io/skip-mirror': 'true' } : {};
      const subsets = [subset(ready.map(bare), notReady.map(bare), [endpointPort('sql', port)])];
      return { resource: 'endpoints', object: { meta: meta(name, { labels }), subsets } };
    });

const somePod = fc.constantFrom(...PODS).map((name) => `default/${name}`);
const someService = fc.constantFrom(...SERVICES);
const someNode = fc.constantFrom(...NODES);
/** Without its instant: a union does not take what is left out of each of its parts otherwise. */
type WriteOf<W> = W extends ScriptedWrite ? Omit<W, 'at'> : never;
const record = <W extends WriteOf<ScriptedWrite>>(model: { [K in keyof W]: fc.Arbitrary<W[K]> }): fc.Arbitrary<W> =>
  fc.record(model) as fc.Arbitrary<W>;

const podWrite: fc.Arbitrary<WriteOf<ScriptedWrite>> = fc.oneof(
  { weight: 6, arbitrary: record({ do: fc.constant('setReady' as const), pod: somePod, ready: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: record({
      do: fc.constant('setPhase' as const),
      pod: somePod,
      phase: fc.constantFrom('Failed', 'Succeeded', 'Running' as const),
      ready: fc.constantFrom(null, false),
    }),
  },
  {
    weight: 2,
    arbitrary: int(0, PODS.length - 1).chain((place) =>
      record({
        do: fc.constant('setPodIPs' as const),
        pod: fc.constant(`default/${PODS[place]}`),
        podIPs: podIPs(place),
      }),
    ),
  },
  { weight: 2, arbitrary: record({ do: fc.constant('labelPod' as const), pod: somePod, labels: podLabels }) },
  {
    weight: 1,
    arbitrary: record({
      do: fc.constant('annotatePod' as const),
      pod: somePod,
      annotations: fc.constantFrom({ seen: 'a' }, { seen: 'b' }),
    }),
  },
  {
    weight: 2,
    arbitrary: record({ do: fc.constant('deletePod' as const), pod: somePod, graceSeconds: fc.constantFrom(5, 30) }),
  },
  { weight: 2, arbitrary: record({ do: fc.constant('removePod' as const), pod: somePod }) },
);
const keyed = someService.map((name) => `default/${name}`);
const objectWrite: fc.Arbitrary<WriteOf<ScriptedWrite>> = fc.oneof(
  record({ do: fc.constant('replace' as const), stored: someService.chain(serviceOf) }),
  record({ do: fc.constant('create' as const), stored: someService.chain(serviceOf) }),
  record({ do: fc.constantFrom('create', 'replace' as const), stored: someService.chain(endpointsOf) }),
  record({ do: fc.constant('deleteService' as const), service: keyed }),
  record({ do: fc.constant('deleteEndpoints' as const), name: keyed }),
  record({ do: fc.constant('dropEndpointsAddresses' as const), name: keyed }),
  record({ do: fc.constant('deleteSlices' as const), service: keyed }),
  record({
    do: fc.constant('touchSlice' as const),
    service: keyed,
    annotations: fc.constantFrom<(Labels | null)[]>(null, { touched: 'true' }),
  }),
  record({
    do: fc.constant('labelNode' as const),
    node: someNode,
    labels: fc.constantFrom<Labels[]>({}, { [ZONE]: 'zone-a' }, { [ZONE]: 'zone-b' }),
  }),
  record({ do: fc.constant('nodeReady' as const), node: someNode, ready: fc.boolean() }),
);
const write: fc.Arbitrary<ScriptedWrite> = fc
  .tuple(instant, fc.oneof({ weight: 4, arbitrary: podWrite }, { weight: 1, arbitrary: objectWrite }))
  .map(([at, what]) => ({ ...what, at: micros(at) }) as ScriptedWrite);

const fault: fc.Arbitrary<ApiFault> = fc.record({
  actor: fc.constantFrom('endpoints', 'endpointslices', 'mirroring' as const),
  verb: fc.constantFrom('create', 'update', 'update', 'delete' as const),
  resource: fc.constantFrom('endpoints', 'endpointslices' as const),
  code: fc.constantFrom(409, 500, 504, 403),
  from: instant.map(micros),
  count: int(1, 3),
  committed: seldom,
});

const batchPeriod = fc.constantFrom(microsSpan(0), microsSpan(0), milliseconds(500), seconds(1));
const workers = fc.constantFrom(1, 5);
const controllers: fc.Arbitrary<ControllersInput> = fc.record({
  clockSetBack: fc.constant(microsSpan(0)),
  endpoints: fc.record({ batchPeriod, workers }),
  endpointslices: fc.record({ batchPeriod, workers, maxEndpointsPerSlice: fc.constantFrom(1, 2, 3, 100) }),
  mirroring: fc.option(
    fc.record({ batchPeriod: fc.constant(microsSpan(0)), workers, maxEndpointsPerSubset: fc.constantFrom(1, 1000) }),
    { nil: null },
  ),
});
const proxy = (name: string): fc.Arbitrary<ProxyInput> =>
  fc
    .record({
      mode: fc.constantFrom('iptables', 'nftables', 'ipvs', 'ebpf' as const),
      node: someNode,
      start: fc.constantFrom(-4, 2.5).map((at) => micros(seconds(at))),
      minSyncPeriod: fc.constantFrom(seconds(0), seconds(1), seconds(4)),
      ipFamilies: fc.constantFrom<IpFamily[][]>(['IPv4'], ['IPv4', 'IPv6']),
      fail: fc.option(fc.constant({ from: micros(5_000_000), until: micros(8_000_000) }), { nil: null, freq: 4 }),
    })
    .map((over) => proxyInput(name, over));

/** Those of a quick cluster, or each of its own; never zero, so that no two hops fall together. */
const someLength: fc.Arbitrary<MicrosSpan> = fc
  .tuple(fc.constantFrom(300, 1000, 7000, 60_000), int(1, 99))
  .map(([length, odd]) => microsSpan(length + odd));
const latencies: fc.Arbitrary<ClusterLatencies> = fc.oneof(
  fc.constant(CLUSTER_LATENCY),
  fc.record({
    watch: fc.record({
      endpoints: fc.record({ pods: someLength, services: someLength, endpoints: someLength }),
      endpointslices: fc.record({
        pods: someLength,
        services: someLength,
        nodes: someLength,
        endpointslices: someLength,
      }),
      mirroring: fc.record({ services: someLength, endpoints: someLength, endpointslices: someLength }),
      proxy: fc.record({ services: someLength, endpointslices: someLength, nodes: someLength }),
    }),
    watchPerProxy: someLength,
    listExtra: someLength,
    request: fc.record({ endpoints: someLength, endpointslices: someLength, mirroring: someLength }),
    requestNameSpread: fc.constantFrom(microsSpan(0), microsSpan(61)),
    response: fc.record({ endpoints: someLength, endpointslices: someLength, mirroring: someLength }),
    proxyAfterSync: fc.constant(microsSpan(3)),
    proxyConfigStartGap: someLength,
  }),
);

const nodes: fc.Arbitrary<readonly StoredInput[]> = fc
  .tuple(...NODES.map((name) => fc.constantFrom('zone-a', 'zone-b', '').map((zone) => ({ name, zone }))))
  .map((all) =>
    all.map(({ name, zone }) => ({ resource: 'nodes', object: nodeObject(name, zone ? { [ZONE]: zone } : {}) })),
  );
const services = int(1, SERVICES.length).chain((count) => fc.tuple(...SERVICES.slice(0, count).map(serviceOf)));
/** Pods that exist, and creations of others. */
const pods = int(3, PODS.length)
  .chain((count) =>
    fc.tuple(...PODS.slice(0, count).map((name) => fc.tuple(podOf(name), fc.option(instant, { nil: null, freq: 3 })))),
  )
  .map((all) => {
    const stored = all.map(([object, at]) => ({ at, stored: { resource: 'pods', object } as const }));
    return {
      there: stored.filter(({ at }) => at === null).map((one) => one.stored),
      coming: stored.flatMap((one): ScriptedWrite[] =>
        one.at === null ? [] : [{ at: micros(one.at), do: 'create', stored: one.stored }],
      ),
    };
  });

const cluster: fc.Arbitrary<ClusterInput> = fc
  .record({
    nodes,
    services,
    pods,
    controllers,
    scripted: fc.array(write, { maxLength: 50, size: 'max' }),
    faults: fc.array(fault, { maxLength: 2 }),
    proxies: int(0, 2).chain((count) => fc.tuple(...['proxy-a', 'proxy-b'].slice(0, count).map(proxy))),
    latency: latencies,
  })
  .map(({ nodes: machines, services: named, pods: { there, coming }, scripted, ...over }) =>
    clusterInput({ ...over, existing: [...machines, ...there, ...named], writes: [...coming, ...scripted] }),
  );

/** A cluster of up to three Services and ten Pods in which a script writes for 20 s. */
export const randomCluster: fc.Arbitrary<Scenario> = fc
  .record({
    cluster,
    seed: int(0, 1000),
    subsecond: int(0, 999_999),
    kubernetes: fc.constantFrom('1.37', '1.37', '1.37', '1.20', '1.22', '1.31', '1.33'),
  })
  .map(({ cluster: input, seed, subsecond, kubernetes }) => {
    const scenario = clusterScenario(input, DURATION, { seed, kubernetes });
    return { ...scenario, wallClock: (scenario.wallClock ?? 0) + subsecond };
  });
