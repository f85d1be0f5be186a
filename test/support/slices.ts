/** Slices and endpoints for tests, by one-letter names of Pods. */
import type { Endpoint, EndpointSliceObject, IpFamily, ServiceObject } from '../../src/sim/api/objects.ts';
import { newSlice } from '../../src/sim/controllers/endpointslice/slices.ts';
import { endpointPort } from './cluster.ts';

/** A ready endpoint of the Pod `name`. */
export const endpoint = (name: string, over: Partial<Endpoint> = {}): Endpoint => ({
  addresses: [`10.0.0.${name.charCodeAt(0)}`],
  ready: true,
  serving: true,
  terminating: false,
  hostname: '',
  nodeName: 'node-a',
  zone: null,
  hints: null,
  targetRef: { namespace: 'default', name, uid: `uid-${name}` },
  ...over,
});

/** An endpoint for each letter. */
export const endpointsNamed = (letters: string): readonly Endpoint[] => [...letters].map((name) => endpoint(name));

/** The letters of a slice's endpoints. */
export const namesIn = ({ endpoints }: EndpointSliceObject): string =>
  endpoints.map(({ targetRef }) => targetRef?.name).join('');

/** A stored slice of `service` with port 8080. */
export function slice(
  service: ServiceObject,
  name: string,
  endpoints: readonly Endpoint[],
  family: IpFamily = 'IPv4',
): EndpointSliceObject {
  const made = newSlice(service, family, [endpointPort('', 8080)]);
  return { ...made, endpoints, meta: { ...made.meta, name, uid: `uid-${name}`, generation: 1, resourceVersion: 7 } };
}
