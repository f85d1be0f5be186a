import type { Micros } from '../../../base/units.ts';
import type { ScriptedPod } from '../../../sim/clusterInput.ts';
import type { RecordedPodSet } from './recording.ts';
import { keyOfName, podOf } from './toObjects.ts';

/** Containers' port and start of the Pods of a set. */
const PORT = { name: 'http', containerPort: 8080, protocol: 'TCP' } as const;
const READY_SINCE = '1999-12-31T23:00:00Z';

const nameOf = ({ name }: RecordedPodSet, place: number): string => `${name}-${String(place).padStart(4, '0')}`;

/** Identity of a set's Pod by its place. */
export const setPodIdentity = (set: RecordedPodSet, place: number): string => keyOfName(nameOf(set, place));

/** A set's Pod by its place, with conditions since `since`: address and node are counted from the set's first. */
export function setPod(
  set: RecordedPodSet,
  place: number,
  isReady: boolean,
  at: Micros,
  since: string = READY_SINCE,
): ScriptedPod {
  const name = nameOf(set, place);
  const status = isReady ? 'True' : 'False';
  const conditions = (['Ready', 'ContainersReady'] as const).map((type) => ({
    type,
    status: status as 'True' | 'False',
    lastTransitionTime: since,
  }));
  return podOf(
    {
      metadata: {
        name,
        namespace: 'default',
        uid: `pod-${name}`,
        creationTimestamp: READY_SINCE,
        labels: set.labels,
        annotations: {},
      },
      spec: {
        nodeName: set.nodes[place % set.nodes.length] as string,
        hostname: '',
        subdomain: '',
        containers: [{ name: 'app', image: 'app.example/app:1', ports: [PORT] }],
      },
      status: { phase: 'Running', podIPs: [{ ip: addressAt(set.firstIP, place) }], conditions },
    },
    at,
  );
}

/** The IPv4 address `place` after `first`. */
function addressAt(first: string, place: number): string {
  const number = first.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + place;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}
