import { sameData } from '../../../base/equal.ts';
import { memoizedWeakly } from '../../../base/memoized.ts';
import {
  type EndpointPort,
  type EndpointSliceObject,
  type IpFamily,
  isHeadless,
  LABEL,
  type Labels,
  MANAGED_BY,
  type ServiceObject,
} from '../../api/objects.ts';

/** Slices of one address type that a sync is going to write. One to create has no name yet. */
export interface SliceChanges {
  readonly toCreate: readonly EndpointSliceObject[];
  readonly toUpdate: readonly EndpointSliceObject[];
  readonly toDelete: readonly EndpointSliceObject[];
}

/** Labels that belong to the controller: those of the Service are left out, and a change of them alone is no reason to write (C-226). */
const RESERVED: ReadonlySet<string> = new Set([LABEL.serviceName, LABEL.sliceManagedBy, LABEL.headless]);

const unreserved = memoizedWeakly(
  (labels: Labels): Labels => Object.fromEntries(Object.entries(labels).filter(([key]) => !RESERVED.has(key))),
);

/**
 * The address types of a Service: its IP families; if it has none, the family of its cluster IP, or both when headless
 * (C-203). Source: k8s.io/endpointslice utils.go, getAddressTypesForService.
 */
export function addressTypesOf(service: ServiceObject): readonly IpFamily[] {
  const { ipFamilies, clusterIP } = service.spec;
  if (ipFamilies.length > 0) return [...new Set(ipFamilies)];
  if (isHeadless(service)) return ['IPv4', 'IPv6'];
  return [clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
}

/** The labels of a Service's slices: its own, and the controller's (C-226). Source: utils.go, setEndpointSliceLabels. */
export const sliceLabels = memoizedWeakly(
  (service: ServiceObject): Labels => ({
    ...unreserved(service.meta.labels),
    ...(isHeadless(service) && { [LABEL.headless]: '' }),
    [LABEL.serviceName]: service.meta.name,
    [LABEL.sliceManagedBy]: MANAGED_BY.endpointSliceController,
  }),
);

/** Whether a slice lacks labels of its Service or has others; the controller's own do not count. */
export const labelsDiffer = (slice: EndpointSliceObject, service: ServiceObject): boolean =>
  !sameData(unreserved(slice.meta.labels), unreserved(service.meta.labels));

/** A slice without endpoints and name, owned by the Service. Source: utils.go, newEndpointSlice. */
export function newSlice(
  service: ServiceObject,
  addressType: IpFamily,
  ports: readonly EndpointPort[],
): EndpointSliceObject {
  const { namespace, name, uid } = service.meta;
  const meta = {
    namespace,
    name: '',
    generateName: `${name}-`,
    uid: '',
    resourceVersion: 0,
    generation: 0,
    labels: sliceLabels(service),
    annotations: {},
    creationTimestamp: 0,
    deletionTimestamp: null,
    ownerUid: uid,
    ownerName: '',
  };
  return { meta, addressType, ports, endpoints: [] };
}

export const isOwnedBy = (slice: EndpointSliceObject, service: ServiceObject): boolean =>
  slice.meta.ownerUid === service.meta.uid;

/** Whether a slice is already the one that stands for "no endpoints". Source: reconciler.go, placeholderSliceCompare. */
export const isPlaceholder = (slice: EndpointSliceObject, service: ServiceObject): boolean =>
  slice.endpoints.length === 0 && slice.ports.length === 0 && alike(slice.meta.labels, sliceLabels(service));

/** Those of `existing` that are neither updated nor deleted. */
export function unchangedOf(
  existing: readonly EndpointSliceObject[],
  { toUpdate, toDelete }: SliceChanges,
): readonly EndpointSliceObject[] {
  const changed = new Set([...toUpdate, ...toDelete].map(({ meta }) => meta.name));
  return existing.filter(({ meta }) => !changed.has(meta.name));
}

/** Labels of a Service that its slices do not take over. */
export const reservedLabels = ({ meta }: ServiceObject): readonly (readonly [string, string])[] =>
  Object.entries(meta.labels).filter(([key]) => RESERVED.has(key));

/** As `sameData`, but a label without a value is like none. */
const alike = (a: Labels, b: Labels): boolean =>
  [...Object.keys(a), ...Object.keys(b)].every((key) => (a[key] ?? '') === (b[key] ?? ''));
