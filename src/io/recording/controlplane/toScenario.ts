import {
  MICROS_PER_MS,
  type Micros,
  type MicrosSpan,
  micros,
  microsSpan,
  milliseconds,
  seconds,
} from '../../../base/units.ts';
import type { Resource } from '../../../sim/api/objects.ts';
import type {
  ApiFault,
  ClusterInput,
  ClusterLatencies,
  ConntrackEntry,
  ControllersInput,
  ProxyInput,
  ScriptedWrite,
  StoredInput,
} from '../../../sim/clusterInput.ts';
import type { KubeletConfig, Latencies, Scenario } from '../../../sim/scenario.ts';
import { LATENCY_NAMES } from '../kubelet/recording.ts';
import { setPod } from './podSets.ts';
import type { ControlPlaneRecording, ControlPlaneWorld } from './recording.ts';
import { storedOf } from './toObjects.ts';
import { writeOrderPins } from './writeOrder.ts';
import { writeOf } from './writes.ts';

/** Wall clock at t = 0 of these recordings, µs. */
const EPOCH = Date.parse('2000-01-01T00:00:10Z') * MICROS_PER_MS;
/** The controllers start in an empty cluster, and objects come from here on. */
const START = micros(-10_000_000);
const FIRST_OBJECT = -9_000_000;
/** After each Node or Pod; before the first Service; after each Service, Endpoints or EndpointSlice. */
const AFTER_POD = 500;
const BEFORE_SERVICES = 74_000;
const AFTER_SERVICE = 37_000;
/** Order in which the objects are created. */
const ORDER: readonly Resource[] = ['nodes', 'pods', 'services', 'endpoints', 'endpointslices'];

/** What of a recording the model does not have, in words; empty when it has everything. */
export function missingParts({ scenario: { world } }: ControlPlaneRecording): readonly string[] {
  const known = world.podSets.map(({ name }) => name);
  const strange = world.actions.flatMap((action) =>
    'set' in action && !known.includes(action.set) ? [action.set] : [],
  );
  return [
    ...Object.keys(world.featureGates).map((gate) => `feature gate ${gate}`),
    ...[...new Set(strange)].map((set) => `no set of Pods ${set}`),
  ];
}

/** No kubelet runs: neither its settings nor its latencies matter. */
const NO_KUBELET: KubeletConfig = {
  processStart: micros(0),
  syncLoopDelay: null,
  syncFrequencySeconds: 60,
  maxContainerRestartPeriodSeconds: 300,
};
const NO_LATENCY = Object.fromEntries(LATENCY_NAMES.map((name) => [name, 0])) as unknown as Latencies;

/** The scenario that a recording played, with its latencies, and with its draws pinned if they are to be. */
export function controlPlaneScenario(recording: ControlPlaneRecording, pinned: boolean): Scenario {
  const { world } = recording.scenario;
  return {
    duration: milliseconds(world.durationMs),
    seed: world.seed,
    kubernetes: recording.kubernetes.replace(/^v?(\d+\.\d+).*$/, '$1'),
    wallClock: EPOCH,
    kubelet: NO_KUBELET,
    latency: NO_LATENCY,
    nodes: [],
    clockSkew: {},
    perNode: {},
    pods: [],
    cluster: clusterOf(recording),
    actions: [],
    pins: pinned ? writeOrderPins(recording) : {},
  };
}

function clusterOf({ scenario }: ControlPlaneRecording): ClusterInput {
  const { world, manifests } = scenario;
  const created = creations([
    ...manifests.map((manifest) => (at: Micros) => storedOf(manifest, at)),
    ...world.podSets.flatMap((set) =>
      Array.from({ length: set.count }, (_, place) => (at: Micros): StoredInput => {
        return { resource: 'pods', object: setPod(set, place, place < set.readyCount, at) };
      }),
    ),
  ]);
  return {
    start: START,
    existing: world.cold ? created.map(({ stored }) => stored) : [],
    controllers: controllersOf(world.controller),
    proxies: world.proxies.map(proxyOf),
    latency: latencyOf(world.latencyUs),
    faults: world.faults.map(({ fromUs, ...fault }): ApiFault => ({ ...fault, from: micros(fromUs) })),
    conntrack: world.conntrack.map(({ proto, ...entry }) => ({
      ...entry,
      protocol: proto.toUpperCase() as ConntrackEntry['protocol'],
    })),
    writes: [...(world.cold ? [] : created), ...world.actions.map((action) => writeOf(action, world.podSets, EPOCH))],
    rollouts: [],
    clients: [],
  };
}

