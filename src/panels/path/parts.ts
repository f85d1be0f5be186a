/** Parts of a hop that is nearly the whole path, and what the path says beside its hops. */
import type { Micros } from '../../base/units.ts';
import type { Budget, Hop } from '../../explain/hops.ts';
import type { Moment } from '../../explain/path.ts';

export interface Part {
  readonly kind: 'waitForSync' | 'writeRules';
  readonly from: Micros;
  readonly to: Micros;
}

/** A hop of so large a share is told in parts. */
const NEARLY_ALL = 0.95;

/** Of the rule sync: the wait until it begins (for the rest of minSyncPeriod, for a sync in progress), and the writing. */
export function partsOf(budget: Budget, { hop, from, to, share }: Hop): readonly Part[] {
  const start = proxyOf(budget)?.proxySyncStart?.at;
  if (hop !== 6 || share < NEARLY_ALL || to === null || start === undefined || start <= from || start >= to) return [];
  return [
    { kind: 'waitForSync', from, to: start },
    { kind: 'writeRules', from: start, to },
  ];
}

/** The last request that the node of a way out sent to the Pod; null on the way in, and where there is none. */
export const lastRequestSent = ({ direction, path, node }: Budget): Moment | null =>
  direction === 'joining' ? null : (path.leaving?.nodes.find((one) => one.node === node)?.lastRequestSent ?? null);

const proxyOf = ({ direction, path, node }: Budget): { readonly proxySyncStart: Moment | null } | undefined =>
  (direction === 'joining' ? path.joining : path.leaving)?.nodes.find((one) => one.node === node);
