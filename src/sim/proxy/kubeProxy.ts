import { type MicrosSpan, milliseconds } from '../../base/units.ts';
import { Informer, type InformerEvent } from '../api/informer.ts';
import { LABEL, type NodeObject, type Resource, type ServiceObject } from '../api/objects.ts';
import { Affinity } from '../client/affinity.ts';
import type { FrontendRules, NodeRules } from '../client/rulesRoute.ts';
import type { ClientSource } from '../clientInput.ts';
import type { ProxyInput } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Task } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import { ConntrackTable, conntrackCleanup } from './conntrack.ts';
import { type HealthAnswer, healthChecks } from './healthCheck.ts';
import { MODES } from './modes.ts';
import { Proxier } from './proxier.ts';

/** How often the config controllers look whether their informer has synced (client-go tools/cache, WaitForCacheSync). */
const SYNCED_POLL = milliseconds(100);

/**
 * One node's kube-proxy: the informers and config handlers in front of one proxier for each family (P-001, P-006).
 * Source: cmd/kube-proxy/app/server.go, pkg/proxy/config/config.go, pkg/proxy/metaproxier/meta_proxier.go.
 */
export class KubeProxy implements NodeRules {
  private readonly context: ClusterContext;
  readonly input: ProxyInput;
  private readonly subject: number;
  private readonly services: Informer<'services'>;
  private readonly slices: Informer<'endpointslices'>;
  private readonly nodes: Informer<'nodes'>;
  private proxiers: readonly Proxier[] = [];
  private zone = '';
  readonly affinity = new Affinity();
  readonly conntrack: ConntrackTable;
  /** What the health check node ports answer, by Service (P-060). */
  readonly healthAnswers = new Map<string, HealthAnswer>();

  /** `place`: among the scenario's proxies; it lengthens the watch latency. */
  constructor(context: ClusterContext, input: ProxyInput, place: number) {
    this.context = context;
    this.input = input;
    this.conntrack = new ConntrackTable(context.input.conntrack.filter(({ proxy }) => proxy === input.name));
    const { trace, kernel, store, hops } = context;
    const { latency } = context.input;
    const nobody = { pod: '', container: '', probe: '' } as const;
    this.subject = trace.subjectOf({ component: 'kubeProxy', node: input.node, ...nobody, object: input.name });
    const shared = { kernel, trace, store, subject: this.subject, phase: 'proxy' } as const;
    const watch = (resource: 'services' | 'endpointslices' | 'nodes') => ({
      latency: (latency.watch.proxy[resource] + place * latency.watchPerProxy) as MicrosSpan,
      listExtra: latency.listExtra,
      lengthOf: hops.varies('proxyWatch')
        ? () => hops.next('proxyWatch', `${input.name}/${resource}`, kernel.now, latency.watch.proxy[resource])
        : undefined,
    });
    this.services = new Informer({ ...shared, ...watch('services'), resource: 'services', selects: isProxied });
    this.slices = new Informer({
      ...shared,
      ...watch('endpointslices'),
      resource: 'endpointslices',
      selects: ({ meta }) => !(LABEL.headless in meta.labels),
    });
    this.nodes = new Informer({
      ...shared,
      ...watch('nodes'),
      resource: 'nodes',
      selects: ({ meta }) => meta.name === input.node,
    });
  }

  get name(): string {
    return this.input.name;
  }

  get node(): string {
    return this.input.node;
  }

  /**
   * What a new connection to `frontend` (`ip:port/proto`, `nodePort:n/proto`) meets now, by where it comes from (P-054);
   * null when no rule names it.
   */
  frontendRules(frontend: string, from: ClientSource['type']): FrontendRules | null {
    for (const proxier of this.proxiers) {
      const found = proxier.frontend(frontend);
      if (!found) continue;
      const { rules, ref } = found;
      const { verdict, backends } =
        (from === 'node' && rules.fromNode) || (from === 'pod' && rules.fromLocalPods) || rules;
      return { verdict, backends, affinitySeconds: rules.affinitySeconds, ref };
    }
    return null;
  }

