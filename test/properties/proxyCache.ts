/** What a kube-proxy of a finished run knew, and what follows from it, told again in the words of the rules. */
import type { IpFamily } from '../../src/sim/api/objects.ts';
import type { ProxyInput } from '../../src/sim/clusterInput.ts';
import type { TraceEvent } from '../../src/sim/trace/reader.ts';
import { watcherOf } from '../../src/sim/trace/watchers.ts';
import type { ClusterObservation, ServiceJson, SliceJson, Version } from './clusterObservation.ts';

/** One proxier. */
export interface ProxyFamily {
  readonly proxy: ProxyInput;
  readonly family: IpFamily;
  /** How events name it. */
  readonly familyName: '' | IpFamily;
}

export const proxierFamilies = ({ cluster }: ClusterObservation): readonly ProxyFamily[] =>
  cluster.proxies.flatMap((proxy) =>
    proxy.ipFamilies.map(
      (family) => ({ proxy, family, familyName: proxy.ipFamilies.length > 1 ? family : '' }) as const,
    ),
  );

/** One endpoint of a port. */
export interface BackendFacts {
  readonly address: string;
  readonly node: string | undefined;
  readonly isReady: boolean;
  /** It serves while it terminates. */
  readonly isFallback: boolean;
  readonly zones: readonly string[];
  readonly nodes: readonly string[];
}

const LABEL = {
  service: 'kubernetes.io/service-name',
  headless: 'service.kubernetes.io/headless',
  zone: 'topology.kubernetes.io/zone',
} as const;
type Names = readonly { readonly name: string }[];

/** The endpoints of a port of a Service (P-010, P-012), without those of which two slices say different things. */
export function backendsOf(
  slices: readonly SliceJson[],
  service: string,
  portName: string,
  family: IpFamily,
): readonly BackendFacts[] {
  return slices
    .filter(
      ({ metadata, addressType }) =>
        addressType === family && `default/${metadata.labels?.[LABEL.service]}` === service,
    )
    .flatMap(({ ports, endpoints }) =>
      ports
        .filter(({ name = '' }) => name === portName)
        .flatMap(({ port }) =>
          endpoints.map(({ addresses: [ip = ''], conditions, nodeName, hints }) => {
            const { forZones = [], forNodes = [] } = (hints ?? {}) as { forZones?: Names; forNodes?: Names };
            return {
              address: family === 'IPv6' ? `[${ip}]:${port}` : `${ip}:${port}`,
              node: nodeName,
              isReady: conditions.ready ?? true,
              isFallback: (conditions.serving ?? true) && (conditions.terminating ?? false),
              zones: forZones.map(({ name }) => name),
              nodes: forNodes.map(({ name }) => name),
            };
          }),
        ),
    );
}

/** What has been delivered to one kube-proxy. */
export class ProxyCache {
  private readonly run: ClusterObservation;
  private readonly proxy: ProxyInput;

  constructor(run: ClusterObservation, proxy: ProxyInput) {
    this.run = run;
    this.proxy = proxy;
  }

  /** The slices that had come when `event` was written. */
  slices(event: TraceEvent): readonly SliceJson[] {
    return this.delivered('endpointslices', event).filter(
      ({ metadata }) => !(LABEL.headless in (metadata.labels ?? {})),
    );
  }

  /** Family of the slice that a change is about. */
  familyOf(change: TraceEvent<'proxyChange'>): IpFamily | null {
    const key = `default/${change.payload.name}`;
    const last = this.run
      .stored('endpointslices')
      .filter((version) => version.key === key && version.object)
      .at(-1);
    return last?.object?.addressType ?? null;
  }

  /** `port: backends` of each Service that has rules, as it should be after a sync; ports with doubtful endpoints left out. */
  clusterIPs(sync: TraceEvent, family: IpFamily): ReadonlyMap<string, readonly string[]> {
    const slices = this.slices(sync);
    const zone = this.zone(sync);
    const expected = new Map<string, readonly string[]>();
    for (const service of this.delivered('services', sync)) {
      const { spec, metadata } = service;
      const key = `default/${metadata.name}`;
      if (!hasRules(service, family)) continue;
      const lists = spec.ports.map(({ name = '' }) => {
        const usable = usableBy(service, backendsOf(slices, key, name, family), { node: this.proxy.node, zone }, this);
        return `${name}: ${[...new Set(usable.map(({ address }) => address))].sort().join(' ')}`;
      });
      expected.set(key, lists);
    }
    return expected;
  }

