import { ANNOTATION, type Endpoint, type EndpointSliceObject, type ServiceObject } from '../../api/objects.ts';
import type { SliceChanges } from './slices.ts';

export type Hints = Endpoint['hints'];

/** Topology mode counts from here on: beta in 1.23, and off by default there (KEP-2433). */
export const TOPOLOGY_HINTS_SINCE = 24;

/** Whether the Service asks for topology mode Auto; the older annotation wins (C-230). Source: utils.go, hintsEnabled. */
export function hasTopologyModeAuto({ meta }: ServiceObject): boolean {
  const value = meta.annotations[ANNOTATION.topologyAwareHints] ?? meta.annotations[ANNOTATION.topologyMode];
  return value === 'Auto' || value === 'auto';
}

/** trafficDistribution counts from here on, off by default in 1.30 (KEP-4444); PreferSameZone and PreferSameNode later (KEP-3015). */
const TRAFFIC_DISTRIBUTION_SINCE = 31;
const PREFER_SAME_SINCE = 34;

/** Whether hints follow the Service's trafficDistribution (C-230). Source: reconciler.go, validTrafficDistribution. */
export function usesTrafficDistribution({ spec }: ServiceObject, minor: number): boolean {
  if (spec.trafficDistribution === '') return false;
  return minor >= (spec.trafficDistribution === 'PreferClose' ? TRAFFIC_DISTRIBUTION_SINCE : PREFER_SAME_SINCE);
}

/** The slice with the hints that `hintsOf` gives to each endpoint. */
export const withHints = (slice: EndpointSliceObject, hintsOf: (endpoint: Endpoint) => Hints): EndpointSliceObject => ({
  ...slice,
  endpoints: slice.endpoints.map((endpoint) => {
    const hints = hintsOf(endpoint);
    return hints === endpoint.hints ? endpoint : { ...endpoint, hints };
  }),
});

/**
 * Takes all hints away: from what is written anyway, and from unchanged slices that have some (C-230).
 * Source: topologycache/utils.go, RemoveHintsFromSlices.
 */
export function withoutHints(changes: SliceChanges, unchanged: readonly EndpointSliceObject[]): SliceChanges {
  const hinted = unchanged.filter(({ endpoints }) => endpoints.some(({ hints }) => hints !== null));
  const strip = (slice: EndpointSliceObject): EndpointSliceObject => withHints(slice, () => null);
  return {
    toCreate: changes.toCreate.map(strip),
    toUpdate: [...changes.toUpdate, ...hinted].map(strip),
    toDelete: changes.toDelete,
  };
}

/**
 * Hints for trafficDistribution: a ready endpoint is for its own zone, with PreferSameNode also for its own node; one
 * that is not ready keeps what it has (C-231). Source: trafficdist/trafficdist.go, ReconcileHints.
 */
export function withTrafficDistribution(
  service: ServiceObject,
  changes: SliceChanges,
  unchanged: readonly EndpointSliceObject[],
): SliceChanges {
  const hasNodeHints = service.spec.trafficDistribution === 'PreferSameNode';
  const hintsOf = (endpoint: Endpoint): Hints => {
    if (endpoint.ready !== true) return endpoint.hints;
    const zones = endpoint.zone === null ? [] : [endpoint.zone];
    const nodes = hasNodeHints && endpoint.nodeName !== null ? [endpoint.nodeName] : [];
    return zones.length + nodes.length > 0 ? { zones, nodes } : null;
  };
  const isWrong = (endpoint: Endpoint): boolean => !sameHints(endpoint.hints, hintsOf(endpoint));
  const wrong = unchanged.filter(({ endpoints }) => endpoints.some(isWrong));
  const correct = (slice: EndpointSliceObject): EndpointSliceObject => withHints(slice, hintsOf);
  return {
    toCreate: changes.toCreate.map(correct),
    toUpdate: [...changes.toUpdate, ...wrong].map(correct),
    toDelete: changes.toDelete,
  };
}

const sameHints = (a: Hints, b: Hints): boolean =>
  sameNames(a?.zones ?? [], b?.zones ?? []) && sameNames(a?.nodes ?? [], b?.nodes ?? []);
const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);
