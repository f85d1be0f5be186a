/** A finished run of a control plane as the invariants look at it. */
import type { ControllerName, ScriptedPod } from '../../src/sim/clusterInput.ts';
import type { Scenario } from '../../src/sim/scenario.ts';
import type { TraceEvent } from '../../src/sim/trace/reader.ts';
import { watcherOf } from '../../src/sim/trace/watchers.ts';
import { RunEvents } from './runEvents.ts';

type Map1 = Readonly<Record<string, string>>;
export interface MetaJson {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Map1;
  readonly annotations?: Map1;
}
export interface PodJson {
  readonly metadata: MetaJson;
  readonly status: {
    readonly phase: string;
    readonly podIPs?: readonly { readonly ip: string }[];
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime: string;
    }[];
  };
}
export interface ServiceJson {
  readonly metadata: MetaJson;
  readonly spec: {
    readonly type: string;
    readonly clusterIP?: string;
    readonly ipFamilies?: readonly string[];
    readonly selector?: Map1;
    readonly publishNotReadyAddresses?: boolean;
    readonly trafficDistribution?: string;
    readonly ports: readonly {
      readonly name?: string;
      readonly protocol: string;
      readonly targetPort: number | string;
      readonly appProtocol?: string;
    }[];
  };
}
interface AddressJson {
  readonly ip: string;
  readonly targetRef?: { readonly name: string; readonly uid: string };
}
interface PortJson {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}
export interface SubsetJson {
  readonly addresses?: readonly AddressJson[];
  readonly notReadyAddresses?: readonly AddressJson[];
  readonly ports?: readonly PortJson[];
}
export interface EndpointsJson {
  readonly metadata: MetaJson;
  readonly subsets: readonly SubsetJson[];
}
export interface SliceJson {
  readonly metadata: MetaJson;
  readonly addressType: 'IPv4' | 'IPv6';
  readonly ports: readonly PortJson[];
  readonly endpoints: readonly {
    readonly addresses: readonly string[];
    readonly conditions: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
    readonly nodeName?: string;
    readonly zone?: string;
    readonly hints?: object;
    readonly targetRef?: { readonly name: string; readonly uid: string };
  }[];
}
interface ObjectJson {
  readonly nodes: { readonly metadata: MetaJson };
  readonly pods: PodJson;
  readonly services: ServiceJson;
  readonly endpoints: EndpointsJson;
  readonly endpointslices: SliceJson;
}

/** Resources that the invariants look at. */
export const OBSERVED = ['nodes', 'pods', 'services', 'endpoints', 'endpointslices'] as const;
type ObservedResource = (typeof OBSERVED)[number];

/** One commit. */
export interface Version<R extends ObservedResource> {
  readonly event: TraceEvent<'stored'>;
  /** `namespace/name`; a Node's name. */
  readonly key: string;
  /** Null: it was deleted. */
  readonly object: ObjectJson[R] | null;
}

export const COMPONENTS = {
  endpoints: 'endpointsController',
  endpointslices: 'endpointSliceController',
  mirroring: 'mirroringController',
} as const satisfies Readonly<Record<ControllerName, string>>;

/** Everything is computed once, on first use. Rows of a trace are in the order in which things were done. */
export class ClusterObservation extends RunEvents {
  /** Pods that no kubelet runs, by key. */
  readonly pods: ReadonlyMap<string, ScriptedPod>;
  private readonly versions = new Map<ObservedResource, readonly Version<ObservedResource>[]>();
  private readonly deliveries = new Map<string, readonly Delivery[]>();

  constructor(scenario: Scenario) {
    super(scenario);
    const { existing, writes } = this.cluster;
    const created = writes.flatMap((write) => (write.do === 'create' ? [write.stored] : []));
    this.pods = new Map(
      [...existing, ...created].flatMap((one) =>
        one.resource === 'pods' ? [[one.object.input.identity, one.object] as const] : [],
      ),
    );
  }

  get cluster() {
    const { cluster } = this.scenario;
    if (!cluster) throw new Error('a scenario without a control plane');
    return cluster;
  }

  get minor(): number {
    return Number(this.scenario.kubernetes.split('.')[1]);
  }

  /** All commits of a resource, in order. */
  stored<R extends ObservedResource>(resource: R): readonly Version<R>[] {
    const known = this.versions.get(resource);
    if (known) return known as readonly Version<R>[];
    const made = this.of('stored')
      .filter(({ payload }) => payload.resource === resource)
      .map((event): Version<R> => {
        const { object, type } = event.payload;
        const key = event.subject.pod || event.subject.object.slice(resource.length + 1);
        return { event, key, object: type === 'DELETED' ? null : (this.json(object) as ObjectJson[R]) };
      })
      .sort((a, b) => a.event.ref.row - b.event.ref.row);
    this.versions.set(resource, made);
    return made;
  }

  /** What a controller had in its cache when `event` was written. */
  cache<R extends ObservedResource>(
    controller: ControllerName,
    resource: R,
    event: TraceEvent,
  ): ReadonlyMap<string, Version<R>> {
    const cached = new Map<string, Version<R>>();
    for (const { row, version } of this.deliveriesTo(controller, resource)) {
      if (row >= event.ref.row) break;
      if (version.object) cached.set(version.key, version as Version<R>);
      else cached.delete(version.key);
    }
    return cached;
  }

  /** Syncs of a controller. */
  syncs(controller: ControllerName): readonly TraceEvent<'controllerSync'>[] {
    return this.of('controllerSync').filter(({ subject }) => subject.component === COMPONENTS[controller]);
  }

  /** Requests of a controller that have been decided. */
  writes(controller: ControllerName): readonly TraceEvent<'apiWrite'>[] {
    return this.of('apiWrite').filter(({ payload }) => payload.actor === controller && payload.code !== 0);
  }

  /** The version that a request made; undefined when it made none. */
  madeBy<R extends ObservedResource>(resource: R, { ref }: TraceEvent): Version<R> | undefined {
    return this.stored(resource).find(({ event }) => this.causes(event)[0]?.ref.row === ref.row);
  }

  /** Deliveries in order: the list, which was taken at the start, and then each event of the watch. */
  private deliveriesTo(controller: ControllerName, resource: ObservedResource): readonly Delivery[] {
    const id = `${controller}/${resource}`;
    const known = this.deliveries.get(id);
    if (known) return known;
    const stored = this.stored(resource);
    const byRevision = new Map(stored.map((version) => [version.event.payload.resourceVersion, version]));
    const isOurs = ({ subject, payload }: TraceEvent<'watchList'> | TraceEvent<'watchEvent'>): boolean =>
      watcherOf(subject) === controller && payload.resource === resource;
    const made = [
      ...this.of('watchList')
        .filter(isOurs)
        .flatMap(({ ref }) =>
          stored.filter(({ event }) => event.at <= this.cluster.start).map((version) => ({ row: ref.row, version })),
        ),
      ...this.of('watchEvent')
        .filter(isOurs)
        .map(({ ref, payload }) => ({
          row: ref.row,
          version: byRevision.get(payload.resourceVersion) as Version<ObservedResource>,
        })),
    ].sort((a, b) => a.row - b.row);
    this.deliveries.set(id, made);
    return made;
  }
}

interface Delivery {
  readonly row: number;
  readonly version: Version<ObservedResource>;
}
