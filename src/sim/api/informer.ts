import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Scheduler } from '../kernel/kernel.ts';
import type { Phase } from '../kernel/order.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { TraceWriter } from '../trace/writer.ts';
import type { Resource } from './objects.ts';
import type { Commit, ObjectStore, Stored, WatchEventType } from './store.ts';

/** What an informer tells its handlers. `ref` is the delivery: something to take only once it is needed (`tellsUsedOnly`). */
export interface InformerEvent<R extends Resource> {
  readonly key: string;
  /** Null: it is new. */
  readonly old: Stored[R] | null;
  /** Null: it is gone. */
  readonly now: Stored[R] | null;
  readonly ref: Ref;
}

/** An event whose delivery is written when somebody acts on it. */
class UnwrittenEvent<R extends Resource> implements InformerEvent<R> {
  readonly key: string;
  readonly old: Stored[R] | null;
  readonly now: Stored[R] | null;
  private readonly write: () => Ref;
  private written: Ref | null = null;

  constructor(key: string, old: Stored[R] | null, now: Stored[R] | null, write: () => Ref) {
    this.key = key;
    this.old = old;
    this.now = now;
    this.write = write;
  }

  get ref(): Ref {
    this.written ??= this.write();
    return this.written;
  }
}

interface InformerOptions<R extends Resource> {
  readonly kernel: Scheduler;
  readonly trace: TraceWriter;
  readonly store: ObjectStore;
  readonly resource: R;
  /** Commit to delivery, µs. */
  readonly latency: MicrosSpan;
  /** Commit to delivery where that varies: none overtakes the one before it. `latency` and `removalExtra` then count for lists only. */
  readonly lengthOf?: ((commit: Commit<R>) => MicrosSpan) | undefined;
  /** On top of `latency` for the list, µs. */
  readonly listExtra: MicrosSpan;
  /** On top of `latency` for a deletion, µs. */
  readonly removalExtra?: MicrosSpan;
  /** The trace's subject of its deliveries. */
  readonly subject: number;
  readonly phase: Phase;
  /** Whether only those deliveries are events of the trace that a handler acts on, which is when it asks for `ref`. */
  readonly tellsUsedOnly?: boolean;
  /** Which objects the watch selects; all without it. */
  readonly selects?: (object: Stored[R]) => boolean;
}

/**
 * A list and then a watch of one resource: every event once, in the order of commits, `latency` after each; first the
 * store, then the handlers, in one instant (C-004).
 * Source: client-go tools/cache/shared_informer.go, reflector.go.
 */
export class Informer<R extends Resource> {
  private readonly options: InformerOptions<R>;
  private readonly handlers: ((event: InformerEvent<R>) => void)[] = [];
  private readonly cache = new Map<string, Stored[R]>();
  /** The resource version up to which the cache has seen everything. */
  lastRevision = 0;
  private isStopped = false;
  /** The last delivery that is on its way. */
  private lastDue = Number.NEGATIVE_INFINITY;
  /** Whether the list has been delivered. */
  synced = false;

  constructor(options: InformerOptions<R>) {
    this.options = options;
  }

  /** The cached object. */
  get(key: string): Stored[R] | undefined {
    return this.cache.get(key);
  }

  /** All cached objects, in order of their first delivery. */
  values(): IterableIterator<Stored[R]> {
    return this.cache.values();
  }

  onEvent(handler: (event: InformerEvent<R>) => void): void {
    this.handlers.push(handler);
  }

  /** The watch ends: what is on its way still comes. */
  stop(): void {
    this.isStopped = true;
  }

  /** Watches from now on; what is there already is in the cache, and nobody is told of it. */
  startWatch(): void {
    const { kernel, store, resource, phase } = this.options;
    for (const key of store.keys(resource)) {
      const object = store.get(resource, key);
      if (object && this.wants(object)) this.cache.set(key, object);
    }
    this.synced = true;
    this.lastRevision = store.lastRevision;
    store.watch(resource, {
      kernel,
      phase,
      dueAt: (commit) => (this.isStopped ? null : this.dueAt(commit)),
      onCommit: (commit) => this.onCommit(commit),
    });
  }

