import type { Informer } from '../../api/informer.ts';
import { type Labels, type ServiceObject, selects } from '../../api/objects.ts';
import { labelBuckets } from './labelBuckets.ts';

/**
 * The Services of a cache by what they select: a Pod's labels lead to few of them. Each Service stands in one bucket,
 * that of its selector's first label; with an empty selector, in its namespace's own (C-112).
 */
export class ServiceIndex {
  private readonly services: Informer<'services'>;
  private readonly buckets = new Map<string, Set<string>>();

  /** Make it before any handler that asks it: handlers run in the order in which they came. */
  constructor(services: Informer<'services'>) {
    this.services = services;
    services.onEvent(({ key, old, now }) => {
      const before = old && bucketOf(old);
      const after = now && bucketOf(now);
      if (before === after) return;
      if (before !== null) this.buckets.get(before)?.delete(key);
      if (after !== null) this.add(after, key);
    });
  }

  /** Keys of the Services of `namespace` whose selectors match a Pod with these labels. */
  selecting(namespace: string, labels: Labels): Set<string> {
    const found = new Set<string>();
    for (const bucket of labelBuckets(namespace, labels)) this.collect(bucket, labels, found);
    return found;
  }

  private add(bucket: string, key: string): void {
    const keys = this.buckets.get(bucket);
    if (keys) keys.add(key);
    else this.buckets.set(bucket, new Set([key]));
  }

  private collect(bucket: string, labels: Labels, found: Set<string>): void {
    for (const key of this.buckets.get(bucket) ?? []) {
      const selector = this.services.get(key)?.spec.selector;
      if (selector && selects(selector, labels)) found.add(key);
    }
  }
}

/** Null: without a selector a Service selects nothing. */
function bucketOf({ meta, spec }: ServiceObject): string | null {
  if (!spec.selector) return null;
  const [first] = Object.entries(spec.selector);
  return first ? `${meta.namespace}/${first[0]}=${first[1]}` : `${meta.namespace}/`;
}
