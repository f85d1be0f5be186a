import type { Endpoint, EndpointSliceObject } from '../../api/objects.ts';
import { type Hints, withHints, withoutHints } from './hints.ts';
import type { SliceChanges } from './slices.ts';

/** Share of the nodes' CPU by zone. */
export type ZoneRatios = ReadonlyMap<string, number>;

/** How many ready endpoints a zone is to have: at least, at most, and by its share. */
interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}
type Allocations = ReadonlyMap<string, Allocation>;

/** How far one endpoint may be overloaded, in proportion. */
const OVERLOAD_THRESHOLD = 0.2;
const minimumOf = (desired: number): number => Math.ceil(desired * (1 / (1 + OVERLOAD_THRESHOLD)));

/** Texts of events and log lines (topologycache/event.go). */
export const TOPOLOGY_TEXT = {
  noZone: 'One or more endpoints do not have a zone specified',
  enabled: 'Topology Aware Hints has been enabled',
  disabled: 'Topology Aware Hints has been disabled',
  nodeInfo: 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
  tooFew: 'Insufficient number of endpoints',
  overloaded: 'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold',
} as const;

/** What is written with hints, and how many endpoints each zone has; or without any, and why. */
export interface Hinted {
  readonly changes: SliceChanges;
  readonly byZone: ReadonlyMap<string, number>;
  /** '' when there are hints; with a problem `byZone` means nothing. */
  readonly problem: string;
}

/**
 * Hints of topology mode Auto for the slices of one address type (C-232). `ratios` null: the nodes do not say enough.
 * Where Go takes zones in the random order of a map, they come in the order of `ratios`.
 * Source: k8s.io/endpointslice topologycache/topologycache.go, AddHints.
 */
export function topologyHints(
  ratios: ZoneRatios | null,
  changes: SliceChanges,
  unchanged: readonly EndpointSliceObject[],
): Hinted {
  const ready = readyIn([...changes.toCreate, ...changes.toUpdate, ...unchanged]);
  const allocations = allocate(ratios, ready.length);
  const byZone = new Map<string, number>();
  if (typeof allocations === 'string')
    return { changes: withoutHints(changes, unchanged), byZone, problem: allocations };
  const outdated = unchanged.filter((slice) => !countHints(slice, byZone, allocations));
  const toUpdate = [...changes.toUpdate, ...outdated];
  const written = readyIn([...changes.toCreate, ...toUpdate]);
  if (written.some(({ zone }) => !zone)) {
    // Slices whose hints were found outdated are written all the same.
    const current = unchanged.filter((slice) => !outdated.includes(slice));
    return { changes: withoutHints({ ...changes, toUpdate }, current), byZone, problem: TOPOLOGY_TEXT.noZone };
  }
  for (const { zone } of written) add(byZone, zone as string, 1);
  const moved = redistribute(written, surplusAndDeficit(allocations, byZone));
  for (const [{ zone }, to] of moved) {
    add(byZone, zone as string, -1);
    add(byZone, to, 1);
  }
  const hintsOf = (endpoint: Endpoint): Hints =>
    endpoint.ready ? { zones: [moved.get(endpoint) ?? (endpoint.zone as string)], nodes: [] } : endpoint.hints;
  const hint = (slice: EndpointSliceObject): EndpointSliceObject => withHints(slice, hintsOf);
  const hinted = { ...changes, toCreate: changes.toCreate.map(hint), toUpdate: toUpdate.map(hint) };
  return { changes: hinted, byZone, problem: '' };
}

/** Whether a zone has fewer endpoints of a Service than it must. Source: topologycache/utils.go, serviceOverloaded. */
export function isOverloaded(byZone: ReadonlyMap<string, number>, ratios: ZoneRatios | null): boolean {
  if (byZone.size === 0) return false;
  if (!ratios) return true;
  const total = [...byZone.values()].reduce((sum, count) => sum + count, 0);
  return [...ratios].some(([zone, ratio]) => {
    const count = byZone.get(zone);
    return count === undefined || count < minimumOf(total * ratio);
  });
}

const readyIn = (slices: readonly EndpointSliceObject[]): readonly Endpoint[] =>
  slices.flatMap(({ endpoints }) => endpoints.filter(({ ready }) => ready === true));

