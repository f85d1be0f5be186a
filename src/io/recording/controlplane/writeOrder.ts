import { micros } from '../../../base/units.ts';
import type { EndpointPort, IpFamily } from '../../../sim/api/objects.ts';
import { sliceWriteLabel, writeOrderDraw, writeOrderText } from '../../../sim/api/sliceWrites.ts';
import type { Pin, Pins } from '../../../sim/scenario.ts';
import type { ControlPlaneRecording, RecordedObject } from './recording.ts';
import { keyOfName } from './toObjects.ts';

/** The order in which syncs wrote their slices, pinned under the names of the simulator's draws. */
export function writeOrderPins({ scenario, initial, events }: ControlPlaneRecording): Pins {
  const versions: readonly SliceVersion[] = [
    ...initial.endpointslices.map((slice) => versionOf(slice, Number.NEGATIVE_INFINITY)),
    ...events.filter(({ lane, type }) => lane === 'endpointslices' && type === 'object').map(seenAt),
  ];
  const pins: Record<string, Pin[]> = {};
  for (const { t, controller, service, writes } of scenario.draws.sliceWriteOrder) {
    const labels = writes.map((write) => {
      const [verb = '', name = ''] = write.split(' ');
      return labelOf(
        verb,
        t,
        versions.filter((version) => version.name === name),
      );
    });
    const writer = controller === 'mirroring' ? 'endpointslicemirroring' : 'endpointslice';
    const draw = writeOrderDraw(writer, keyOfName(service));
    pins[draw] = [...(pins[draw] ?? []), { value: writeOrderText(labels), at: micros(t) }];
  }
  return pins;
}

/** What a slice held from `t` on. */
interface SliceVersion {
  readonly t: number;
  readonly name: unknown;
  readonly addressType: IpFamily;
  readonly ports: readonly EndpointPort[];
}
const versionOf = (slice: RecordedObject, t: number): SliceVersion => ({
  t,
  name: slice.name,
  addressType: slice.addressType as IpFamily,
  ports: ((slice.ports ?? []) as readonly Partial<EndpointPort>[]).map((port) => ({ ...NO_PORT, ...port })),
});
const NO_PORT: EndpointPort = { name: '', port: 0, protocol: 'TCP', appProtocol: null };
const seenAt = (event: RecordedObject & { readonly t: number }): SliceVersion => versionOf(event, event.t);

/** A write's label: by the version that it made, or for a deletion by the last one before it. */
function labelOf(verb: string, t: number, versions: readonly SliceVersion[]): string {
  const made = versions.find((version) => version.t > t);
  const before = versions.findLast((version) => version.t <= t);
  const version = verb === 'delete' ? before : made;
  return version ? sliceWriteLabel(verb, version) : verb;
}
