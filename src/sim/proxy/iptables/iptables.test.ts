import { describe, expect, it } from 'vitest';
import { clusterInput, clusterScenario, nodeObject, proxyInput, service } from '../../../../test/support/cluster.ts';
import { at } from '../../../../test/support/proxyRun.ts';
import { type ReadRun, readRun } from '../../../../test/support/readRun.ts';
import { endpoint, slice } from '../../../../test/support/slices.ts';
import { seconds } from '../../../base/units.ts';
import type { ScriptedWrite, StoredInput } from '../../clusterInput.ts';

const web = service('web', { selector: null });
const big = service('big', { selector: null, clusterIP: '10.96.0.11' });
/** Endpoints 10.0.x.y, `count` of them. */
const endpoints = (count: number) =>
  Array.from({ length: count }, (_, n) => endpoint('a', { addresses: [`10.0.${n >> 8}.${n & 255}`] }));
function webSlice(count: number): StoredInput {
  const made = slice(web, 'web-1', endpoints(count));
  return { resource: 'endpointslices', object: { ...made, meta: { ...made.meta, resourceVersion: 0 } } };
}
/** The slice of `web` has so many endpoints from `second` on. */
const shrink = (second: number, count: number): ScriptedWrite => ({
  at: at(second),
  do: 'replace',
  stored: webSlice(count),
});

/** A cluster with four endpoints behind `web`, and `others` behind another Service. */
function run(others: number, writes: readonly ScriptedWrite[], duration = 60, kubernetes = '1.37'): ReadRun {
  const existing: readonly StoredInput[] = [
    { resource: 'nodes', object: nodeObject('node-a') },
    { resource: 'services', object: web },
    { resource: 'services', object: big },
    { resource: 'endpointslices', object: slice(big, 'big-1', endpoints(others)) },
    webSlice(4),
  ];
  const proxies = [proxyInput('proxy-a', { syncPeriod: seconds(30) })];
  return readRun(clusterScenario(clusterInput({ existing, proxies, writes }), duration, { kubernetes }));
}
/** Chains and rules of the nat table in each sync from t = 0 on. */
const written = ({ all }: ReadRun): readonly string[] =>
  all('proxySync', (event) => event.at >= 0).map(({ payload }) => {
    const { natChains, natRules } = JSON.parse(payload.write) as { natChains: number; natRules: number };
    return `${natChains} ${natRules}`;
  });

describe('stale chains (P-031)', () => {
  const writes = [shrink(2, 3), shrink(10, 2), shrink(50, 1)];

  it('each sync deletes those of the one before', () => {
    // 4 base chains, one for the Service, one an endpoint, and one that is stale.
    expect(written(run(10, writes))).toEqual(['9 17', '8 14', '7 11']);
  });

  it('with more than 1000 endpoints only when syncPeriod has passed since the last time', () => {
    expect(written(run(1001, writes))).toEqual(['8 16', '7 13', '9 13']);
  });

  it('with 1000 there is no large cluster', () => {
    expect(written(run(996, writes))[1]).toBe('8 14');
  });
});

describe('the hourly full sync', () => {
  const hourly = (others: number, kubernetes: string): readonly number[] =>
    run(others, [], 7300, kubernetes)
      .all('proxySync', (event) => event.at >= 0)
      .map(({ payload }) => payload.isFull);

  it.each<[string, number, string, readonly number[]]>([
    ['comes in the second hour', 10, '1.37', [0, 1]],
    ['not in a large cluster', 1001, '1.37', [0, 0]],
    ['up to 1.36 there too', 1001, '1.36', [0, 1]],
  ])('%s', (_, others, kubernetes, expected) => {
    expect(hourly(others, kubernetes)).toEqual(expected);
  });
});
