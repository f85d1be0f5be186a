import { describe, expect, it } from 'vitest';
import { nodeObject } from '../../../../test/support/cluster.ts';
import type { NodeObject } from '../../api/objects.ts';
import { TopologyCache } from './topologyCache.ts';
import type { Hinted } from './topologyHints.ts';

const node = (name: string, zone: string, over: Partial<NodeObject> = {}): NodeObject => ({
  ...nodeObject(name, zone ? { 'topology.kubernetes.io/zone': zone } : {}),
  ...over,
});
const ratios = (cache: TopologyCache): unknown => cache.ratios && Object.fromEntries(cache.ratios);

describe('shares of the zones (C-232)', () => {
  const controlPlane = nodeObject('cp', { 'node-role.kubernetes.io/control-plane': '' });
  it.each([
    ['by CPU', [node('n', 'b'), node('m', 'a', { cpuMillis: 12_000 })], { a: 0.75, b: 0.25 }],
    [
      'nodes that are not ready do not count',
      [node('n', 'a'), node('m', 'b'), node('o', 'b', { ready: 'False' })],
      { a: 0.5, b: 0.5 },
    ],
    [
      'nor do those of the control plane, zone or not',
      [node('n', 'a'), node('m', 'b'), controlPlane],
      { a: 0.5, b: 0.5 },
    ],
    ['one zone is too few', [node('n', 'a'), node('m', 'a')], null],
    ['a node without a zone spoils all', [node('n', 'a'), node('m', 'b'), node('o', '')], null],
    ['so does one without CPU', [node('n', 'a'), node('m', 'b', { cpuMillis: 0 })], null],
  ])('%s', (_, nodes, expected) => {
    const cache = new TopologyCache();
    cache.setNodes(nodes);
    expect(ratios(cache)).toEqual(expected);
  });

  it('tells the node that lacks something', () => {
    expect(new TopologyCache().setNodes([node('n', 'a'), node('o', '')])?.meta.name).toBe('o');
    expect(new TopologyCache().setNodes([node('n', 'a'), node('m', 'b')])).toBeNull();
  });
});

describe('news about hints', () => {
  const hinted = (problem: string): Hinted => ({
    changes: { toCreate: [], toUpdate: [], toDelete: [] },
    byZone: new Map([
      ['a', 1],
      ['b', 3],
    ]),
    problem,
  });

  it('are told when hints come, each time when there are none, and once when nobody asks any more', () => {
    const cache = new TopologyCache();
    const told = [hinted(''), hinted(''), hinted('Too few'), hinted('Too few'), hinted(''), null, null].map(
      (given) => cache.settle('default/web', 'IPv4', given)?.message ?? '-',
    );
    expect(told).toEqual([
      'Topology Aware Hints has been enabled, addressType: IPv4',
      '-',
      'Too few, addressType: IPv4',
      'Too few, addressType: IPv4',
      'Topology Aware Hints has been enabled, addressType: IPv4',
      'Topology Aware Hints has been disabled, addressType: IPv4',
      '-',
    ]);
  });

  it('hints of the second address type are no news', () => {
    const cache = new TopologyCache();
    cache.settle('default/web', 'IPv4', hinted(''));
    expect(cache.settle('default/web', 'IPv6', hinted(''))).toBeNull();
  });

  it('Services with too few endpoints in a zone are found after a change of the nodes', () => {
    const cache = new TopologyCache();
    cache.settle('default/web', 'IPv4', hinted(''));
    cache.setNodes([node('n', 'a'), node('m', 'b')]);
    expect(cache.overloadedServices()).toEqual(['default/web']);
    cache.settle('default/web', 'IPv4', null);
    expect(cache.overloadedServices()).toEqual([]);
  });
});
