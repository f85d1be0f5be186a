import { describe, expect, it } from 'vitest';
import { EPOCH_SECONDS, endpointPort, service } from '../../../test/support/cluster.ts';
import { endpoint, slice } from '../../../test/support/slices.ts';
import { ANNOTATION, type EndpointSliceObject, LABEL } from '../api/objects.ts';
import { EndpointSliceCache } from './endpointSliceCache.ts';

const web = service('web');
const one = slice(web, 's', [endpoint('a')]);
const two = slice(web, 's', [endpoint('b')]);
/** Equal to `one` but for its metadata: another version. */
const same: EndpointSliceObject = { ...one, meta: { ...one.meta, resourceVersion: 8 } };

describe('what is a change', () => {
  it.each<[string, readonly (readonly [EndpointSliceObject, boolean, boolean])[]]>([
    ['a new slice', [[one, false, true]]],
    [
      'the same version once more',
      [
        [one, false, true],
        [one, false, false],
      ],
    ],
    [
      'another version, even if only metadata differ',
      [
        [one, false, true],
        [same, false, true],
      ],
    ],
    [
      'a change and back to what is in force',
      [
        [one, false, true],
        [two, false, true],
        [one, false, true],
      ],
    ],
    ['an unknown slice that is gone', [[one, true, false]]],
    [
      'a known one',
      [
        [one, false, true],
        [one, true, true],
      ],
    ],
    [
      'it comes again',
      [
        [one, false, true],
        [one, true, true],
        [two, false, true],
      ],
    ],
  ])('%s', (_, events) => {
    const cache = new EndpointSliceCache(0);
    for (const [object, isRemoved, expected] of events) expect(cache.update(object, isRemoved)).toBe(expected);
  });

  it('a resync of what is in force is none', () => {
    const cache = new EndpointSliceCache(0);
    cache.update(one, false);
    cache.checkout();
    expect(cache.update(one, false)).toBe(false);
  });

  it('a slice that names no Service is not taken', () => {
    const { [LABEL.serviceName]: _gone, ...labels } = one.meta.labels;
    expect(new EndpointSliceCache(0).update({ ...one, meta: { ...one.meta, labels } }, false)).toBe(false);
  });
});

it('a checkout yields the Services that changed, with all their slices', () => {
  const cache = new EndpointSliceCache(0);
  cache.update(one, false);
  cache.update(slice(service('db'), 'd', [endpoint('d')]), false);
  cache.checkout();
  cache.update(slice(web, 't', [endpoint('c')]), false);
  const { endpoints } = cache.checkout();
  expect([...endpoints].map(([key, ports]) => [key, ports.get('/TCP')?.length])).toEqual([['default/web', 2]]);
  cache.update(one, true);
  cache.update(slice(web, 't', [endpoint('c')]), true);
  expect([...cache.checkout().endpoints].map(([key, ports]) => [key, ports.size])).toEqual([['default/web', 0]]);
});

it('endpoints of a UDP port that come or go are a change of UDP', () => {
  const udp = { ...one, ports: [endpointPort('dns', 53, { protocol: 'UDP' })] };
  const cache = new EndpointSliceCache(0);
  cache.update(slice(service('db'), 'd', [endpoint('d')]), false);
  expect(cache.checkout().hasUdpChange).toBe(false);
  cache.update(udp, false);
  expect(cache.checkout().hasUdpChange).toBe(true);
  cache.update(udp, true);
  expect(cache.checkout().hasUdpChange).toBe(true);
});

describe('trigger times', () => {
  const triggered = (time: string): EndpointSliceObject => ({
    ...one,
    meta: { ...one.meta, annotations: { [ANNOTATION.triggerTime]: time } },
  });
  const started = EPOCH_SECONDS * 1_000_000;
  const times = (cache: EndpointSliceCache): readonly unknown[] => [...cache.checkout().triggerTimes];

  it('those after the start of the proxy, in order of arrival', () => {
    const cache = new EndpointSliceCache(started);
    cache.update(triggered('2026-01-01T00:00:05Z'), false);
    cache.update(triggered('2026-01-01T00:00:03Z'), false);
    cache.update(triggered('2026-01-01T00:00:00Z'), false);
    expect(times(cache)).toEqual([['default/web', [started + 5_000_000, started + 3_000_000]]]);
    expect(times(cache)).toEqual([]);
  });

  it('a removal forgets them', () => {
    const cache = new EndpointSliceCache(started);
    cache.update(triggered('2026-01-01T00:00:05Z'), false);
    cache.update(triggered('2026-01-01T00:00:05Z'), true);
    expect(times(cache)).toEqual([]);
  });
});