  get mode(): string {
    return this.proxy.mode;
  }

  get minor(): number {
    return this.run.minor;
  }

  /** The zone that the proxy has been told at an event; it takes it before it takes anything else. */
  private zone(event: TraceEvent): string {
    const told = this.run
      .of('proxyTopology')
      .filter(
        ({ subject, payload, ref }) =>
          subject.object === this.proxy.name && payload.which === 'labels' && ref.row < event.ref.row,
      )
      .at(-1);
    return told ? ((JSON.parse(told.payload.labels) as Record<string, string>)[LABEL.zone] ?? '') : '';
  }

  private delivered<R extends 'services' | 'endpointslices'>(
    resource: R,
    event: TraceEvent,
  ): readonly NonNullable<Version<R>['object']>[] {
    const { cluster } = this.run;
    const listed = this.proxy.start + cluster.latency.proxyConfigStartGap;
    const came = new Set(
      this.run
        .of('watchEvent')
        .filter(
          ({ subject, payload, ref }) =>
            watcherOf(subject) === this.proxy.name && payload.resource === resource && ref.row < event.ref.row,
        )
        .map(({ payload }) => payload.resourceVersion),
    );
    const objects = new Map<string, NonNullable<Version<R>['object']>>();
    for (const { event: commit, key, object } of this.run.stored(resource)) {
      if (commit.at >= listed && !came.has(commit.payload.resourceVersion)) continue;
      if (object) objects.set(key, object);
      else objects.delete(key);
    }
    return [...objects.values()];
  }
}

/** Headless ones are not watched; others have rules where they have an address of the family (P-001, P-004). */
function hasRules({ spec }: ServiceJson, family: IpFamily): boolean {
  const { clusterIP = '', type } = spec;
  const ips = (spec as { readonly clusterIPs?: readonly string[] }).clusterIPs ?? [];
  return (
    clusterIP !== '' &&
    clusterIP !== 'None' &&
    type !== 'ExternalName' &&
    ips.some((ip) => ip.includes(':') === (family === 'IPv6'))
  );
}

/** Which endpoints a node uses for the cluster IP (P-051, P-053). */
function usableBy(
  { spec }: ServiceJson,
  all: readonly BackendFacts[],
  { node, zone }: { readonly node: string; readonly zone: string },
  { mode, minor }: ProxyCache,
): readonly BackendFacts[] {
  const isLocal =
    minor >= 22 && (spec as { readonly internalTrafficPolicy?: string }).internalTrafficPolicy === 'Local';
  const here = all.filter((one) => one.node === node);
  const ready = all.filter(({ isReady }) => isReady);
  const orFallback = (list: readonly BackendFacts[], of: readonly BackendFacts[]): readonly BackendFacts[] =>
    list.length > 0 || minor < 26 ? list : of.filter(({ isFallback }) => isFallback);
  if (isLocal) {
    const local = orFallback(
      here.filter(({ isReady }) => isReady),
      here,
    );
    // ipvs has no dropping rule: it takes what there is elsewhere, where it looks for that because of an outside (P-050).
    if (local.length > 0 || mode !== 'ipvs' || spec.type === 'ClusterIP') return local;
  }
  const preferred = (hints: (one: BackendFacts) => readonly string[], name: string): readonly BackendFacts[] =>
    ready.every((one) => hints(one).length > 0) ? ready.filter((one) => hints(one).includes(name)) : [];
  const sameNode = minor >= 34 ? preferred(({ nodes }) => nodes, node) : [];
  const sameZone = minor >= 23 ? preferred(({ zones }) => zones, zone) : [];
  const list = sameNode.length > 0 ? sameNode : sameZone.length > 0 ? sameZone : ready;
  return orFallback(list, all);
}
