import type { NodeObject } from '../../api/objects.ts';
import type { Task } from '../../kernel/kernel.ts';
import { NO_REF } from '../../trace/ref.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import { logLine } from '../workloads/log.ts';
import type { NodeHealth } from './nodeHealth.ts';
import { hasTaint, NOT_READY, type NodeTaints, noExecute, UNREACHABLE } from './nodeTaints.ts';
import { TaintQueue } from './taintQueue.ts';
import { rateIn, type ZoneState, zoneOf, zoneStateOf } from './zones.ts';

interface Parts {
  readonly context: WorkloadContext;
  readonly taints: NodeTaints;
  readonly nodes: { readonly get: (name: string) => NodeObject | undefined };
  /** By node. */
  readonly health: Map<string, NodeHealth>;
}

/** Decides when lost nodes get their NoExecute taint: rate limited in each zone, and never while all zones are down (N-035). */
export class ZoneTainter {
  private readonly parts: Parts;
  private readonly states = new Map<string, ZoneState>();
  private readonly queues = new Map<string, TaintQueue>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** A node's zone gets its queue (addPodEvictorForNewZone). */
  meet(node: NodeObject): void {
    const zone = zoneOf(node);
    if (this.states.has(zone)) return;
    this.states.set(zone, 'Initial');
    const { kernel, workloads } = this.parts.context;
    this.queues.set(zone, new TaintQueue(kernel, workloads.nodeLifecycle.evictionRate));
  }

  /** Queues, swaps or removes the taints of a node whose readiness is known. Source: processTaintBaseEviction. */
  *process(node: NodeObject): Task<void> {
    const { taints } = this.parts;
    if (node.ready === 'True') {
      if (yield* this.release(node)) this.log(node.meta.name, 'taintsRemoved');
      return;
    }
    const [own, other] = node.ready === 'False' ? [NOT_READY, UNREACHABLE] : [UNREACHABLE, NOT_READY];
    if (hasTaint(node, noExecute(other))) {
      yield* taints.swap(node, [noExecute(own)], [noExecute(other)], NO_REF);
      return;
    }
    const queue = this.queueOf(node);
    if (!hasTaint(node, noExecute(own))) queue.remove(node.meta.name);
    if (queue.add(node.meta.name)) this.log(node.meta.name, 'taintQueue');
  }

  /** Takes a node's NoExecute taints off; whether it was queued or tainted. Source: markNodeAsReachable. */
  *release(node: NodeObject): Task<boolean> {
    const { taints } = this.parts;
    for (const key of [UNREACHABLE, NOT_READY])
      if (!(yield* taints.remove(node, [noExecute(key)], NO_REF))) return false;
    return this.queueOf(node).remove(node.meta.name);
  }

  /** Taints nodes as far as the zones' rates allow. Source: doNoExecuteTaintingPass. */
  *pass(): Task<void> {
    for (const queue of [...this.queues.values()]) yield* queue.pass((name) => this.taint(name));
  }

  private *taint(name: string): Task<boolean> {
    const node = this.parts.nodes.get(name);
    if (!node) return true;
    if (node.ready === 'True') {
      this.log(name, 'taintIgnored');
      return true;
    }
    if (node.ready === null) return false;
    const [own, other] = node.ready === 'False' ? [NOT_READY, UNREACHABLE] : [UNREACHABLE, NOT_READY];
    return yield* this.parts.taints.swap(node, [noExecute(own)], [noExecute(other)], NO_REF);
  }

  /** Sets the zones' rates by what a pass saw. `ready`: of each zone's nodes. Source: handleDisruption. */
  *handleDisruption(ready: ReadonlyMap<string, readonly boolean[]>, nodes: readonly NodeObject[]): Task<void> {
    const { nodeLifecycle } = this.parts.context.workloads;
    const next = new Map([...ready].map(([zone, ones]) => [zone, zoneStateOf(ones, nodeLifecycle)]));
    for (const zone of next.keys()) if (!this.states.has(zone)) this.states.set(zone, 'Initial');
    for (const zone of [...this.states.keys()]) if (!next.has(zone)) this.states.delete(zone);
    const isDown = [...next.values()].every((state) => state === 'FullDisruption');
    const wasDown = [...this.states.values()].every((state) => state === 'FullDisruption');
    if (isDown && wasDown) return;
    if (isDown) return yield* this.enterDisruption(nodes);
    if (wasDown) this.exitDisruption(nodes);
    for (const [zone, state] of next) {
      if (!wasDown && this.states.get(zone) === state) continue;
      if (!wasDown) this.log('', 'zoneState', { zone, newState: state });
      this.queues.get(zone)?.setRate(rateIn(state, ready.get(zone)?.length ?? 0, nodeLifecycle));
      this.states.set(zone, state);
    }
  }

  /** All zones are down: the fault is more likely here than there, so that nothing is evicted. */
  private *enterDisruption(nodes: readonly NodeObject[]): Task<void> {
    this.log('', 'masterDisruptionEnter');
    for (const node of nodes) yield* this.release(node);
    for (const zone of this.states.keys()) {
      this.queues.get(zone)?.setRate(0);
      this.states.set(zone, 'FullDisruption');
    }
  }

  /** The first node is back: all get a new stamp. */
  private exitDisruption(nodes: readonly NodeObject[]): void {
    this.log('', 'masterDisruptionExit');
    const { context, health } = this.parts;
    for (const { meta } of nodes) {
      const known = health.get(meta.name);
      if (known) health.set(meta.name, { ...known, stamp: context.kernel.now });
    }
  }

  private queueOf(node: NodeObject): TaintQueue {
    this.meet(node);
    return this.queues.get(zoneOf(node)) as TaintQueue;
  }

  private log(key: string, message: string, values: object = {}): void {
    logLine(this.parts.context, 'nodelifecycle', { key, message, values }, NO_REF);
  }
}
