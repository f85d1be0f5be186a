import type { MicrosSpan } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import type { Informer } from '../../api/informer.ts';
import type { Stored } from '../../api/store.ts';
import { RESOURCE_NAMES } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { WorkloadClient } from './client.ts';
import { informerOf, type WorkloadContext } from './context.ts';
import { WorkloadEvents } from './events.ts';
import { OwnedObjects, podOwnerUid } from './ownedObjects.ts';
import { OwnWrites } from './ownWrites.ts';
import { type AvailabilityClock, untilAvailable } from './pods.ts';
import { STALE_CACHE, WorkloadQueue } from './syncQueue.ts';

/** Resources that own Pods, by the controller that syncs them and the kind that Pods name. */
const OWNERS = {
  replicasets: { controller: 'replicaset', kind: 'ReplicaSet' },
  statefulsets: { controller: 'statefulset', kind: 'StatefulSet' },
  daemonsets: { controller: 'daemonset', kind: 'DaemonSet' },
} as const;
type PodOwner = keyof typeof OWNERS;

/** Kubernetes minor version since which a sync waits for the cache to show the controller's own writes (N-020). */
const WAITS_FOR_OWN_WRITES_SINCE = 36;

interface Options<R extends PodOwner> {
  readonly context: WorkloadContext;
  readonly resource: R;
  readonly workers: number;
  /** One sync of a set that is there; its result is the error, '' when it went well. */
  readonly sync: (key: string, set: Stored[R], ref: Ref) => Task<string>;
  /** The set is gone. */
  readonly forget: (key: string) => void;
}

/** What the controllers of ReplicaSets, StatefulSets and DaemonSets have alike: caches, own writes, queue, begin of a sync. */
export class SetSync<R extends PodOwner> {
  readonly client: WorkloadClient;
  readonly events: WorkloadEvents;
  readonly sets: Informer<R>;
  readonly pods: Informer<'pods'>;
  readonly podsOf: OwnedObjects<'pods'>;
  readonly ownWrites: OwnWrites;
  readonly work: WorkloadQueue;
  private readonly options: Options<R>;

  constructor(options: Options<R>) {
    this.options = options;
    const { context, resource, workers } = options;
    const { controller } = OWNERS[resource];
    this.client = new WorkloadClient(context, controller);
    this.events = new WorkloadEvents(context, controller);
    this.sets = informerOf(context, controller, resource);
    this.pods = informerOf(context, controller, 'pods');
    this.podsOf = new OwnedObjects(this.pods, podOwnerUid);
    const watched = [
      { resource: RESOURCE_NAMES[resource], informer: this.sets },
      { resource: RESOURCE_NAMES.pods, informer: this.pods },
    ];
    this.ownWrites = new OwnWrites(context, context.minor >= WAITS_FOR_OWN_WRITES_SINCE ? watched : []);
    const failures = { told: 'syncError', most: Number.POSITIVE_INFINITY } as const;
    const sync = (key: string, ref: Ref): Task<string> => this.sync(key, ref);
    this.work = new WorkloadQueue({ context, controller, workers, failures, sync });
  }

  /** The set that a change of a Pod concerns, if the cache has it; null too when the change is none. */
  ownerOf(old: ApiPod | null, now: ApiPod | null): { readonly key: string; readonly set: Stored[R] } | null {
    const pod = now ?? old;
    const owner = pod?.input.owner;
    if (!pod || owner?.kind !== OWNERS[this.options.resource].kind) return null;
    if (old?.resourceVersion === now?.resourceVersion) return null;
    const key = `${pod.input.namespace}/${owner.name}`;
    const set = this.sets.get(key);
    return set?.meta.uid === owner.uid ? { key, set } : null;
  }

  private *sync(key: string, ref: Ref): Task<string> {
    const stale = this.ownWrites.stale(key);
    if (stale) {
      this.work.log(key, 'staleCache', stale, ref);
      return STALE_CACHE;
    }
    const set = this.sets.get(key);
    if (set) return yield* this.options.sync(key, set, ref);
    this.ownWrites.forget(key);
    this.options.forget(key);
    return '';
  }
}

/** How long from now until the next of `pods` has been ready for `minReadySeconds`, as seen at `clock.now` (N-013); null: none waits. */
export function nextAvailable(
  { kernel }: WorkloadContext,
  pods: readonly ApiPod[],
  minReadySeconds: number,
  clock: AvailabilityClock,
): MicrosSpan | null {
  const waits = pods
    .map((pod) => untilAvailable(pod, minReadySeconds, clock))
    .filter((wait): wait is MicrosSpan => wait !== null && wait > 0);
  return waits.length === 0 ? null : (Math.max(0, Math.min(...waits) - (kernel.now - clock.now)) as MicrosSpan);
}
