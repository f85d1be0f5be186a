import { later, MICROS_PER_MS, type Micros, type MicrosSpan } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import type { Informer } from '../../api/informer.ts';
import type { NodeObject } from '../../api/objects.ts';
import type { Task } from '../../kernel/kernel.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { defaultGracePeriod } from '../../workloadsInput.ts';
import type { WorkloadClient } from '../workloads/client.ts';
import { hop, type WorkloadContext } from '../workloads/context.ts';
import type { WorkloadEvents } from '../workloads/events.ts';
import { logLine } from '../workloads/log.ts';
import { writeNode } from '../workloads/nodeWrites.ts';
import { inParallel } from '../workloads/parallel.ts';
import { givenUp, isExpired, type NodeHealth, observe } from './nodeHealth.ts';
import { countsForZone, zoneOf } from './zones.ts';
import type { ZoneTainter } from './zoneTainter.ts';

/** Nodes that are looked at at once. */
const WORKERS = 8;
/** Writes of a node's health that fail: wait between attempts, and how many follow the first. */
const RETRY = 20 * MICROS_PER_MS;
const RETRIES = 5;

/** Minor version in which the gate NodeControllerLeaseCircuitBreaker is on by default (N-032). */
const LOOKS_AGAIN_SINCE = 37;

const leaseKeyOf = (node: string): string => `kube-node-lease/${node}`;

interface Parts {
  readonly context: WorkloadContext;
  readonly client: WorkloadClient;
  readonly events: WorkloadEvents;
  readonly nodes: Informer<'nodes'>;
  readonly leases: Informer<'leases'>;
  readonly podsOn: (node: string) => readonly ApiPod[];
  readonly mark: (node: string, pods: readonly ApiPod[], ref: Ref) => Task<boolean>;
  readonly zones: ZoneTainter;
  /** By node. */
  readonly health: Map<string, NodeHealth>;
}

/** A node as a pass leaves it, its readiness as the pass found it, and the cause of a change. */
interface Looked {
  readonly node: NodeObject;
  readonly before: NodeObject['ready'];
  readonly ref: Ref;
}

/** The node controller's pass over all nodes (N-031 to N-034). Source: node_lifecycle_controller.go monitorNodeHealth. */
export class NodeMonitor {
  private readonly parts: Parts;
  /** Nodes that have been seen, with their UIDs. */
  private readonly known = new Map<string, string>();
  /** Nodes some of whose Pods could not be marked. */
  private readonly unmarked = new Set<string>();
  /** Until the cache of Leases shows this resource version, no node is judged (N-032). */
  private leasesAwaited = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  *pass(): Task<void> {
    const { context, nodes: informer, zones } = this.parts;
    const nodes = [...informer.values()];
    yield* this.classify(nodes);
    const ready = new Map<string, boolean[]>();
    const queue = [...nodes];
    const workers = Array.from({ length: Math.min(WORKERS, nodes.length) }, () => this.work(queue, ready));
    yield* inParallel(context.kernel, workers);
    yield* zones.handleDisruption(ready, nodes);
    yield hop(context, 'pass/nodelifecycle');
  }

  /** A node is gone, so that nothing is left to be tried again. */
  forget(node: string): void {
    this.unmarked.delete(node);
  }

  /** Source: classifyNodes. */
  private *classify(nodes: readonly NodeObject[]): Task<void> {
    const { zones, events } = this.parts;
    for (const node of nodes) zones.meet(node);
    const about = (name: string) => ({ kind: 'Node', key: name, uid: this.known.get(name) ?? '' });
    for (const node of nodes) {
      const { name, uid } = node.meta;
      if (this.known.has(name)) continue;
      this.known.set(name, uid);
      events.tell(about(name), 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`, NO_REF);
      yield* zones.release(node);
    }
    const present = new Set(nodes.map(({ meta }) => meta.name));
    for (const name of [...this.known.keys()].filter((one) => !present.has(one))) {
      const ref = logLine(this.parts.context, 'nodelifecycle', { key: name, message: 'nodeDeleted' }, NO_REF);
      events.tell(about(name), 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`, ref);
      this.known.delete(name);
    }
  }

  private *work(queue: NodeObject[], ready: Map<string, boolean[]>): Task<void> {
    for (let node = queue.shift(); node; node = queue.shift()) yield* this.look(node, ready);
  }

