import type { ApiPod } from '../../api/apiPod.ts';
import type { Endpoint, EndpointSliceObject, IpFamily, NodeObject, ServiceObject } from '../../api/objects.ts';
import { packEndpoints } from './packing.ts';
import type { PodEndpoints } from './podEndpoints.ts';
import { type PortGroup, portKeyOf } from './portGroups.ts';
import { isOwnedBy, isPlaceholder, newSlice, type SliceChanges } from './slices.ts';

/** What a plan is made from. */
interface PlanInput {
  readonly service: ServiceObject;
  /** Pods that the Service selects. */
  readonly pods: readonly ApiPod[];
  /** Slices of the Service that the controller manages, of all address types. */
  readonly slices: readonly EndpointSliceObject[];
  readonly nodeOf: (name: string) => NodeObject | undefined;
  readonly maxEndpointsPerSlice: number;
  readonly endpoints: PodEndpoints;
}

export interface AddressTypePlan {
  readonly changes: SliceChanges;
  /** Pods that are left out because their Nodes are not known (C-204). */
  readonly withoutNode: readonly ApiPod[];
  /** How often a slice was given the Service's labels: each time the controller remarks on those that it leaves out. */
  readonly labelled: number;
}

/** Endpoints that want the same ports, by identity. */
interface Desired {
  readonly group: PortGroup;
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * What is to be written so that the slices of one address type hold the Service's Pods: C-220, without hints and reuse of
 * names. Source: k8s.io/endpointslice reconciler.go, first half of reconcileByAddressType.
 */
export function planAddressType(input: PlanInput, family: IpFamily): AddressTypePlan {
  const { service, slices, maxEndpointsPerSlice } = input;
  const existing = slices.filter(({ addressType }) => addressType === family);
  const owned = existing.filter((slice) => isOwnedBy(slice, service));
  const byPorts = groupByPorts(owned);
  const { desired, withoutNode } = desiredEndpoints(input, family);

  const packed = [...desired].map(([key, { group, endpoints }]) =>
    packEndpoints({
      service,
      existing: byPorts.get(key) ?? [],
      desired: endpoints,
      max: maxEndpointsPerSlice,
      makeSlice: () => newSlice(service, family, group.ports),
    }),
  );
  const toCreate = packed.flatMap((changes) => changes.toCreate);
  const toUpdate = packed.flatMap((changes) => changes.toUpdate);
  const toDelete = [
    ...existing.filter((slice) => !isOwnedBy(slice, service)),
    ...packed.flatMap((changes) => changes.toDelete),
    ...[...byPorts].flatMap(([key, unwanted]) => (desired.has(key) ? [] : unwanted)),
  ];
  const wanted = [...byPorts].filter(([key]) => desired.has(key)).flatMap(([, group]) => group);
  const labelled = wanted.length + toCreate.length;
  if (toDelete.length < existing.length || toCreate.length > 0)
    return { changes: { toCreate, toUpdate, toDelete }, withoutNode, labelled };
  const [only, ...others] = toDelete;
  const changes =
    only && others.length === 0 && isPlaceholder(only, service)
      ? { toCreate, toUpdate, toDelete: [] }
      : { toCreate: [newSlice(service, family, [])], toUpdate, toDelete };
  return { changes, withoutNode, labelled: labelled + 1 };
}

function groupByPorts(slices: readonly EndpointSliceObject[]): ReadonlyMap<string, readonly EndpointSliceObject[]> {
  const groups = new Map<string, EndpointSliceObject[]>();
  for (const slice of slices) {
    const key = portKeyOf(slice.ports);
    const group = groups.get(key);
    if (group) group.push(slice);
    else groups.set(key, [slice]);
  }
  return groups;
}

function desiredEndpoints(
  { service, pods, nodeOf, endpoints }: PlanInput,
  family: IpFamily,
): { readonly desired: ReadonlyMap<string, Desired>; readonly withoutNode: readonly ApiPod[] } {
  const desired = new Map<string, Desired>();
  const withoutNode: ApiPod[] = [];
  let wanted: Desired | undefined;
  for (const pod of pods) {
    if (!endpoints.isListed(pod, service)) continue;
    const node = nodeOf(pod.input.node);
    const { group, endpoint, identity } = endpoints.of(service, pod, node, family);
    if (wanted?.group !== group) {
      wanted = desired.get(group.key) ?? { group, endpoints: new Map<string, Endpoint>() };
      desired.set(group.key, wanted);
    }
    if (!node && !service.spec.publishNotReadyAddresses) withoutNode.push(pod);
    else if (endpoint.addresses.length > 0) wanted.endpoints.set(identity, endpoint);
  }
  return { desired, withoutNode };
}

/**
 * Turns creates into updates of slices that would be deleted, so that their names stay: the last create first; without a
 * resource version, so unconditional (C-225). A Service that is being deleted gets no new slices.
 * Source: k8s.io/endpointslice reconciler.go, finalize.
 */
export function reuseNames({ toCreate, toUpdate, toDelete }: SliceChanges, service: ServiceObject): SliceChanges {
  const created = [...toCreate];
  const updated = [...toUpdate];
  const deleted = toDelete.filter((slice) => {
    const last = created.at(-1);
    if (!last || last.addressType !== slice.addressType || !isOwnedBy(slice, service)) return true;
    created.pop();
    updated.push({ ...last, meta: { ...last.meta, name: slice.meta.name } });
    return false;
  });
  const isGoing = service.meta.deletionTimestamp !== null;
  return { toCreate: isGoing ? [] : created, toUpdate: updated, toDelete: deleted };
}
