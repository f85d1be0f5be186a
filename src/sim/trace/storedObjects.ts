/** What the API server stored of Services, Endpoints, EndpointSlices, workloads and nodes, version by version. Shapes as kubectl shows them. */
import { memoizedWeakly } from '../../base/memoized.ts';
import type { Micros } from '../../base/units.ts';
import { subjectsOfComponent } from './indexes.ts';
import type { EventRef } from './kinds.ts';
import type { TraceReader } from './reader.ts';
import type { WorkloadJsonOf } from './storedWorkloads.ts';

export interface SliceJson {
  readonly metadata: MetadataJson;
  readonly addressType: string;
  readonly ports: readonly PortJson[];
  readonly endpoints: readonly EndpointJson[];
}
export interface EndpointJson {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hints?: { readonly forZones?: readonly NamedJson[]; readonly forNodes?: readonly NamedJson[] };
  readonly targetRef?: TargetJson;
}
interface NamedJson {
  readonly name: string;
}
/** What the three conditions of an endpoint come to (C-202). */
export type EndpointState = 'ready' | 'not ready' | 'serving, terminating' | 'terminating';

/** One that is not set reads as kube-proxy reads it (P-012). */
export function endpointState({ conditions }: EndpointJson): EndpointState {
  const { ready = true, serving = ready, terminating = false } = conditions;
  if (terminating && !ready) return serving ? 'serving, terminating' : 'terminating';
  return ready ? 'ready' : 'not ready';
}

export interface EndpointsJson {
  readonly metadata: MetadataJson;
  readonly subsets: readonly SubsetJson[];
}
interface SubsetJson {
  readonly addresses?: readonly AddressJson[];
  readonly notReadyAddresses?: readonly AddressJson[];
  readonly ports?: readonly PortJson[];
}
interface AddressJson {
  readonly ip: string;
  readonly targetRef?: TargetJson;
}
interface PortJson {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
}
interface TargetJson {
  readonly name: string;
  readonly uid: string;
}
interface MetadataJson {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ServiceJson {
  readonly metadata: MetadataJson;
  readonly spec: {
    readonly type: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly ports?: readonly PortJson[];
    readonly selector?: Readonly<Record<string, string>>;
    readonly trafficDistribution?: string;
    readonly publishNotReadyAddresses?: boolean;
    readonly internalTrafficPolicy?: 'Cluster' | 'Local';
    readonly externalTrafficPolicy?: 'Cluster' | 'Local';
    readonly externalIPs?: readonly string[];
  };
}

interface JsonOf extends WorkloadJsonOf {
  readonly endpoints: EndpointsJson;
  readonly endpointslices: SliceJson;
  readonly services: ServiceJson;
}
export type ClusterResource = keyof JsonOf;

/** From `at` on the object is so; null: it is gone. */
export interface StoredVersion<R extends ClusterResource = ClusterResource> {
  readonly at: Micros;
  readonly ref: EventRef;
  /** Index of the object version; -1 for a deletion. */
  readonly version: number;
  readonly object: JsonOf[R] | null;
}

/** Keys (`namespace/name`) of all objects of a resource that were ever stored, in the order of the first commits. */
export function storedKeys(reader: TraceReader, resource: ClusterResource): readonly string[] {
  const prefix = `${resource}/`;
  return [...storeSubjects(reader).keys()].flatMap((object) =>
    object.startsWith(prefix) ? [object.slice(prefix.length)] : [],
  );
}

/** Subjects of the store, by `resource/key`. */
const storeSubjects = memoizedWeakly(
  (reader: TraceReader): ReadonlyMap<string, number> =>
    new Map(Array.from(subjectsOfComponent(reader, 'store'), (index) => [reader.subjects[index]?.object ?? '', index])),
);

/** All commits of an object in order. */
export function historyOf<R extends ClusterResource>(
  reader: TraceReader,
  resource: R,
  key: string,
): readonly StoredVersion<R>[] {
  const subject = storeSubjects(reader).get(`${resource}/${key}`);
  if (subject === undefined) return [];
  return [...reader.rowsOf(subject)].flatMap((row): StoredVersion<R>[] => {
    const event = reader.event({ row, ordinal: 0 });
    if (event.kind !== 'stored') return [];
    const { object: version } = event.payload;
    const object = version < 0 ? null : (JSON.parse(reader.versionText(version)) as JsonOf[R]);
    return [{ at: event.at, ref: event.ref, version, object }];
  });
}

/** The object at `at`; null: it is not there. */
export function objectAt<R extends ClusterResource>(
  reader: TraceReader,
  resource: R,
  key: string,
  at: Micros,
): JsonOf[R] | null {
  const subject = storeSubjects(reader).get(`${resource}/${key}`);
  if (subject === undefined) return null;
  const row = reader
    .rowsOf(subject)
    .findLast((one) => (reader.data.at[one] ?? 0) <= at && reader.kindOf(one) === 'stored');
  const version = row === undefined ? -1 : Number(reader.field(row, 'object'));
  return version < 0 ? null : (JSON.parse(reader.versionText(version)) as JsonOf[R]);
}

const SERVICE_NAME = 'kubernetes.io/service-name';
const servicesOfSlices = memoizedWeakly(
  (reader: TraceReader): ReadonlyMap<string, string> =>
    new Map(storedKeys(reader, 'endpointslices').map((key) => [key, serviceNamedBy(reader, key)])),
);

/** Key of the Service that a slice belongs to by its label; '' without one. */
export const serviceOfSlice = (reader: TraceReader, sliceKey: string): string =>
  servicesOfSlices(reader).get(sliceKey) ?? '';

/** Keys of the slices of a Service, in the order of their first commits. */
export const slicesOf = (reader: TraceReader, serviceKey: string): readonly string[] =>
  storedKeys(reader, 'endpointslices').filter((key) => serviceOfSlice(reader, key) === serviceKey);

function serviceNamedBy(reader: TraceReader, sliceKey: string): string {
  const [first] = reader.versionsOf(`api/EndpointSlice/${sliceKey}`);
  if (first === undefined) return '';
  const { metadata } = JSON.parse(reader.versionText(first.index)) as SliceJson;
  const name = metadata.labels?.[SERVICE_NAME];
  return name === undefined ? '' : `${metadata.namespace}/${name}`;
}
