import { memoized } from '../../base/memoized.ts';
import type { Micros } from '../../base/units.ts';
import type { Scheduler } from '../kernel/kernel.ts';
import type { Phase } from '../kernel/order.ts';
import type { Ref } from '../trace/ref.ts';
import type { TraceWriter } from '../trace/writer.ts';
import type { ApiPod } from './apiPod.ts';
import {
  type EndpointSliceObject,
  type EndpointsObject,
  type NodeObject,
  RESOURCES,
  type Resource,
  type ServiceObject,
} from './objects.ts';
import { piecesOf } from './objectText.ts';
import type {
  ControllerRevisionObject,
  DaemonSetObject,
  DeploymentObject,
  LeaseObject,
  PodDisruptionBudgetObject,
  ReplicaSetObject,
  StatefulSetObject,
} from './workloadObjects.ts';

/** What a resource's objects are. Nodes are keyed by name. */
export interface Stored {
  readonly nodes: NodeObject;
  readonly pods: ApiPod;
  readonly services: ServiceObject;
  readonly endpoints: EndpointsObject;
  readonly endpointslices: EndpointSliceObject;
  readonly deployments: DeploymentObject;
  readonly replicasets: ReplicaSetObject;
  readonly statefulsets: StatefulSetObject;
  readonly daemonsets: DaemonSetObject;
  readonly controllerrevisions: ControllerRevisionObject;
  readonly poddisruptionbudgets: PodDisruptionBudgetObject;
  readonly leases: LeaseObject;
}

/** One commit. `key` is `namespace/name`; a Pod's identity. */
export interface Commit<R extends Resource> {
  readonly resource: R;
  readonly key: string;
  readonly before: Stored[R] | null;
  /** Null: it was deleted. */
  readonly now: Stored[R] | null;
  readonly resourceVersion: number;
  /** The event of the commit; without a control plane the request that made it. */
  readonly ref: Ref;
  /** The first delivery of each type to a watch: what the others say is the same. */
  readonly deliveries: Partial<Record<WatchEventType, Ref>>;
}
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

type Listener<R extends Resource> = (commit: Commit<R>) => void;

/** Hears of commits some time after them. */
export interface Watch<R extends Resource> {
  readonly kernel: Scheduler;
  readonly phase: Phase;
  /** When a commit of now is delivered; null: it is not. */
  dueAt(commit: Commit<R>): Micros | null;
  onCommit(commit: Commit<R>): void;
}

/** Neighbours among the watches that hear of a commit at the same time: one pending call, in their order. */
interface Together<R extends Resource> extends Pick<Watch<R>, 'kernel' | 'phase'> {
  readonly at: Micros;
  readonly watches: Watch<R>[];
}

/** Numbers by which the trace knows an object: as the subject of its commits, and by its versions. */
interface TraceNames {
  readonly subject: number;
  readonly object: number;
}
const NO_SUBJECT = -1;

/** Where a scenario's resource versions begin. */
const FIRST_REVISION = 1;

/**
 * One store, one revision counter: each commit yields a new resource version and is told to all listeners at once, in
 * the order in which they came (C-001).
 */
export class ObjectStore {
  private readonly kernel: Scheduler;
  private readonly trace: TraceWriter;
  private readonly tables: { readonly [R in Resource]: Map<string, Stored[R]> };
  private readonly listeners: { readonly [R in Resource]: (Listener<R> | Watch<R>)[] };
  /** What the trace calls each object, by key. */
  private readonly names: { readonly [R in Resource]: (key: string) => TraceNames };
  private revision = FIRST_REVISION;

  /** `writesCommits`: whether each commit is an event of the trace. */
  constructor(kernel: Scheduler, trace: TraceWriter, writesCommits: boolean) {
    this.kernel = kernel;
    this.trace = trace;
    const entries = <T>(make: (resource: Resource) => T) =>
      Object.fromEntries(RESOURCES.map((resource) => [resource, make(resource)]));
    const nobody = { component: 'store', node: '', pod: '', container: '', probe: '', object: '' } as const;
    this.names = entries((resource) =>
      memoized((key: string) => {
        const subject = resource === 'pods' ? { ...nobody, pod: key } : { ...nobody, object: `${resource}/${key}` };
        const object = trace.objectOf(`api/${KIND_OF[resource]}/${key}`);
        return { subject: writesCommits ? trace.subjectOf(subject) : NO_SUBJECT, object };
      }),
    ) as typeof this.names;
    this.tables = entries(() => new Map()) as unknown as typeof this.tables;
    this.listeners = entries(() => []) as unknown as typeof this.listeners;
  }