  /** The process starts now: the Service config first, then, `proxyConfigStartGap` later, all else. */
  start(): void {
    const { kernel, input } = this.context;
    const { ipFamilies, mode } = this.input;
    this.proxiers = ipFamilies.map((family) => {
      const familyName = ipFamilies.length > 1 ? family : '';
      const context = { cluster: this.context, input: this.input, family, familyName, subject: this.subject } as const;
      return new Proxier(context, MODES[mode], [
        (mode) => healthChecks(mode, this.healthAnswers),
        (mode) => conntrackCleanup(mode, this.conntrack),
      ]);
    });
    this.services.onEvent((event) => this.onService(event));
    this.slices.onEvent((event) => this.onEndpointSlice(event));
    this.nodes.onEvent(({ now, ref }) => now && this.onNode(now, ref));
    kernel.start(
      this.whenSynced(this.services, (proxier) => proxier.onServicesSynced()),
      'proxy',
    );
    kernel.after(input.latency.proxyConfigStartGap, 'proxy', () => {
      kernel.start(
        this.whenSynced(this.slices, (proxier) => proxier.onEndpointSlicesSynced()),
        'proxy',
      );
      this.nodes.start(() => {});
      this.services.start((ref) => this.resyncLater(this.services, (event) => this.onService(event), ref));
      this.slices.start((ref) => this.resyncLater(this.slices, (event) => this.onEndpointSlice(event), ref));
      for (const proxier of this.proxiers) proxier.start();
    });
  }

  private *whenSynced<R extends Resource>(informer: Informer<R>, call: (proxier: Proxier) => Task<void>): Task<void> {
    while (!informer.synced) yield SYNCED_POLL;
    for (const proxier of this.proxiers) yield* call(proxier);
  }

  /** Each configSyncPeriod the handlers get everything in the cache once more. */
  private resyncLater<R extends 'services' | 'endpointslices'>(
    informer: Informer<R>,
    handle: (event: InformerEvent<R>) => void,
    ref: Ref,
  ): void {
    this.context.kernel.after(this.input.configSyncPeriod, 'proxy', () => {
      for (const now of informer.values()) handle({ key: '', old: now, now, ref });
      this.resyncLater(informer, handle, ref);
    });
  }

  private onService({ old, now, ref }: InformerEvent<'services'>): void {
    const change = this.changed('Service', old?.meta.name, now?.meta.name, ref);
    for (const proxier of this.proxiers) proxier.onService(old, now, change);
  }

  /** A slice goes to the proxier of its address type (P-006). */
  private onEndpointSlice({ old, now, ref }: InformerEvent<'endpointslices'>): void {
    const slice = now ?? old;
    if (!slice) return;
    const change = this.changed('EndpointSlice', old?.meta.name, now?.meta.name, ref);
    const place = this.input.ipFamilies.indexOf(slice.addressType);
    this.proxiers[place]?.onEndpointSlice(slice, now === null, change);
  }

  /** Only a change of the zone label is passed on (P-007). */
  private onNode({ meta }: NodeObject, cause: Ref): void {
    const zone = meta.labels[LABEL.zone] ?? '';
    if (zone === this.zone) return;
    this.zone = zone;
    const { trace, kernel } = this.context;
    const labels = JSON.stringify(LABEL.zone in meta.labels ? { [LABEL.zone]: zone } : {});
    const ref = trace.event('proxyTopology', kernel.now, this.subject, { which: 'change', labels }, [cause]);
    kernel.start(this.changeTopology(zone, labels, ref), 'proxy');
  }

  private *changeTopology(zone: string, labels: string, ref: Ref): Task<void> {
    for (const proxier of this.proxiers) yield* proxier.onTopologyChange(zone, labels, ref);
  }

  private changed(kind: string, old: string | undefined, now: string | undefined, cause: Ref): Ref {
    const { trace, kernel } = this.context;
    const op = old === undefined ? 'add' : now === undefined ? 'delete' : 'update';
    const payload = { kind, op, name: now ?? old ?? '' };
    return trace.event('proxyChange', kernel.now, this.subject, payload, [cause]);
  }
}

/** The watch of Services: not another proxy's, not headless (P-001). */
const isProxied = ({ meta, spec }: ServiceObject): boolean =>
  !(LABEL.proxyName in meta.labels) && spec.clusterIP !== 'None';
