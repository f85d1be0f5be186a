import { MICROS_PER_MS, type MicrosSpan } from '../../../base/units.ts';
import type { NodeObject, Taint } from '../../api/objects.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadClient } from '../workloads/client.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import { writeNode } from '../workloads/nodeWrites.ts';

/** A taint is the same as another of its key and effect (core/v1 Taint.MatchTaint). */
export type TaintKind = Pick<Taint, 'key' | 'effect'>;

export const UNREACHABLE = 'node.kubernetes.io/unreachable';
export const NOT_READY = 'node.kubernetes.io/not-ready';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';
/** Taints that the controller keeps as NoSchedule. */
const OWN_KEYS: ReadonlySet<string> = new Set([UNREACHABLE, NOT_READY, UNSCHEDULABLE]);

/** A patch of taints that meets a conflict: attempts, wait, and the random part of it (controller_utils.go UpdateTaintBackoff). */
const ATTEMPTS = 5;
const WAIT = 100 * MICROS_PER_MS;
const JITTER = 1;

export const noExecute = (key: string): TaintKind => ({ key, effect: 'NoExecute' });

const matches = (a: TaintKind, b: TaintKind): boolean => a.key === b.key && a.effect === b.effect;

export const hasTaint = ({ taints }: Pick<NodeObject, 'taints'>, kind: TaintKind): boolean =>
  taints.some((taint) => matches(taint, kind));

/** NoSchedule taints that a node lacks, and those that it should not have (N-035; doNoScheduleTaintingPass). */
export function noScheduleChanges({ ready, unschedulable, taints }: NodeObject): {
  readonly add: readonly TaintKind[];
  readonly remove: readonly TaintKind[];
} {
  const keys = [
    ...(ready === 'False' ? [NOT_READY] : []),
    ...(ready === 'Unknown' ? [UNREACHABLE] : []),
    ...(unschedulable ? [UNSCHEDULABLE] : []),
  ];
  const wanted = keys.map((key): TaintKind => ({ key, effect: 'NoSchedule' }));
  const own = taints.filter(({ key, effect }) => effect === 'NoSchedule' && OWN_KEYS.has(key));
  return {
    add: wanted.filter((kind) => !own.some((one) => matches(one, kind))),
    remove: own.filter((kind) => !wanted.some((one) => matches(one, kind))),
  };
}

/** Writes taints of nodes: a live GET and a patch that is refused if the node changed in between. */
export class NodeTaints {
  private readonly context: WorkloadContext;
  private readonly client: WorkloadClient;

  constructor(context: WorkloadContext, client: WorkloadClient) {
    this.context = context;
    this.client = client;
  }

  /** Adds the first and removes the others; false when it failed. `node` as it is cached. Source: SwapNodeControllerTaint. */
  *swap(node: NodeObject, add: readonly TaintKind[], remove: readonly TaintKind[], ref: Ref): Task<boolean> {
    const { errors, kernel, wall } = this.context;
    const timeAdded = wall.seconds(kernel.now);
    const added = add.map((kind): Taint => ({ ...kind, value: '', timeAdded }));
    const isDone =
      (add.length === 0 || (yield* this.patch(node.meta.name, (taints) => withTaints(taints, added), ref))) &&
      (yield* this.remove(node, remove, ref));
    if (!isDone) yield errors.handle();
    return isDone;
  }

  /** Removes taints if the cached `node` has one of them; false when it failed. Source: RemoveTaintOffNode. */
  *remove(node: NodeObject, kinds: readonly TaintKind[], ref: Ref): Task<boolean> {
    if (!kinds.some((kind) => hasTaint(node, kind))) return true;
    return yield* this.patch(
      node.meta.name,
      (taints) => taints.filter((taint) => !kinds.some((kind) => matches(kind, taint))),
      ref,
    );
  }

  private *patch(name: string, change: (taints: readonly Taint[]) => readonly Taint[], ref: Ref): Task<boolean> {
    const { context, client } = this;
    for (let attempt = 1; ; attempt++) {
      const live = yield* client.get('nodes', name, name);
      if (!live) return false;
      const taints = change(live.taints);
      if (sameTaints(taints, live.taints)) return true;
      const read = live.meta.resourceVersion;
      const write = { verb: 'patch', subresource: '', name, read } as const;
      const answer = yield* writeNode(context, client, { ...write, change: (stored) => ({ ...stored, taints }) }, ref);
      if (!('error' in answer)) return true;
      if (answer.code !== 409 || attempt === ATTEMPTS) return false;
      const wait = (u: number): number => Math.floor(WAIT * (1 + JITTER * u));
      yield context.draws.number(`nodelifecycle/taintRetry/${name}`, context.kernel.now, wait) as MicrosSpan;
    }
  }
}

/** With `added`, each in the place of the one of its kind (taintutils.AddOrUpdateTaint). */
function withTaints(taints: readonly Taint[], added: readonly Taint[]): readonly Taint[] {
  const replaced = taints.map((taint) => added.find((one) => matches(one, taint)) ?? taint);
  return [...replaced, ...added.filter((one) => !taints.some((taint) => matches(one, taint)))];
}

const sameTaints = (a: readonly Taint[], b: readonly Taint[]): boolean =>
  a.length === b.length &&
  a.every((one, place) => {
    const other = b[place] as Taint;
    return matches(one, other) && one.value === other.value && one.timeAdded === other.timeAdded;
  });
