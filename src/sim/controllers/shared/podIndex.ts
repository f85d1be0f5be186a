import type { ApiPod } from '../../api/apiPod.ts';
import type { Informer } from '../../api/informer.ts';
import { type Labels, selects } from '../../api/objects.ts';

/** The Pods of a cache by each of their labels: a selector looks only at those that have its rarest one. */
export class PodIndex {
  private readonly pods: Informer<'pods'>;
  private readonly buckets = new Map<string, Set<string>>();

  /** Make it before any handler that asks it: handlers run in the order in which they came. */
  constructor(pods: Informer<'pods'>) {
    this.pods = pods;
    pods.onEvent(({ key, old, now }) => {
      if (old?.labels === now?.labels) return;
      for (const bucket of old ? bucketsOf(old) : []) this.buckets.get(bucket)?.delete(key);
      for (const bucket of now ? bucketsOf(now) : []) this.add(bucket, key);
    });
  }

  /** The Pods of `namespace` that `selector` matches; all of them if it is empty. */
  matching(namespace: string, selector: Labels): readonly ApiPod[] {
    const pairs = Object.entries(selector);
    const matching: ApiPod[] = [];
    for (const key of this.rarest(namespace, pairs)) {
      const pod = this.pods.get(key);
      if (pod && (pairs.length <= 1 || selects(selector, pod.labels))) matching.push(pod);
    }
    return matching;
  }

  private rarest(namespace: string, pairs: readonly (readonly [string, string])[]): ReadonlySet<string> {
    if (pairs.length === 0) return this.buckets.get(`${namespace}/`) ?? NONE;
    let rarest: ReadonlySet<string> | null = null;
    for (const [label, value] of pairs) {
      const bucket = this.buckets.get(`${namespace}/${label}=${value}`) ?? NONE;
      if (!rarest || bucket.size < rarest.size) rarest = bucket;
    }
    return rarest ?? NONE;
  }

  private add(bucket: string, key: string): void {
    const keys = this.buckets.get(bucket);
    if (keys) keys.add(key);
    else this.buckets.set(bucket, new Set([key]));
  }
}

const NONE: ReadonlySet<string> = new Set();

function bucketsOf({ input, labels }: ApiPod): readonly string[] {
  const own = Object.entries(labels).map(([label, value]) => `${input.namespace}/${label}=${value}`);
  return [`${input.namespace}/`, ...own];
}
