/** Trace → groups of lanes, top to bottom. */
import { containersOf, type PodInput, PROBE_KINDS } from '../../sim/scenario.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { serviceOfSlice, storedKeys } from '../../sim/trace/storedObjects.ts';
import { apiLanes, readyBands } from './apiLanes.ts';
import { clientLanes, clientsOf } from './clientLanes.ts';
import { CONTROLLER_LANES, controllerLane, hasController } from './controllerLane.ts';
import { eventsLane } from './eventsLane.ts';
import { podWorkerLane, resultsLane, statusLane } from './kubeletLanes.ts';
import { isDetail, type LaneOwner } from './lane.ts';
import type { Lane, LaneGroup } from './marks.ts';
import { nodeLanes, nodeReadyBands, toldNodes } from './nodeLanes.ts';
import { appLane, runtimeLane } from './podLanes.ts';
import { proxyLanes } from './proxyLanes.ts';
import { type Row, rowsOfNode, rowsOfPod } from './rows.ts';
import { endpointsLane, serviceBands, slicesLane } from './serviceLanes.ts';
import { syncLoopLane } from './syncLoopLanes.ts';
import { workerLane } from './workerLane.ts';
import { workloadBands, workloadLanes, workloadsOf } from './workloadLanes.ts';

/**
 * One Pod: groups Pod, Kubelet, API, then the way on to a client, then workloads and nodes. Several: a group for each Pod
 * with all its lanes, workloads, nodes, the way on to the clients, then each node's syncLoop.
 * A group makes its lanes when it is first unfolded.
 */
export function buildGroups(run: FinishedRun): readonly LaneGroup[] {
  const { nodes, pods } = run.scenario;
  const [only] = pods;
  if (only !== undefined && pods.length === 1)
    return [...onePod(run, only), ...workloadGroups(run), ...controllerGroups(run)];
  return [
    ...pods.map((pod) =>
      group(
        'pod',
        pod.identity,
        pod.name,
        () => readyBands(run, pod),
        () => allLanesOf(run, pod),
      ),
    ),
    ...workloadGroups(run),
    ...serviceGroups(run),
    ...dataPathGroups(run),
    ...controllerGroups(run),
    ...nodes.map((node) => group('kubelet', node, node, NO_BANDS, () => [nodeLane(run, node)])),
  ];
}

function onePod(run: FinishedRun, pod: PodInput): readonly LaneGroup[] {
  const rows = once(() => rowsOfPod(run, pod));
  return [
    group(
      'pod',
      pod.identity,
      pod.name,
      () => readyBands(run, pod),
      () => processLanes(run, pod, rows()),
    ),
    group('kubelet', pod.node, pod.node, NO_BANDS, () => {
      const [results, ...others] = kubeletLanes(run, pod, rows());
      return [results, nodeLane(run, pod.node), ...others];
    }),
    ...apiGroups(run, pod, rows),
    ...dataPathGroups(run),
  ];
}

/** One Service needs no group that names it: it stands with the API. */
function apiGroups(run: FinishedRun, pod: PodInput, rows: () => readonly Row[]): readonly LaneGroup[] {
  const api = (): readonly Lane[] => [...apiLanes(run, pod), eventsLane(ownerOf(pod), rows())];
  const [service, ...others] = servicesOf(run);
  if (service === undefined || others.length > 0) return [group('api', '', '', NO_BANDS, api), ...serviceGroups(run)];
  const lanes = (): readonly Lane[] => {
    const [main, details] = [api().filter((lane) => !isDetail(lane)), api().filter(isDetail)];
    return [...main, ...serviceLanes(run, service), ...details];
  };
  return [group('controlPlane', '', '', NO_BANDS, lanes)];
}

/** One kube-proxy needs no group that names it: it stands with the clients. */
function dataPathGroups(run: FinishedRun): readonly LaneGroup[] {
  const [proxy, ...others] = run.scenario.cluster?.proxies ?? [];
  if (proxy === undefined || others.length > 0) return [...proxyGroups(run), ...clientGroups(run)];
  return [group('dataPath', '', proxy.node, NO_BANDS, () => [...proxyLanes(run, proxy), ...clientLanes(run)])];
}