/** Allocations by zone, or why there can be none. Source: topologycache.go, getAllocations. */
function allocate(ratios: ZoneRatios | null, endpoints: number): Allocations | string {
  if (!ratios) return TOPOLOGY_TEXT.nodeInfo;
  const figures = `(${endpoints} endpoints, ${ratios.size} zones)`;
  if (ratios.size > endpoints) return `${TOPOLOGY_TEXT.tooFew} ${figures}`;
  const zones = [...ratios].map(([zone, ratio]) => ({
    zone,
    desired: ratio * endpoints,
    minimum: minimumOf(ratio * endpoints),
  }));
  const spare = endpoints - zones.reduce((sum, { minimum }) => sum + minimum, 0);
  if (spare < 0) return `${TOPOLOGY_TEXT.overloaded} ${figures}`;
  return new Map(
    zones.map(({ zone, desired, minimum }) => [
      zone,
      { minimum, maximum: minimum + spare, desired: Math.max(desired, minimum) },
    ]),
  );
}

/**
 * Adds the hints of an unchanged slice to `byZone`; false, with nothing added, when they cannot stay: one is missing, is
 * for a zone that gets none, or gives a zone more than its maximum.
 * Source: topologycache/utils.go, getHintsByZone; sliceinfo.go, getAllocatedHintsByZone.
 */
function countHints(slice: EndpointSliceObject, byZone: Map<string, number>, allocations: Allocations): boolean {
  const counted = new Map<string, number>();
  for (const { hints } of readyIn([slice])) {
    if (!hints || hints.zones.length === 0) return false;
    for (const zone of hints.zones) add(counted, zone, 1);
  }
  const fits = [...counted].every(
    ([zone, count]) => count + (byZone.get(zone) ?? 0) <= (allocations.get(zone)?.maximum ?? -1),
  );
  if (fits) for (const [zone, count] of counted) add(byZone, zone, count);
  return fits;
}

/** Whole endpoints that zones have to give and to receive. */
interface Transfers {
  readonly giving: Map<string, number>;
  readonly receiving: Map<string, number>;
}

/** Source: topologycache/utils.go, getGivingAndReceivingZones. */
function surplusAndDeficit(allocations: Allocations, byZone: ReadonlyMap<string, number>): Transfers {
  const surplus = new Map<string, number>();
  const deficit = new Map<string, number>();
  for (const [zone, { desired }] of allocations) {
    const difference = (byZone.get(zone) ?? 0) - desired;
    if (difference > 0) surplus.set(zone, difference);
    else if (difference < 0) deficit.set(zone, -difference);
  }
  const transfers: Transfers = { giving: new Map(), receiving: new Map() };
  for (;;) {
    const [from, give] = most(surplus);
    const [to, take] = most(deficit);
    if ((give < 1 && take < 1) || give < 0.5 || take < 0.5) return transfers;
    add(transfers.giving, from, 1);
    add(surplus, from, -1);
    add(transfers.receiving, to, 1);
    add(deficit, to, -1);
  }
}

/** The zone with the most, and how much; 0 when none is above 0. */
function most(zones: ReadonlyMap<string, number>): readonly [string, number] {
  let best: readonly [string, number] = ['', 0];
  for (const entry of zones) if (entry[1] > best[1]) best = entry;
  return best;
}

/** Endpoints that are for another zone than their own. Source: topologycache/utils.go, redistributeHints. */
function redistribute(endpoints: readonly Endpoint[], { giving, receiving }: Transfers): ReadonlyMap<Endpoint, string> {
  const moved = new Map<Endpoint, string>();
  for (const endpoint of endpoints) {
    const to = [...receiving].find(([, count]) => count > 0)?.[0];
    if (to === undefined) break;
    if ((giving.get(endpoint.zone ?? '') ?? 0) <= 0) continue;
    moved.set(endpoint, to);
    add(giving, endpoint.zone as string, -1);
    add(receiving, to, -1);
  }
  return moved;
}

const add = (counts: Map<string, number>, zone: string, count: number): void => {
  counts.set(zone, (counts.get(zone) ?? 0) + count);
};
