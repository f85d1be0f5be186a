import { describe, expect, it } from 'vitest';
import { nodeObject } from '../../../../test/support/cluster.ts';
import { NODE_LIFECYCLE } from '../../workloadsInput.ts';
import { countsForZone, rateIn, zoneOf, zoneStateOf } from './zones.ts';

const nodes = (ready: number, notReady: number): boolean[] => [
  ...Array<boolean>(ready).fill(true),
  ...Array<boolean>(notReady).fill(false),
];

describe('the state of a zone (N-035)', () => {
  it.each([
    ['two of three nodes down are too few to slow down', 1, 2, 'Normal'],
    ['three of five are enough', 2, 3, 'PartialDisruption'],
    ['three of six are less than 55 %', 3, 3, 'Normal'],
    ['eleven of twenty are 55 %', 9, 11, 'PartialDisruption'],
    ['all are down', 0, 1, 'FullDisruption'],
    ['an empty zone is well', 0, 0, 'Normal'],
  ] as const)('%s', (_, ready, notReady, state) => {
    expect(zoneStateOf(nodes(ready, notReady), NODE_LIFECYCLE)).toBe(state);
  });

  it.each([
    ['a zone in order', 'Normal', 10, 0.1],
    ['one that is all down, while others are not', 'FullDisruption', 10, 0.1],
    ['half of a small one', 'PartialDisruption', 50, 0],
    ['half of a large one', 'PartialDisruption', 51, 0.01],
  ] as const)('nodes a second: %s', (_, state, size, rate) => {
    expect(rateIn(state, size, NODE_LIFECYCLE)).toBe(rate);
  });
});

it('tells zones of the same name in two regions apart, and counts no node that is excluded', () => {
  const labels = (region: string) => ({
    'topology.kubernetes.io/region': region,
    'topology.kubernetes.io/zone': 'zone-1',
  });
  expect(zoneOf(nodeObject('a', labels('north')))).not.toBe(zoneOf(nodeObject('b', labels('south'))));
  expect(zoneOf(nodeObject('c'))).toBe('');
  expect(countsForZone(nodeObject('a', { 'node.kubernetes.io/exclude-disruption': 'true' }))).toBe(false);
});