  private *look(cached: NodeObject, ready: Map<string, boolean[]>): Task<void> {
    const { zones, podsOn, events } = this.parts;
    const looked = yield* this.judge(cached);
    if (!looked) return;
    const { node, before, ref } = looked;
    const { name, uid } = node.meta;
    if (countsForZone(node)) {
      const zone = zoneOf(node);
      ready.set(zone, [...(ready.get(zone) ?? []), node.ready === 'True']);
    }
    if (node.ready !== null) {
      const pods = podsOn(name);
      yield* zones.process(node);
      const isLost = node.ready !== 'True' && before === 'True';
      const about = { kind: 'Node', key: name, uid };
      if (isLost) events.tell(about, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`, ref);
      const isDue = isLost || (this.unmarked.has(name) && before !== 'True');
      if (isDue && !(yield* this.markAll(name, pods, ref))) return;
    }
    this.unmarked.delete(name);
  }

  private *markAll(node: string, pods: readonly ApiPod[], ref: Ref): Task<boolean> {
    const { context, mark } = this.parts;
    if (yield* mark(node, pods, ref)) return true;
    yield context.errors.handle();
    this.unmarked.add(node);
    return false;
  }

  /** Tries until a node's health is written; null: it is not judged in this pass. */
  private *judge(cached: NodeObject): Task<Looked | null> {
    const { context, client } = this.parts;
    const { name } = cached.meta;
    let node: NodeObject | null = cached;
    let begun: Micros | null = null;
    for (let retry = 0; node && retry <= RETRIES; retry++) {
      const looked: Looked | 'skip' | 'again' = yield* this.updateHealth(node);
      if (looked === 'skip') return null;
      if (looked !== 'again') return looked;
      node = yield* client.get('nodes', name, name);
      begun ??= context.kernel.now;
      const next = later(begun, ((retry + 1) * RETRY) as MicrosSpan);
      yield Math.max(0, next - context.kernel.now) as MicrosSpan;
    }
    return null;
  }

  /** Source: tryUpdateNodeHealth. */
  private *updateHealth(node: NodeObject): Task<Looked | 'skip' | 'again'> {
    const { context, client, leases, health } = this.parts;
    const { kernel, wall, workloads, minor } = context;
    const { gracePeriod, startupGracePeriod } = workloads.nodeLifecycle;
    const grace = { gracePeriod: gracePeriod ?? defaultGracePeriod(minor), startupGracePeriod };
    if (leases.lastRevision < this.leasesAwaited) return 'skip';
    const { name, resourceVersion: read } = node.meta;
    const lease = leases.get(leaseKeyOf(name)) ?? null;
    const now = observe(health.get(name) ?? null, node, lease, { now: kernel.now, wall });
    health.set(name, now);
    if (!isExpired(now, node, kernel.now, grace)) return { node, before: node.ready, ref: NO_REF };
    const live = minor >= LOOKS_AGAIN_SINCE ? yield* client.get('leases', leaseKeyOf(name), name) : null;
    if (live && live.meta.resourceVersion !== (now.lease?.meta.resourceVersion ?? 0)) {
      this.leasesAwaited = Math.max(this.leasesAwaited, live.meta.resourceVersion);
      return 'skip';
    }
    const lost = givenUp(node, wall.seconds(kernel.now));
    if (lost === node) return { node, before: node.ready, ref: NO_REF };
    const ref = this.tellLost(node, kernel.now - now.stamp);
    const { ready, readyReason, lastHeartbeatTime, lastTransitionTime } = lost;
    const change = { ready, readyReason, lastHeartbeatTime, lastTransitionTime };
    const write = { verb: 'update', subresource: 'status', name, read } as const;
    const answer = yield* writeNode(context, client, { ...write, change: (stored) => ({ ...stored, ...change }) }, ref);
    if ('error' in answer) return 'again';
    health.set(name, { node: lost, lease, stamp: now.stamp });
    return { node: lost, before: node.ready, ref };
  }

  private tellLost({ ready, meta }: NodeObject, elapsedUs: number): Ref {
    const said = ready === null ? { message: 'neverUpdated' } : { message: 'notUpdated', values: { elapsedUs } };
    return logLine(this.parts.context, 'nodelifecycle', { key: meta.name, ...said }, NO_REF);
  }
}
