import type { Labels } from '../../api/objects.ts';

/** Names of the buckets that an object with these labels of a namespace stands in: the namespace's own, and one for each label. */
export function labelBuckets(namespace: string, labels: Labels): readonly string[] {
  const known = lastOf.get(labels);
  if (known?.namespace === namespace) return known.buckets;
  const own = Object.entries(labels).map(([label, value]) => `${namespace}/${label}=${value}`);
  const buckets = [`${namespace}/`, ...own];
  lastOf.set(labels, { namespace, buckets });
  return buckets;
}

/** Labels do not change, and are asked about at each change of their object. */
const lastOf = new WeakMap<Labels, { readonly namespace: string; readonly buckets: readonly string[] }>();