/** Each workload, then each node. */
function workloadGroups(run: FinishedRun): readonly LaneGroup[] {
  if (run.scenario.cluster === null) return [];
  return [
    ...workloadsOf(run).map((workload) =>
      group(
        'workload',
        `${workload.resource}/${workload.key}`,
        workload.key,
        () => workloadBands(run, workload),
        () => workloadLanes(run, workload),
      ),
    ),
    ...toldNodes(run).map((node) =>
      group(
        'node',
        node,
        node,
        () => nodeReadyBands(run, node),
        () => nodeLanes(run, node),
      ),
    ),
  ];
}

/** Each Service with its slices and Endpoints. */
const serviceGroups = (run: FinishedRun): readonly LaneGroup[] =>
  servicesOf(run).map((service) =>
    group(
      'service',
      service,
      service,
      () => serviceBands(run, service),
      () => serviceLanes(run, service),
    ),
  );
const serviceLanes = (run: FinishedRun, service: string): readonly Lane[] => [
  slicesLane(run, service),
  endpointsLane(run, service),
];

const proxyGroups = (run: FinishedRun): readonly LaneGroup[] =>
  (run.scenario.cluster?.proxies ?? []).map((proxy) =>
    group('proxy', proxy.name, proxy.node, NO_BANDS, () => proxyLanes(run, proxy)),
  );

const clientGroups = (run: FinishedRun): readonly LaneGroup[] =>
  clientsOf(run.reader).length > 0 ? [group('clients', '', '', NO_BANDS, () => clientLanes(run))] : [];

/** What the controllers do for each Service. */
const controllerGroups = (run: FinishedRun): readonly LaneGroup[] =>
  servicesOf(run).map((service) =>
    group('controllers', service, service, NO_BANDS, () => controllerLanes(run, service)),
  );

/** Services that were ever stored, and those that only slices or Endpoints speak of. */
function servicesOf({ reader, scenario }: FinishedRun): readonly string[] {
  if (scenario.cluster === null) return [];
  const named = storedKeys(reader, 'endpointslices').map((slice) => serviceOfSlice(reader, slice));
  const all = [...storedKeys(reader, 'services'), ...named, ...storedKeys(reader, 'endpoints')];
  return [...new Set(all)].filter((service) => service !== '');
}

const controllerLanes = (run: FinishedRun, service: string): readonly Lane[] =>
  CONTROLLER_LANES.map(([kind]) => kind)
    .filter((kind) => hasController(run.reader, kind, service))
    .map((kind) => controllerLane(run, kind, service));

function allLanesOf(run: FinishedRun, pod: PodInput): readonly Lane[] {
  const rows = rowsOfPod(run, pod);
  return [
    ...processLanes(run, pod, rows),
    ...kubeletLanes(run, pod, rows),
    ...apiLanes(run, pod),
    eventsLane(ownerOf(pod), rows),
  ];
}

function processLanes(run: FinishedRun, pod: PodInput, rows: readonly Row[]): readonly Lane[] {
  const owner = ownerOf(pod);
  const { horizon } = run.reader.data;
  return [
    ...containersOf(pod).map(({ name }) => appLane(owner, rows, name, horizon)),
    runtimeLane(owner, rows, horizon),
    ...containersOf(pod).flatMap(({ name, probes }) =>
      PROBE_KINDS.flatMap((kind): Lane[] => {
        const spec = probes[kind];
        return spec === null ? [] : [workerLane(owner, rows, name, kind, spec, horizon)];
      }),
    ),
  ];
}

const kubeletLanes = (run: FinishedRun, pod: PodInput, rows: readonly Row[]): readonly [Lane, Lane, Lane] => [
  resultsLane(ownerOf(pod), rows),
  podWorkerLane(ownerOf(pod), rows, run.reader.data.horizon),
  statusLane(ownerOf(pod), rows, run.reader),
];
const nodeLane = (run: FinishedRun, node: string): Lane =>
  syncLoopLane(node, rowsOfNode(run, node), run.reader.data.horizon);
const NO_BANDS: LaneGroup['summary'] = () => [];
const ownerOf = ({ identity, node }: PodInput): LaneOwner => ({ pod: identity, node });

function group(
  kind: LaneGroup['kind'],
  name: string,
  title: string,
  summary: LaneGroup['summary'],
  lanes: LaneGroup['lanes'],
): LaneGroup {
  return { id: `${kind}|${name}`, kind, name, title, summary: once(summary), lanes: once(lanes) };
}

/** The same answer each time, worked out at the first. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
