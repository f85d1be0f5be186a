import { sameData } from '../../../base/equal.ts';
import { canonicalIp } from '../../../base/ipAddress.ts';
import {
  ANNOTATION,
  type Endpoint,
  type EndpointAddress,
  type EndpointPort,
  type EndpointSliceObject,
  type EndpointsObject,
  familyOf,
  type IpFamily,
  LABEL,
  type Labels,
  MANAGED_BY,
} from '../../api/objects.ts';
import { repackSubsets } from '../endpoints/repack.ts';
import { identityOf, isEqualBeyondIdentity } from '../shared/endpointIdentity.ts';
import { portMapKey, sortedSlicePorts } from '../shared/portHash.ts';

/** Slices to write so that they mirror an Endpoints object; `skipped` addresses were too many. */
export interface MirrorPlan {
  readonly toCreate: readonly EndpointSliceObject[];
  readonly toUpdate: readonly EndpointSliceObject[];
  readonly toDelete: readonly EndpointSliceObject[];
  readonly skipped: number;
}

/** What one slice is to hold: the addresses of one family behind one set of ports. */
interface Desired {
  readonly family: IpFamily;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

/**
 * One slice for each subset and address family (C-260).
 * Source: pkg/controller/endpointslicemirroring/reconciler.go reconcile, reconcileByPortMapping.
 */
export function planMirror(
  endpoints: EndpointsObject,
  existing: readonly EndpointSliceObject[],
  maxPerSubset: number,
): MirrorPlan {
  const { desired, skipped } = desiredSlices(endpoints, maxPerSubset);
  const toCreate: EndpointSliceObject[] = [];
  const toUpdate: EndpointSliceObject[] = [];
  const toDelete = existing.filter((slice) => !desired.has(keyOfSlice(slice)));
  for (const [key, wanted] of desired) {
    const [first, ...others] = existing.filter((slice) => keyOfSlice(slice) === key);
    toDelete.push(...others);
    if (wanted.endpoints.size === 0) {
      if (first) toDelete.push(first);
    } else if (!first) toCreate.push(makeSlice(endpoints, wanted, ''));
    else if (!isRight(first, wanted, endpoints)) toUpdate.push(makeSlice(endpoints, wanted, first.meta.name));
  }
  return recycle({ toCreate, toUpdate, toDelete, skipped });
}

function desiredSlices(
  endpoints: EndpointsObject,
  maxPerSubset: number,
): { readonly desired: ReadonlyMap<string, Desired>; readonly skipped: number } {
  const desired = new Map<string, Desired>();
  let skipped = 0;
  for (const { addresses, notReadyAddresses, ports } of repackSubsets(endpoints.subsets)) {
    const sorted = sortedSlicePorts(ports);
    const holders = { IPv4: holderOf(desired, 'IPv4', sorted), IPv6: holderOf(desired, 'IPv6', sorted) };
    const all = [
      ...addresses.map((address) => endpointOf(address, true)),
      ...notReadyAddresses.map((address) => endpointOf(address, false)),
    ];
    for (const endpoint of all.slice(0, maxPerSubset))
      holders[familyOf(endpoint.addresses[0] ?? '')].endpoints.set(identityOf(endpoint), endpoint);
    skipped += Math.max(0, all.length - maxPerSubset);
  }
  return { desired, skipped };
}

function holderOf(desired: Map<string, Desired>, family: IpFamily, ports: readonly EndpointPort[]): Desired {
  const key = `${family}:${portMapKey(ports)}`;
  const known = desired.get(key);
  if (known) return known;
  const made = { family, ports, endpoints: new Map() };
  desired.set(key, made);
  return made;
}

const keyOfSlice = ({ addressType, ports }: EndpointSliceObject): string =>
  `${addressType}:${portMapKey(sortedSlicePorts(ports))}`;

/** Only `ready` is set. Source: utils.go addressToEndpoint. */
const endpointOf = ({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint => ({
  addresses: [canonicalIp(ip)],
  ready,
  serving: null,
  terminating: null,
  hostname,
  nodeName,
  zone: null,
  hints: null,
  targetRef,
});

/** Whether a slice needs no write. */
function isRight({ meta, endpoints }: EndpointSliceObject, wanted: Desired, source: EndpointsObject): boolean {
  const { [LABEL.serviceName]: _service, [LABEL.sliceManagedBy]: _managedBy, ...labels } = meta.labels;
  return (
    endpoints.length === wanted.endpoints.size &&
    endpoints.every((endpoint) => {
      const desired = wanted.endpoints.get(identityOf(endpoint));
      return desired !== undefined && isEqualBeyondIdentity(desired, endpoint);
    }) &&
    sameData(labels, source.meta.labels) &&
    sameData(meta.annotations, mirroredAnnotations(source))
  );
}

/** All of them but the trigger time, and what `kubectl apply` keeps. */
function mirroredAnnotations({ meta }: EndpointsObject): Labels {
  const { [ANNOTATION.triggerTime]: _time, [ANNOTATION.lastApplied]: _applied, ...rest } = meta.annotations;
  return rest;
}

/** Source: utils.go newEndpointSlice. */
function makeSlice(source: EndpointsObject, { family, ports, endpoints }: Desired, name: string): EndpointSliceObject {
  const { meta } = source;
  return {
    meta: {
      namespace: meta.namespace,
      name,
      generateName: `${meta.name}-`,
      uid: '',
      resourceVersion: 0,
      generation: 0,
      labels: {
        ...meta.labels,
        [LABEL.serviceName]: meta.name,
        [LABEL.sliceManagedBy]: MANAGED_BY.mirroringController,
      },
      annotations: mirroredAnnotations(source),
      creationTimestamp: 0,
      deletionTimestamp: null,
      ownerUid: meta.uid,
      ownerName: '',
    },
    addressType: family,
    ports,
    endpoints: [...endpoints.values()],
  };
}

/**
 * Turns creates into updates of slices of the same address type that would be deleted. As upstream, what leaves the list
 * of creates is found by its name, and they have none yet: of two address types the wrong one may go.
 * Source: reconciler_helpers.go recycleSlices, removeSlice.
 */
function recycle({ toCreate, toUpdate, toDelete, skipped }: MirrorPlan): MirrorPlan {
  const creates = [...toCreate];
  const updates = [...toUpdate];
  let deletes = toDelete;
  for (const family of new Set(toCreate.map(({ addressType }) => addressType))) {
    const unwanted = toDelete.filter(({ addressType }) => addressType === family);
    const wanted = toCreate.filter(({ addressType }) => addressType === family);
    wanted.slice(0, unwanted.length).forEach((slice, place) => {
      const { name } = (unwanted[place] as EndpointSliceObject).meta;
      const renamed = { ...slice, meta: { ...slice.meta, name } };
      creates.splice(
        creates.findIndex(({ meta }) => meta.name === ''),
        1,
      );
      const kept = creates.indexOf(slice);
      if (kept >= 0) creates[kept] = renamed;
      updates.push(renamed);
      deletes = deletes.filter(({ meta }) => meta.name !== name);
    });
  }
  return { toCreate: creates, toUpdate: updates, toDelete: deletes, skipped };
}