  /** Lists now and watches from here on; `whenSynced` is called once the list is in the cache and handled. */
  start(whenSynced: (ref: Ref) => void): void {
    const { kernel, store, resource, latency, listExtra, phase } = this.options;
    const listed = store.keys(resource).flatMap((key) => {
      const object = store.get(resource, key);
      return object && this.wants(object) ? [{ key, object }] : [];
    });
    const { lastRevision } = store;
    const listedAt = later(kernel.now, (latency + listExtra) as MicrosSpan);
    kernel.at(listedAt, phase, () => {
      const { trace, subject } = this.options;
      const ref = trace.event('watchList', kernel.now, subject, { resource, count: listed.length });
      for (const { key, object } of listed) this.deliver({ key, old: this.cache.get(key) ?? null, now: object, ref });
      this.synced = true;
      this.lastRevision = lastRevision;
      whenSynced(ref);
    });
    store.watch(resource, {
      kernel,
      phase,
      dueAt: (commit) => Math.max(this.dueAt(commit), listedAt) as Micros,
      onCommit: (commit) => this.onCommit(commit),
    });
  }

  private dueAt(commit: Commit<R>): Micros {
    const { kernel, latency, removalExtra = 0, lengthOf } = this.options;
    if (!lengthOf) return later(kernel.now, (latency + (commit.now ? 0 : removalExtra)) as MicrosSpan);
    this.lastDue = Math.max(this.lastDue, later(kernel.now, lengthOf(commit)));
    return this.lastDue as Micros;
  }

  private wants(object: Stored[R]): boolean {
    return this.options.selects?.(object) ?? true;
  }

  /** An object that the watch's selector ceases to match is deleted for it, one that begins to is new. */
  private onCommit(commit: Commit<R>): void {
    const { key, before, now, resourceVersion } = commit;
    const was = before !== null && this.wants(before);
    const is = now !== null && this.wants(now);
    if (!was && !is) return;
    this.lastRevision = resourceVersion;
    const type = was ? (is ? 'MODIFIED' : 'DELETED') : 'ADDED';
    const old = was ? before : null;
    const next = is ? now : null;
    if (!this.options.tellsUsedOnly) this.deliver({ key, old, now: next, ref: this.deliveryOf(commit, type) });
    else this.deliver(new UnwrittenEvent<R>(key, old, next, () => this.deliveryOf(commit, type)));
  }

  private deliveryOf({ before, now, resourceVersion, ref, deliveries }: Commit<R>, type: WatchEventType): Ref {
    const { kernel, trace, resource, subject } = this.options;
    const like = deliveries[type];
    if (like !== undefined) return trace.eventLike(like, kernel.now, subject, [ref]);
    const payload = { resource, type, name: nameOf((now ?? before) as Stored[R]), resourceVersion };
    const first = trace.event('watchEvent', kernel.now, subject, payload, [ref]);
    deliveries[type] = first;
    return first;
  }

  private deliver(event: InformerEvent<R>): void {
    const { key, now } = event;
    if (now) this.cache.set(key, now);
    else this.cache.delete(key);
    for (const handler of this.handlers) handler(event);
  }
}

const nameOf = (object: Stored[Resource]): string => ('meta' in object ? object.meta.name : object.input.name);

/** Calls `then` once all of `informers` have listed. */
export function startAll(informers: readonly Pick<Informer<Resource>, 'start'>[], then: (ref: Ref) => void): void {
  let left = informers.length;
  for (const informer of informers) {
    informer.start((ref) => {
      if (--left === 0) then(ref);
    });
  }
  if (left === 0) then(NO_REF);
}