/** The objects that exist before t = 0, each at the instant of its creation. */
function creations(
  makers: readonly ((at: Micros) => StoredInput)[],
): readonly Extract<ScriptedWrite, { readonly do: 'create' | 'replace' }>[] {
  const place = (make: (at: Micros) => StoredInput): number => ORDER.indexOf(make(START).resource);
  const ordered = makers.map((make) => ({ make, place: place(make) })).sort((a, b) => a.place - b.place);
  const firstService = ORDER.indexOf('services');
  const early = ordered.filter((one) => one.place < firstService).length;
  return ordered.map(({ make }, i) => {
    const after = i < early ? i * AFTER_POD : early * AFTER_POD + BEFORE_SERVICES + (i - early) * AFTER_SERVICE;
    const at = micros(FIRST_OBJECT + after);
    return { at, do: 'create', stored: make(at) };
  });
}

/** The recorder's processes started in its own time, decades after their virtual time. */
const CLOCK_SET_BACK = seconds(25 * 365 * 86_400);

const controllersOf = (settings: ControlPlaneWorld['controller']): ControllersInput => ({
  clockSetBack: CLOCK_SET_BACK,
  endpoints: {
    batchPeriod: milliseconds(settings.endpointUpdatesBatchPeriodMs),
    workers: settings.concurrentEndpointSyncs,
  },
  endpointslices: {
    batchPeriod: milliseconds(settings.endpointUpdatesBatchPeriodMs),
    workers: settings.concurrentServiceEndpointSyncs,
    maxEndpointsPerSlice: settings.maxEndpointsPerSlice,
  },
  mirroring: settings.mirroring
    ? {
        batchPeriod: milliseconds(settings.mirroringEndpointUpdatesBatchPeriodMs),
        workers: settings.mirroringConcurrentServiceEndpointSyncs,
        maxEndpointsPerSubset: settings.mirroringMaxEndpointsPerSubset,
      }
    : null,
});

const proxyOf = (proxy: ControlPlaneWorld['proxies'][number]): ProxyInput => ({
  name: proxy.name,
  mode: proxy.mode,
  node: proxy.node,
  start: micros(proxy.startUs),
  minSyncPeriod: milliseconds(proxy.minSyncPeriodMs),
  syncPeriod: milliseconds(proxy.syncPeriodMs),
  configSyncPeriod: milliseconds(proxy.configSyncPeriodMs),
  ipFamilies: proxy.ipFamilies,
  kernelWriteBase: microsSpan(proxy.kernelWriteBaseUs),
  kernelWritePerLineNs: proxy.kernelWritePerLineNs,
  fail:
    proxy.failFromUs === undefined || proxy.failUntilUs === undefined
      ? null
      : { from: micros(proxy.failFromUs), until: micros(proxy.failUntilUs) },
  detectLocalPodCIDR: proxy.detectLocalPodCIDR,
});

function latencyOf(given: ControlPlaneWorld['latencyUs']): ClusterLatencies {
  const of = (name: string): MicrosSpan => microsSpan(given[name] ?? 0);
  const watch = (component: string, ...resources: readonly string[]) =>
    Object.fromEntries(resources.map((resource) => [resource, of(`watch/${component}/${resource}`)]));
  const perController = (direction: string) => ({
    endpoints: of(`${direction}/endpoints`),
    endpointslices: of(`${direction}/endpointslices`),
    mirroring: of(`${direction}/mirroring`),
  });
  return {
    watch: {
      endpoints: watch('endpoints', 'pods', 'services', 'endpoints'),
      endpointslices: watch('endpointslices', 'pods', 'services', 'nodes', 'endpointslices'),
      mirroring: watch('mirroring', 'services', 'endpoints', 'endpointslices'),
      proxy: watch('proxy', 'services', 'endpointslices', 'nodes'),
    } as ClusterLatencies['watch'],
    watchPerProxy: of('watch/proxy/perProxy'),
    listExtra: of('listExtra'),
    request: perController('request'),
    requestNameSpread: of('request/nameSpread'),
    response: perController('response'),
    proxyAfterSync: of('proxy/afterSync'),
    proxyConfigStartGap: of('proxy/configStartGap'),
  };
}
