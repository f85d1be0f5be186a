import { ANNOTATION, type EndpointAddress, type EndpointSubset, type Labels } from '../../api/objects.ts';

/** Addresses that an Endpoints object may hold (C-135). */
const MAX_CAPACITY = 1000;

const countAll = (subsets: readonly EndpointSubset[], listOf: (subset: EndpointSubset) => readonly unknown[]): number =>
  subsets.reduce((sum, subset) => sum + listOf(subset).length, 0);
const readyOf = ({ addresses }: EndpointSubset): readonly EndpointAddress[] => addresses;
const notReadyOf = ({ notReadyAddresses }: EndpointSubset): readonly EndpointAddress[] => notReadyAddresses;

const isOver = (subsets: readonly EndpointSubset[]): boolean =>
  countAll(subsets, readyOf) + countAll(subsets, notReadyOf) > MAX_CAPACITY;

/** What the over-capacity annotation says: 1.21 only warns (PR 99975), since 1.22 addresses are left out (PR 103520). */
const noteOf = (minor: number): string => (minor >= 22 ? 'truncated' : 'warning');

/**
 * Whether an object needs no look because of its size: one that is too big never passes since 1.22.
 * Source: endpoints_controller.go capacityAnnotationSetCorrectly.
 */
export function isCapacityNoted(subsets: readonly EndpointSubset[], annotations: Labels, minor: number): boolean {
  if (minor < 21) return true;
  const note = annotations[ANNOTATION.overCapacity];
  if (isOver(subsets)) return minor < 22 && note === noteOf(minor);
  return note === undefined;
}

/** The subsets as they fit into one object, and the annotations that go with them. */
export function fitCapacity(
  subsets: readonly EndpointSubset[],
  annotations: Labels,
  minor: number,
): { readonly subsets: readonly EndpointSubset[]; readonly annotations: Labels } {
  if (minor < 21) return { subsets, annotations };
  const { [ANNOTATION.overCapacity]: _note, ...rest } = annotations;
  if (!isOver(subsets)) return { subsets, annotations: rest };
  const noted = { ...rest, [ANNOTATION.overCapacity]: noteOf(minor) };
  return { subsets: minor >= 22 ? truncate(subsets) : subsets, annotations: noted };
}

/**
 * Ready addresses come first; each subset keeps its share of what there is room for, rounded up (C-135).
 * Source: endpoints_controller.go truncateEndpoints.
 */
function truncate(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const ready = countAll(subsets, readyOf);
  if (ready > MAX_CAPACITY) {
    const kept = share(subsets, readyOf, ready, MAX_CAPACITY);
    return subsets.map((subset, place) => ({ ...subset, addresses: kept[place] ?? [], notReadyAddresses: [] }));
  }
  const kept = share(subsets, notReadyOf, countAll(subsets, notReadyOf), MAX_CAPACITY - ready);
  return subsets.map((subset, place) => ({ ...subset, notReadyAddresses: kept[place] ?? [] }));
}

function share(
  subsets: readonly EndpointSubset[],
  listOf: (subset: EndpointSubset) => readonly EndpointAddress[],
  total: number,
  room: number,
): readonly (readonly EndpointAddress[])[] {
  let left = room;
  return subsets.map((subset) => {
    const list = listOf(subset);
    const kept = list.slice(0, Math.min(left, Math.ceil((list.length / total) * room)));
    left -= kept.length;
    return kept;
  });
}
