/** Why the rules of a node are rightly without an endpoint that is ready: no sync will ever bring it there. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import { ANNOTATION, familyOf, type IpFamily, LABEL } from '../sim/api/objects.ts';
import type { ProxyInput } from '../sim/clusterInput.ts';
import { PROXY_SINCE } from '../sim/facts.ts';
import type { PodInput } from '../sim/scenario.ts';
import type { TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import {
  type EndpointJson,
  endpointState,
  historyOf,
  objectAt,
  type ServiceJson,
  slicesOf,
} from '../sim/trace/storedObjects.ts';
import { endpointHistoryOf, readyCounts } from './endpointHistory.ts';

/**
 * `noFrontend`: kube-proxy has no address to write rules for: the Service is gone, or has no cluster IP of a family that
 * the slices and this kube-proxy have (P-004). `otherProxy`: the Service's label leaves it to another proxy (P-001).
 * `noPort`: the slices list the Pod without any port of the Service (C-205). `local`: internalTrafficPolicy Local, and the
 * Pod is on another node (P-050). `hints`: those of the slices are for other nodes or zones (P-053).
 */
export type LeftOut = 'noFrontend' | 'otherProxy' | 'noPort' | 'local' | 'hints';

const minorOf = ({ scenario }: FinishedRun): number => Number(scenario.kubernetes.split('.')[1]);

/** Null: the rules of the proxy have it, or are going to, as far as Service and slices say at `at`. */
export function leftOutAt(
  run: FinishedRun,
  pod: PodInput,
  service: string,
  proxy: Pick<ProxyInput, 'node' | 'mode' | 'ipFamilies'>,
  at: Micros,
): LeftOut | null {
  const { reader } = run;
  const stored = versionsOf(reader)(service).findLast((version) => version.at <= at)?.object;
  if (stored === undefined) return null;
  if (stored === null || stored.spec.type === 'ExternalName') return 'noFrontend';
  if (LABEL.proxyName in (stored.metadata.labels ?? {})) return 'otherProxy';
  if (pod.node !== proxy.node && isForOwnNode(run, stored, service, proxy, at)) return 'local';
  const last = lastReady(reader, pod, service, at);
  if (last === null) return null;
  const backends = (stored.spec.ports ?? []).flatMap(({ name = '' }) => {
    const history = endpointHistoryOf(reader, pod.uid, service, name);
    const now = history?.steps.findLast((step) => step.at <= last)?.backends ?? [];
    return now.map((backend) => ({ port: name, family: familyOf(backend.slice(0, backend.lastIndexOf(':'))) }));
  });
  if (backends.length === 0) return 'noPort';
  const written = backends.filter(({ family }) => hasFrontends(stored, proxy, family));
  if (written.length === 0) return 'noFrontend';
  return written.every((one) => isHintedAway(run, pod, service, one, proxy.node, last)) ? 'hints' : null;
}

/** Ports of the Service that the slices do not have for the Pod, while they have others; none of a Service that is gone. */
export function lackingPortsAt(run: FinishedRun, pod: PodInput, service: string, at: Micros): readonly string[] {
  const stored = versionsOf(run.reader)(service).findLast((version) => version.at <= at)?.object;
  const names = (stored?.spec.ports ?? []).map(({ name = '' }) => name);
  if (names.length < 2) return [];
  const lacking = names.filter(
    (name) =>
      endpointHistoryOf(run.reader, pod.uid, service, name)?.steps.findLast((step) => step.at <= at)?.state !== 'ready',
  );
  return lacking.length < names.length ? lacking : [];
}

const hasFrontends = ({ spec }: ServiceJson, { ipFamilies }: Pick<ProxyInput, 'ipFamilies'>, family: IpFamily) =>
  ipFamilies.includes(family) && (spec.clusterIPs ?? []).some((ip) => ip !== 'None' && familyOf(ip) === family);

const versionsOf = memoizedWeakly((reader: TraceReader) =>
  memoized((service: string) => historyOf(reader, 'services', service)),
);

