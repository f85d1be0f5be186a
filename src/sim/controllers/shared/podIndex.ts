import type { ApiPod } from '../../api/apiPod.ts';
import type { Informer } from '../../api/informer.ts';
import { type Labels, selects } from '../../api/objects.ts';
import { labelBuckets } from './labelBuckets.ts';

/** A Pod as its newest version. */
interface Cell {
  pod: ApiPod;
}

/** The Pods of a cache by each of their labels: a selector looks only at those that have its rarest one. */
export class PodIndex {
  private readonly cells = new Map<string, Cell>();
  private readonly buckets = new Map<string, Set<Cell>>();

  /** Make it before any handler that asks it: handlers run in the order in which they came. */
  constructor(pods: Informer<'pods'>) {
    pods.onEvent(({ key, old, now }) => {
      const known = this.cells.get(key);
      if (known && now) known.pod = now;
      const cell = known ?? (now && { pod: now });
      if (!cell || old?.labels === now?.labels) return;
      if (now) this.cells.set(key, cell);
      else this.cells.delete(key);
      for (const bucket of old ? bucketsOf(old) : []) this.buckets.get(bucket)?.delete(cell);
      for (const bucket of now ? bucketsOf(now) : []) this.add(bucket, cell);
    });
  }

  /** The Pods of `namespace` that `selector` matches; all of them if it is empty. */
  matching(namespace: string, selector: Labels): readonly ApiPod[] {
    const pairs = Object.entries(selector);
    const matching: ApiPod[] = [];
    for (const { pod } of this.rarest(namespace, pairs)) {
      if (pairs.length <= 1 || selects(selector, pod.labels)) matching.push(pod);
    }
    return matching;
  }

  private rarest(namespace: string, pairs: readonly (readonly [string, string])[]): ReadonlySet<Cell> {
    if (pairs.length === 0) return this.buckets.get(`${namespace}/`) ?? NONE;
    let rarest: ReadonlySet<Cell> | null = null;
    for (const [label, value] of pairs) {
      const bucket = this.buckets.get(`${namespace}/${label}=${value}`) ?? NONE;
      if (!rarest || bucket.size < rarest.size) rarest = bucket;
    }
    return rarest ?? NONE;
  }

  private add(bucket: string, cell: Cell): void {
    const cells = this.buckets.get(bucket);
    if (cells) cells.add(cell);
    else this.buckets.set(bucket, new Set([cell]));
  }
}

const NONE: ReadonlySet<Cell> = new Set();

const bucketsOf = ({ input, labels }: ApiPod): readonly string[] => labelBuckets(input.namespace, labels);
