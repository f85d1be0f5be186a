import { MICROS_PER_MS } from '../../../base/units.ts';
import { ANNOTATION, LABEL } from '../../../sim/api/objects.ts';
import type { RecordedObject } from './recording.ts';

/** Objects of the trace (kubectl's form) as the recordings show them. `epoch`: wall clock at t = 0, µs since 1970. */

interface Meta {
  readonly name: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
}
interface Target {
  readonly targetRef?: { readonly name: string };
  readonly hostname?: string;
  readonly nodeName?: string;
}
interface PodJson {
  readonly metadata: Meta;
  readonly spec: { readonly nodeName: string };
  readonly status: {
    readonly phase: string;
    readonly podIPs?: readonly { readonly ip: string }[];
    readonly conditions: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime: string | null;
    }[];
  };
}
interface SubsetJson {
  readonly addresses?: readonly (Target & { readonly ip: string })[];
  readonly notReadyAddresses?: readonly (Target & { readonly ip: string })[];
  readonly ports?: readonly object[];
}
interface EndpointJson extends Target {
  readonly addresses: readonly string[];
  readonly conditions: object;
  readonly zone?: string;
  readonly hints?: {
    readonly forZones?: readonly { readonly name: string }[];
    readonly forNodes?: readonly { readonly name: string }[];
  };
}
interface SliceJson {
  readonly metadata: Meta;
  readonly addressType: string;
  readonly ports: readonly object[];
  readonly endpoints: readonly EndpointJson[];
}

const micros = (time: string, epoch: number): number => Date.parse(time) * MICROS_PER_MS - epoch;

/** Fields of an `api/pod` event but for its resource version. */
export function podFields(json: unknown, epoch: number): RecordedObject {
  const { metadata, spec, status } = json as PodJson;
  const ready = status.conditions.find(({ type }) => type === 'Ready');
  const since = ready?.lastTransitionTime;
  return {
    name: metadata.name,
    labels: metadata.labels ?? null,
    node: spec.nodeName,
    phase: status.phase,
    podIPs: (status.podIPs ?? []).map(({ ip }) => ip),
    ready: ready?.status === 'True',
    ...(since && { readyTransitionUs: micros(since, epoch) }),
    ...(metadata.deletionTimestamp && { deletionTimestampUs: micros(metadata.deletionTimestamp, epoch) }),
  };
}

/** Fields of an `endpoints/object` event but for its resource version. */
export function endpointsFields(json: unknown, epoch: number): RecordedObject {
  const { metadata, subsets } = json as { readonly metadata: Meta; readonly subsets: readonly SubsetJson[] };
  const overCapacity = metadata.annotations?.[ANNOTATION.overCapacity];
  return {
    name: metadata.name,
    subsets: subsets.map(({ addresses = [], notReadyAddresses = [], ports = [] }) => ({
      ready: addresses.map(addressOf).sort(byAddress),
      notReady: notReadyAddresses.map(addressOf).sort(byAddress),
      ports,
    })),
    ...(overCapacity && { overCapacity }),
    ...described(metadata, epoch, LABEL.endpointsManagedBy),
  };
}

/** Fields of an `endpointslices/object` event but for its resource version. */
export function sliceFields(json: unknown, epoch: number): RecordedObject {
  const { metadata, addressType, ports, endpoints } = json as SliceJson;
  return {
    name: metadata.name,
    service: serviceOfSlice(json),
    generation: metadata.generation,
    addressType,
    ports,
    endpoints: endpoints.map(endpointOf).sort(byAddress),
    managedBy: '',
    ...described(metadata, epoch, LABEL.sliceManagedBy),
  };
}

/** Name of the Service that a slice belongs to. */
export const serviceOfSlice = (json: unknown): string => (json as SliceJson).metadata.labels?.[LABEL.serviceName] ?? '';

/** The trigger time, the labels but for those with fields of their own, and who manages the object. */
function described({ labels, annotations }: Meta, epoch: number, managedByLabel: string): RecordedObject {
  const { [managedByLabel]: managedBy, [LABEL.serviceName]: _service, ...others } = labels ?? {};
  const trigger = annotations?.[ANNOTATION.triggerTime];
  return {
    ...(trigger && { triggerTimeUs: micros(trigger, epoch) }),
    ...(Object.keys(others).length > 0 && { labels: others }),
    ...(managedBy && { managedBy }),
  };
}

const targetOf = ({ targetRef, nodeName, hostname }: Target): RecordedObject => ({
  ...(targetRef && { pod: targetRef.name }),
  ...(nodeName && { node: nodeName }),
  ...(hostname && { hostname }),
});
const addressOf = (address: Target & { readonly ip: string }): RecordedObject => ({
  ip: address.ip,
  ...targetOf(address),
});

function endpointOf(endpoint: EndpointJson): RecordedObject {
  const { addresses, conditions, zone, hints } = endpoint;
  const { forZones, forNodes } = hints ?? {};
  return {
    addresses,
    ...conditions,
    ...targetOf(endpoint),
    ...(zone && { zone }),
    ...(hints && {
      hints: {
        ...(forZones && { zones: forZones.map(({ name }) => name) }),
        ...(forNodes && { nodes: forNodes.map(({ name }) => name) }),
      },
    }),
  };
}

/** The order inside a slice is drawn: recordings have it by address, then Pod. */
function byAddress(a: RecordedObject, b: RecordedObject): number {
  const key = ({ ip, addresses, pod }: RecordedObject): string =>
    `${ip ?? (addresses as readonly string[])[0]} ${pod ?? ''}`;
  return compareText(key(a), key(b));
}

/** By code units, as Go compares ASCII strings. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
