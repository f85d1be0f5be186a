import type { Endpoint, EndpointSliceObject, ServiceObject } from '../../api/objects.ts';
import { identityOf, isEqualBeyondIdentity } from '../shared/endpointIdentity.ts';
import { labelsDiffer, type SliceChanges, sliceLabels } from './slices.ts';

interface Packing {
  readonly service: ServiceObject;
  /** Slices with one set of ports, owned by the Service. */
  readonly existing: readonly EndpointSliceObject[];
  /** What the slices are to hold, by `identityOf`. It is used up. */
  readonly desired: Map<string, Endpoint>;
  /** `--max-endpoints-per-slice`. */
  readonly max: number;
  readonly makeSlice: () => EndpointSliceObject;
}

/**
 * Puts the endpoints of one set of ports into slices (C-221): keeps what is wanted where it is, fills the slices that
 * are changed anyway, then one more slice that has room for all the rest, else new ones. Slices are never compacted.
 * Go fills in the random order of a map; here it is the order of `desired`.
 * Source: k8s.io/endpointslice reconciler.go, reconcileByPortMapping.
 */
export function packEndpoints({ service, existing, desired: left, max, makeSlice }: Packing): SliceChanges {
  const kept = existing.map((slice) => keepDesired(slice, left, service));
  const updated = kept.filter(({ fate }) => fate === 'update').map(({ slice }) => slice);
  const unchanged = kept.filter(({ fate }) => fate === 'keep').map(({ slice }) => slice);

  const toUpdate = byFullness(updated).map((slice) => fill(slice, left, max));
  const toCreate: EndpointSliceObject[] = [];
  while (left.size > 0) {
    const fitting = left.size < max ? tightestFit(unchanged, left.size, max) : null;
    if (fitting) {
      unchanged.splice(unchanged.indexOf(fitting), 1);
      toUpdate.push(fill(fitting, left, max));
    } else toCreate.push(fill(makeSlice(), left, max));
  }
  const toDelete = kept.filter(({ fate }) => fate === 'delete').map(({ slice }) => slice);
  return { toCreate, toUpdate, toDelete };
}

interface Kept {
  readonly slice: EndpointSliceObject;
  readonly fate: 'keep' | 'update' | 'delete';
}

/** A slice with those of its endpoints that are still wanted, as they are wanted; takes them out of `left`. */
function keepDesired(slice: EndpointSliceObject, left: Map<string, Endpoint>, service: ServiceObject): Kept {
  const endpoints: Endpoint[] = [];
  let hasChanged = false;
  for (const endpoint of slice.endpoints) {
    const identity = identityOf(endpoint);
    const wanted = left.get(identity);
    if (!wanted) continue;
    endpoints.push(wanted);
    hasChanged ||= wanted !== endpoint && !isEqualBeyondIdentity(wanted, endpoint);
    left.delete(identity);
  }
  const meta = { ...slice.meta, labels: sliceLabels(service) };
  if (!hasChanged && endpoints.length === slice.endpoints.length)
    return labelsDiffer(slice, service) ? { slice: { ...slice, meta }, fate: 'update' } : { slice, fate: 'keep' };
  return endpoints.length === 0 ? { slice, fate: 'delete' } : { slice: { ...slice, meta, endpoints }, fate: 'update' };
}

const byFullness = (slices: readonly EndpointSliceObject[]): EndpointSliceObject[] =>
  slices.toSorted((a, b) => b.endpoints.length - a.endpoints.length);

/** The slice that comes closest to full when `count` endpoints are added; null when none has room for all of them. */
function tightestFit(slices: readonly EndpointSliceObject[], count: number, max: number): EndpointSliceObject | null {
  const roomy = slices.filter(({ endpoints }) => endpoints.length + count <= max);
  return byFullness(roomy)[0] ?? null;
}

/** The slice with endpoints from `left` up to `max`. */
function fill(slice: EndpointSliceObject, left: Map<string, Endpoint>, max: number): EndpointSliceObject {
  const added: Endpoint[] = [];
  for (const [identity, endpoint] of left) {
    if (slice.endpoints.length + added.length >= max) break;
    added.push(endpoint);
    left.delete(identity);
  }
  return added.length > 0 ? { ...slice, endpoints: [...slice.endpoints, ...added] } : slice;
}
