import { describe, expect, it } from 'vitest';
import { service } from '../../../../test/support/cluster.ts';
import { endpoint, slice } from '../../../../test/support/slices.ts';
import type { Endpoint, EndpointSliceObject } from '../../api/objects.ts';
import type { SliceChanges } from './slices.ts';
import { isOverloaded, topologyHints } from './topologyHints.ts';

const web = service('web');
const EVEN = new Map([
  ['a', 0.5],
  ['b', 0.5],
]);
const UNEVEN = new Map([
  ['a', 0.75],
  ['b', 0.25],
]);

/** `aab` are three ready endpoints in zones a, a and b; `-` has no zone; capitals are not ready. */
const endpointsIn = (zones: string, hinted = false): readonly Endpoint[] =>
  [...zones].map((zone, i) => {
    const isReady = zone === '-' || zone === zone.toLowerCase();
    const own = zone === '-' ? null : zone.toLowerCase();
    const hints = hinted && own ? { zones: [own], nodes: [] } : null;
    return endpoint(String.fromCharCode(97 + i), { zone: own, ready: isReady, hints });
  });
const holding = (name: string, zones: string, hinted = false): EndpointSliceObject =>
  slice(web, name, endpointsIn(zones, hinted));
const updating = (...toUpdate: readonly EndpointSliceObject[]): SliceChanges => ({
  toCreate: [],
  toUpdate,
  toDelete: [],
});
/** Zones of the hints of what is updated, `.` without. */
const hintsIn = ({ toUpdate }: SliceChanges): string =>
  toUpdate.map(({ endpoints }) => endpoints.map(({ hints }) => hints?.zones.join('') ?? '.').join('')).join(' ');

describe('hints of topology mode Auto (C-232)', () => {
  it.each([
    ['each its own zone when that is even', EVEN, 'aabb', 'aabb'],
    ['a surplus goes to the zone that lacks', EVEN, 'aaab', 'baab'],
    ['shares follow the CPU of the zones', UNEVEN, 'aabb', 'aaab'],
    ['a zone without endpoints gets its share', EVEN, 'aaaa', 'bbaa'],
    ['half an endpoint is not moved', EVEN, 'aaaabbb', 'aaaabbb'],
    ['one and a half are one', EVEN, 'aaaaabb', 'baaaabb'],
    ['those that are not ready get none and do not count', EVEN, 'aAbB', 'a.b.'],
  ])('%s', (_, ratios, zones, expected) => {
    const { changes, problem } = topologyHints(ratios, updating(holding('x', zones)), []);
    expect([hintsIn(changes), problem]).toEqual([expected, '']);
  });

  it.each([
    ['the nodes do not say enough', null, 'aabb', /^Insufficient Node information/],
    ['fewer ready endpoints than zones', EVEN, 'a', /^Insufficient number of endpoints \(1 endpoints, 2 zones\)/],
    [
      'the minimum of all zones is more than there are',
      new Map([
        ['a', 1 / 3],
        ['b', 1 / 3],
        ['c', 1 / 3],
      ]),
      'aabb',
      /^Unable to allocate minimum required endpoints .* \(4 endpoints, 3 zones\)/,
    ],
    ['an endpoint without a zone', EVEN, 'aab-', /^One or more endpoints do not have a zone/],
  ])('none when %s', (_, ratios, zones, problem) => {
    const hinted = topologyHints(ratios, updating(holding('x', zones, true)), []);
    expect(hintsIn(hinted.changes)).toBe('.'.repeat(zones.length));
    expect(hinted.problem).toMatch(problem);
  });

  it('slices with hints that still fit stay as they are and count', () => {
    const { changes, byZone } = topologyHints(EVEN, updating(holding('x', 'a')), [holding('y', 'abb', true)]);
    expect(hintsIn(changes)).toBe('a');
    expect(Object.fromEntries(byZone)).toEqual({ a: 2, b: 2 });
  });

  it.each([
    ['a hint is missing', holding('y', 'bb')],
    [
      'a hint is for a zone that has none',
      slice(
        web,
        'y',
        endpointsIn('bb').map((one) => ({ ...one, hints: { zones: ['c'], nodes: [] } })),
      ),
    ],
    [
      'one zone has more than its maximum',
      slice(
        web,
        'y',
        endpointsIn('bb').map((one) => ({ ...one, hints: { zones: ['a'], nodes: [] } })),
      ),
    ],
  ])('an unchanged slice is written when %s', (_, unchanged) => {
    const { changes } = topologyHints(EVEN, updating(), [unchanged]);
    expect(changes.toUpdate.map(({ meta }) => meta.name)).toEqual(['y']);
  });

  it('a slice whose hints were outdated is written even when another one lacks a zone', () => {
    const { changes } = topologyHints(EVEN, updating(holding('x', '-')), [holding('y', 'abb')]);
    expect(changes.toUpdate.map(({ meta }) => meta.name)).toEqual(['x', 'y']);
  });
});

describe('a Service that has too few endpoints in a zone', () => {
  const counts = (a: number, b: number) =>
    new Map([...(a ? ([['a', a]] as const) : []), ...(b ? ([['b', b]] as const) : [])]);
  it.each([
    ['even', counts(2, 2), EVEN, false],
    ['just enough', counts(4, 6), EVEN, true],
    ['enough within the threshold', counts(5, 6), EVEN, false],
    ['a zone that it has not', counts(4, 0), EVEN, true],
    ['nodes that do not say enough', counts(2, 2), null, true],
    ['no endpoints at all', counts(0, 0), EVEN, false],
  ])('%s: %s', (_, byZone, ratios, expected) => {
    expect(isOverloaded(byZone, ratios)).toBe(expected);
  });
});
