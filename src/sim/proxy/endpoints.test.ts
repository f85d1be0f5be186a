import { describe, expect, it } from 'vitest';
import { endpointPort, service } from '../../../test/support/cluster.ts';
import { endpoint, slice } from '../../../test/support/slices.ts';
import type { Endpoint, EndpointPort, EndpointSliceObject } from '../api/objects.ts';
import { endpointsOf } from './endpoints.ts';

const web = service('web');
const sliceOf = (
  name: string,
  endpoints: readonly Endpoint[],
  ports?: readonly EndpointPort[],
): EndpointSliceObject => {
  const made = slice(web, name, endpoints);
  return ports ? { ...made, ports } : made;
};
const at = (ip: string, over: Partial<Endpoint> = {}): Endpoint => endpoint('a', { addresses: [ip], ...over });

/** `port: address…`, one line a port. */
const lines = (...slices: readonly EndpointSliceObject[]): readonly string[] =>
  [...endpointsOf(slices)].map(([port, list]) => `${port}: ${list.map(({ address }) => address).join(' ')}`);

it('lists are sorted by the bytes of ip:port', () => {
  expect(lines(sliceOf('s', [at('10.0.0.2'), at('10.0.0.10'), at('10.0.0.1')]))).toEqual([
    '/TCP: 10.0.0.10:8080 10.0.0.1:8080 10.0.0.2:8080',
  ]);
});

it('slices of one port are one list; each further port has its own', () => {
  const ports = [endpointPort('http', 8080), endpointPort('dns', 53, { protocol: 'UDP' })];
  expect(lines(sliceOf('s', [at('10.0.0.1')], ports), sliceOf('t', [at('10.0.0.2')], ports.slice(0, 1)))).toEqual([
    'http/TCP: 10.0.0.1:8080 10.0.0.2:8080',
    'dns/UDP: 10.0.0.1:53',
  ]);
});

it('a port 0 and an endpoint without address are left out', () => {
  expect(lines(sliceOf('s', [at('10.0.0.1')], [endpointPort('', 0)]))).toEqual([]);
  expect(lines(sliceOf('s', [endpoint('a', { addresses: [] })]))).toEqual([]);
});

it('only the first address counts, in canonical form', () => {
  const two = at('', { addresses: ['fd00:0:0::1', 'fd00::2'] });
  expect(lines(slice(web, 's', [two], 'IPv6'))).toEqual(['/TCP: [fd00::1]:8080']);
});

it('conditions that are not set read as ready, serving, not terminating', () => {
  const [only] =
    endpointsOf([sliceOf('s', [at('10.0.0.1', { ready: null, serving: null, terminating: null })])]).get('/TCP') ?? [];
  expect(only).toMatchObject({ ready: true, serving: true, terminating: false });
});

const old = at('10.0.0.1', { ready: false, terminating: true, nodeName: 'old' });
const live = at('10.0.0.1', { nodeName: 'new' });
it.each<[string, readonly EndpointSliceObject[], string]>([
  [
    'a terminating one gives way to one that does not, whatever the order in a slice',
    [sliceOf('s', [live, old])],
    'new',
  ],
  ['and the other way round', [sliceOf('s', [old, live])], 'new'],
  ['and over two slices', [sliceOf('s', [live]), sliceOf('t', [old])], 'new'],
  ['of two that terminate the first stays', [sliceOf('s', [old]), sliceOf('t', [{ ...old, nodeName: 'late' }])], 'old'],
  [
    'of two live ones the slice with the later name wins',
    [sliceOf('t', [live]), sliceOf('s', [{ ...live, nodeName: 'early' }])],
    'new',
  ],
])('one address twice: %s', (_, slices, node) => {
  expect(
    endpointsOf(slices)
      .get('/TCP')
      ?.map((one) => one.node),
  ).toEqual([node]);
});

describe('proxies share what they make of slices', () => {
  const [one, other] = [sliceOf('s', [at('10.0.0.1')]), sliceOf('t', [at('10.0.0.2')])];
  it('the same slices come to the same object, in whatever order they came', () => {
    expect(endpointsOf([other, one])).toBe(endpointsOf([one, other]));
  });
  it('another version of one of them does not', () => {
    const later = { ...one, meta: { ...one.meta, resourceVersion: other.meta.resourceVersion } };
    expect(endpointsOf([later, other])).not.toBe(endpointsOf([one, other]));
  });
});