  /** Calls `listener` at each commit of the resource. */
  subscribe<R extends Resource>(resource: R, listener: Listener<R>): void {
    this.listeners[resource].push(listener);
  }

  /** Delivers each commit of the resource to `watch` when it is due. */
  watch<R extends Resource>(resource: R, watch: Watch<R>): void {
    this.listeners[resource].push(watch);
  }

  get<R extends Resource>(resource: R, key: string): Stored[R] | undefined {
    return this.tables[resource].get(key);
  }

  /** All objects of the resource, in order of creation. */
  list<R extends Resource>(resource: R): readonly Stored[R][] {
    return [...this.tables[resource].values()];
  }

  /** Keys of `list`. */
  keys(resource: Resource): readonly string[] {
    return [...this.tables[resource].keys()];
  }

  /** The resource version of the last commit. */
  get lastRevision(): number {
    return this.revision - 1;
  }

  /** Stores what `make` returns for the next resource version; returns the index of its text in the trace. */
  put<R extends Resource>(resource: R, key: string, make: (resourceVersion: number) => Stored[R], ref: Ref): number {
    const table = this.tables[resource];
    const before = table.get(key) ?? null;
    const resourceVersion = this.revision++;
    const now = make(resourceVersion);
    table.set(key, now);
    const kind = before ? 'MODIFIED' : 'ADDED';
    const names = this.names[resource](key);
    const event = this.commitEvent(resource, names.subject, kind, now, resourceVersion, ref);
    const version = this.trace.object(names.object, piecesOf(resource, now), this.kernel.now, event);
    if (event !== ref) this.trace.setVersion(event, 'object', version);
    this.tell({ resource, key, before, now, resourceVersion, ref: event, deliveries: {} });
    return version;
  }

  /** Removes an object; false when it is not there. */
  remove<R extends Resource>(resource: R, key: string, ref: Ref): boolean {
    const before = this.tables[resource].get(key);
    if (!before) return false;
    const resourceVersion = this.revision++;
    this.tables[resource].delete(key);
    const { subject } = this.names[resource](key);
    const event = this.commitEvent(resource, subject, 'DELETED', before, resourceVersion, ref);
    this.tell({ resource, key, before, now: null, resourceVersion, ref: event, deliveries: {} });
    return true;
  }

  private commitEvent<R extends Resource>(
    resource: R,
    subject: number,
    type: WatchEventType,
    object: Stored[R],
    resourceVersion: number,
    ref: Ref,
  ): Ref {
    if (subject === NO_SUBJECT) return ref;
    const generation = 'meta' in object ? object.meta.generation : object.generation;
    const payload = { resource, type, resourceVersion, generation, object: -1 };
    return this.trace.event('stored', this.kernel.now, subject, payload, [ref]);
  }

  private tell<R extends Resource>(commit: Commit<R>): void {
    let together = null as Together<R> | null;
    for (const listener of this.listeners[commit.resource] as readonly (Listener<R> | Watch<R>)[]) {
      if (typeof listener === 'function') {
        listener(commit);
        together = null;
        continue;
      }
      const at = listener.dueAt(commit);
      if (at === null) continue;
      const { kernel, phase } = listener;
      if (together?.at === at && together.kernel === kernel && together.phase === phase) {
        together.watches.push(listener);
        continue;
      }
      const watches = [listener];
      together = { at, kernel, phase, watches };
      kernel.at(at, phase, () => {
        for (const watch of watches) watch.onCommit(commit);
      });
    }
  }
}

/** The `kind` of each resource's objects; object keys of the trace are `api/<kind>/<key>`. */
const KIND_OF = {
  nodes: 'Node',
  pods: 'Pod',
  services: 'Service',
  endpoints: 'Endpoints',
  endpointslices: 'EndpointSlice',
  deployments: 'Deployment',
  replicasets: 'ReplicaSet',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  controllerrevisions: 'ControllerRevision',
  poddisruptionbudgets: 'PodDisruptionBudget',
  leases: 'Lease',
} as const satisfies Readonly<Record<Resource, string>>;