/** All ways in are for endpoints of the node's own. */
function isForOwnNode(
  run: FinishedRun,
  { spec }: ServiceJson,
  service: string,
  { node, mode }: Pick<ProxyInput, 'node' | 'mode'>,
  at: Micros,
): boolean {
  const { type, internalTrafficPolicy, externalTrafficPolicy, externalIPs = [] } = spec;
  if (minorOf(run) < PROXY_SINCE.internalPolicy || internalTrafficPolicy !== 'Local') return false;
  const isOutside = type === 'NodePort' || type === 'LoadBalancer' || externalIPs.length > 0;
  if (!isOutside) return true;
  if (externalTrafficPolicy !== 'Local') return false;
  // In ipvs mode a Local policy that finds nothing on the node falls back to all endpoints (P-042).
  const ready = readyCounts(run.reader, service, node).findLast((count) => count.at <= at)?.ready ?? 0;
  return mode !== 'ipvs' || ready > 0;
}

/** When, up to `at`, the slices last had the Pod ready; null: never yet. */
function lastReady(reader: TraceReader, { uid }: PodInput, service: string, at: Micros): Micros | null {
  const steps = endpointHistoryOf(reader, uid, service, null)?.steps ?? [];
  const index = steps.findLastIndex((step) => step.at <= at && step.state === 'ready');
  const next = steps[index + 1]?.at ?? Number.POSITIVE_INFINITY;
  return index < 0 ? null : (Math.min(at, next - 1) as Micros);
}

/** Whether anybody ever asks for hints, or may write them by hand. */
const mayHaveHints = memoizedWeakly((reader: TraceReader) =>
  memoized((service: string) =>
    versionsOf(reader)(service).some(({ object }) => {
      const { spec, metadata } = object ?? {};
      const annotations = metadata?.annotations ?? {};
      return (
        (spec !== undefined && (spec.trafficDistribution !== undefined || spec.selector === undefined)) ||
        ANNOTATION.topologyMode in annotations ||
        ANNOTATION.topologyAwareHints in annotations
      );
    }),
  ),
);

/** Of the ready endpoints of one port and family. Source: pkg/proxy/topology.go, topologyModeFromHints. */
function isHintedAway(
  run: FinishedRun,
  pod: PodInput,
  service: string,
  { port, family }: { readonly port: string; readonly family: IpFamily },
  node: string,
  at: Micros,
): boolean {
  const { reader } = run;
  if (!mayHaveHints(reader)(service)) return false;
  const ready = slicesOf(reader, service)
    .flatMap((key) => objectAt(reader, 'endpointslices', key, at) ?? [])
    .filter((slice) => slice.addressType === family && slice.ports.some(({ name = '' }) => name === port))
    .flatMap(({ endpoints }) => endpoints.filter((endpoint) => endpointState(endpoint) === 'ready'));
  const own = ready.find(({ targetRef }) => targetRef?.uid === pod.uid);
  if (own === undefined) return false;
  const minor = minorOf(run);
  const modes = [
    ...(minor >= PROXY_SINCE.nodeHints ? [{ hintsOf: nodeHints, name: node }] : []),
    ...(minor >= PROXY_SINCE.zoneHints ? [{ hintsOf: zoneHints, name: zoneAt(reader, node, at) }] : []),
  ];
  const mode = modes.find(
    ({ hintsOf, name }) =>
      ready.every((endpoint) => hintsOf(endpoint).length > 0) && ready.some((one) => hintsOf(one).includes(name)),
  );
  return mode !== undefined && !mode.hintsOf(own).includes(mode.name);
}

const nodeHints = ({ hints }: EndpointJson): readonly string[] => (hints?.forNodes ?? []).map(({ name }) => name);
const zoneHints = ({ hints }: EndpointJson): readonly string[] => (hints?.forZones ?? []).map(({ name }) => name);

const zoneAt = (reader: TraceReader, node: string, at: Micros): string =>
  objectAt(reader, 'nodes', node, at)?.metadata.labels?.[LABEL.zone] ?? '';
