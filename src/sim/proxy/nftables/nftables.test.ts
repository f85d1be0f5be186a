import { expect, it } from 'vitest';
import { servicePort } from '../../../../test/support/cluster.ts';
import { at, proxyRun, setReady, sizes } from '../../../../test/support/proxyRun.ts';
import { milliseconds } from '../../../base/units.ts';
import type { ServiceSpec } from '../../api/objects.ts';
import type { ProxyInput } from '../../clusterInput.ts';

const HERE = 'node-a';
const AWAY = 'node-b';
const nftables = { mode: 'nftables' } as const;
const nodePort: Partial<ServiceSpec> = { type: 'NodePort', ports: [servicePort({ nodePort: 30_080 })] };
const loadBalancer: Partial<ServiceSpec> = {
  type: 'LoadBalancer',
  loadBalancerIngress: [{ ip: '198.51.100.7', ipMode: 'VIP' }],
};

it.each<[string, readonly string[], Partial<ServiceSpec>, Partial<ProxyInput>, number]>([
  ['a chain, emptied, with one rule however many endpoints', [AWAY, AWAY, HERE], {}, {}, 3],
  ['an endpoint on this node has an element against hairpins too', [HERE, AWAY], {}, {}, 4],
  ['a node port adds a chain and two rules', [AWAY, AWAY], nodePort, {}, 7],
  [
    'a load balancer too, and a firewall with source ranges',
    [AWAY, AWAY],
    { ...loadBalancer, loadBalancerSourceRanges: ['192.0.2.0/24'] },
    {},
    10,
  ],
  [
    'affinity: chain, set, look-up and two rules for each endpoint, and one of each goes',
    [AWAY, AWAY, HERE],
    { affinitySeconds: 600 },
    {},
    17,
  ],
  [
    'the Local policy cuts the traffic of the node short',
    [AWAY, HERE],
    { ...loadBalancer, externalTrafficPolicy: 'Local' },
    {},
    11,
  ],
  [
    'and that of its Pods, if it can tell',
    [AWAY, HERE],
    { ...loadBalancer, externalTrafficPolicy: 'Local' },
    { detectLocalPodCIDR: '10.244.0.0/24' },
    12,
  ],
  ['without endpoints its chain is only emptied, and its element moves', [AWAY], {}, {}, 3],
])('operations of a partial sync: %s', (_, pods, spec, proxy, operations) => {
  const run = proxyRun({ pods, spec, proxy: { ...nftables, ...proxy }, writes: [setReady(2, 0, false)] });
  expect(sizes(run)).toEqual([{ operations }]);
});

it('a full sync sets the table up again; elements that are there stay', () => {
  const zone = { 'topology.kubernetes.io/zone': 'zone-1' };
  const run = proxyRun({
    pods: [AWAY],
    proxy: nftables,
    writes: [{ at: at(2), do: 'labelNode', node: HERE, labels: zone }],
  });
  expect(sizes(run)).toEqual([{ operations: 74 + 3 }]);
});

it('a chain is deleted by the first sync that begins more than a second after it was emptied', () => {
  const writes = [setReady(2, 0, false), setReady(4, 0, true)];
  const run = proxyRun({ pods: [AWAY], proxy: nftables, writes });
  expect(sizes(run)).toEqual([{ operations: 3 }, { operations: 1 + 3 + 2, transactions: 2 }]);
  expect(run.all('deleteStaleChains').map(({ payload }) => payload.chains)).toEqual([1]);
});

it('a chain that is needed again before that is filled, not deleted', () => {
  const proxy = { ...nftables, minSyncPeriod: milliseconds(100) };
  const run = proxyRun({ pods: [AWAY], proxy, writes: [setReady(2, 0, false), setReady(2.5, 0, true)] });
  expect(sizes(run)).toEqual([{ operations: 3 }, { operations: 3 + 2 }]);
  expect(run.all('deleteStaleChains')).toEqual([]);
});

it('while a stale chain is there, every sync empties it and its second begins anew', () => {
  const proxy = { ...nftables, minSyncPeriod: milliseconds(100) };
  const move = (second: number, ip: string) =>
    ({ at: at(second), do: 'setPodIPs', pod: 'default/web-0', podIPs: [ip] }) as const;
  const moves = [move(2.6, '10.244.0.21'), move(3.2, '10.244.0.22'), move(5, '10.244.0.23')];
  const run = proxyRun({ pods: [AWAY], proxy, writes: [setReady(2, 0, false), ...moves] });
  expect(sizes(run)).toEqual([
    { operations: 3 },
    { operations: 1 },
    { operations: 1 },
    { operations: 1, transactions: 2 },
  ]);
});

it('chains that could not be deleted are emptied and tried again', () => {
  const fail = { from: at(4), until: at(4.03) };
  const writes = [setReady(2, 0, false), setReady(4, 1, false), setReady(6, 1, true)];
  const run = proxyRun({ pods: [AWAY, HERE], spec: { affinitySeconds: 60 }, proxy: { ...nftables, fail }, writes });
  expect(run.all('proxyError', ({ at: t }) => t > 0).map(({ payload }) => payload.message)).toEqual([
    'Unable to delete stale chains; will retry later',
  ]);
  expect(run.all('proxySync').map(({ payload }) => payload.result)).not.toContain('failed');
  expect(run.all('deleteStaleChains').map(({ payload }) => payload.chains)).toEqual([1, 3]);
});

it('a failed transaction changes nothing; the full sync after it writes what it would have, and elements from before', () => {
  const fail = { from: at(2), until: at(3) };
  const run = proxyRun({
    pods: [HERE, AWAY],
    proxy: { ...nftables, fail },
    writes: [setReady(2, 0, false)],
    duration: 40,
  });
  expect(run.all('proxySync', ({ at: t }) => t > 0).map(({ payload }) => [payload.result, payload.write])).toEqual([
    ['failed', '{"operations":4}'],
    ['applied', `{"operations":${74 + 4}}`],
  ]);
});

it('the first sync finds no table, and takes away chains of a kube-proxy before it', () => {
  const run = proxyRun({ pods: [AWAY], proxy: { ...nftables, start: at(1) } });
  expect(run.all('proxyError').map(({ payload }) => payload.message)).toEqual([
    'Failed to list existing chains',
    'Failed to list existing sets',
  ]);
  expect(sizes(run)).toEqual([{ operations: 74 + 16 + 3 + 2 }]);
});

it('before 1.32 every sync is a full one', () => {
  const run = proxyRun({ pods: [AWAY, AWAY], proxy: nftables, kubernetes: '1.31', writes: [setReady(2, 0, false)] });
  expect(run.all('proxySync', ({ at: t }) => t > 0).map(({ payload }) => payload.isFull)).toEqual([1]);
});
