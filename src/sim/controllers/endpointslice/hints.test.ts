import { describe, expect, it } from 'vitest';
import { service } from '../../../../test/support/cluster.ts';
import { endpoint, slice } from '../../../../test/support/slices.ts';
import type { Endpoint, EndpointSliceObject } from '../../api/objects.ts';
import { hasTopologyModeAuto, usesTrafficDistribution, withoutHints, withTrafficDistribution } from './hints.ts';
import type { SliceChanges } from './slices.ts';

const NOTHING: SliceChanges = { toCreate: [], toUpdate: [], toDelete: [] };
const sameZone = service('web', { trafficDistribution: 'PreferSameZone' });
const sameNode = service('web', { trafficDistribution: 'PreferSameNode' });
const zoned = (over: Partial<Endpoint>): Endpoint => endpoint('a', { zone: 'zone-1', ...over });
const holding = (name: string, ...endpoints: readonly Endpoint[]): EndpointSliceObject =>
  slice(sameZone, name, endpoints);
const ZONE_1 = { zones: ['zone-1'], nodes: [] };

/** `x zone-1,`: the updated slices, each with the zones and nodes of its endpoints' hints. */
const shown = ({ toUpdate }: SliceChanges): readonly string[] =>
  toUpdate.map(({ meta, endpoints }) =>
    [meta.name, ...endpoints.map(({ hints }) => (hints ? `${hints.zones},${hints.nodes}` : '-'))].join(' '),
  );

describe('hints for trafficDistribution (C-231)', () => {
  it.each([
    ['a ready endpoint is for its zone', sameZone, zoned({}), ['x zone-1,']],
    ['and for its node', sameNode, zoned({}), ['x zone-1,node-a']],
    ['one without a zone gets none', sameZone, zoned({ zone: null, hints: ZONE_1 }), ['x -']],
    ['nor does one that is not ready', sameZone, zoned({ ready: false }), []],
    ['right ones stay', sameZone, zoned({ hints: ZONE_1 }), []],
    ['a wrong zone is put right', sameZone, zoned({ hints: { zones: ['zone-2'], nodes: [] } }), ['x zone-1,']],
    ['a node too many goes', sameZone, zoned({ hints: { zones: ['zone-1'], nodes: ['node-a'] } }), ['x zone-1,']],
  ])('%s', (_, given, one, expected) => {
    expect(shown(withTrafficDistribution(given, NOTHING, [holding('x', one)]))).toEqual(expected);
  });

  it('one that is not ready keeps what it has when its slice is written', () => {
    const changes = { ...NOTHING, toUpdate: [holding('x', zoned({ ready: false, hints: ZONE_1 }))] };
    expect(shown(withTrafficDistribution(sameZone, changes, []))).toEqual(['x zone-1,']);
  });

  it.each([
    ['PreferClose', 30, false],
    ['PreferClose', 31, true],
    ['PreferSameZone', 33, false],
    ['PreferSameZone', 34, true],
    ['PreferSameNode', 34, true],
    ['', 37, false],
  ] as const)('%j in 1.%i: %s', (trafficDistribution, minor, expected) => {
    expect(usesTrafficDistribution(service('web', { trafficDistribution }), minor)).toBe(expected);
  });
});

describe('no hints (C-230)', () => {
  it('they go from what is written, and slices that have some are written', () => {
    const changes = { ...NOTHING, toUpdate: [holding('x', zoned({ hints: ZONE_1 }))] };
    const unchanged = [holding('y', zoned({})), holding('z', zoned({}), zoned({ hints: ZONE_1 }))];
    expect(shown(withoutHints(changes, unchanged))).toEqual(['x -', 'z - -']);
  });
});

describe('topology mode Auto (C-230)', () => {
  const MODE = 'service.kubernetes.io/topology-mode';
  const OLDER = 'service.kubernetes.io/topology-aware-hints';
  it.each([
    [{ [MODE]: 'Auto' }, true],
    [{ [MODE]: 'auto' }, true],
    [{ [MODE]: 'AUTO' }, false],
    [{ [OLDER]: 'Auto' }, true],
    [{ [OLDER]: 'Disabled', [MODE]: 'Auto' }, false],
    [{}, false],
  ])('%j: %s', (annotations, expected) => {
    expect(hasTopologyModeAuto(service('web', {}, { annotations }))).toBe(expected);
  });
});
