import { expect, it } from 'vitest';
import { service, servicePort } from '../../../../test/support/cluster.ts';
import { at, frontends, podIp, proxyRun, setReady, sizes } from '../../../../test/support/proxyRun.ts';
import { microsSpan } from '../../../base/units.ts';
import type { ServiceSpec } from '../../api/objects.ts';
import type { ServiceRules } from '../rules.ts';

const HERE = 'node-a';
const AWAY = 'node-b';
const ipvs = { mode: 'ipvs', minSyncPeriod: microsSpan(0) } as const;
const [NAT, FILTER] = [9, 10];
const size = (nat: number, filter: number) => ({
  natChains: 5,
  natRules: NAT + nat,
  filterChains: 6,
  filterRules: FILTER + filter,
  lines: 5 + 6 + NAT + nat + FILTER + filter + 4,
});
const loadBalancer: Partial<ServiceSpec> = {
  type: 'LoadBalancer',
  loadBalancerIngress: [{ ip: '198.51.100.7', ipMode: 'VIP' }],
};

const twoAddresses = (loadBalancerSourceRanges: readonly string[]): Partial<ServiceSpec> => ({
  type: 'LoadBalancer',
  loadBalancerIngress: ['198.51.100.7', '198.51.100.8'].map((ip) => ({ ip, ipMode: 'VIP' as const })),
  loadBalancerSourceRanges,
});

it.each<[string, readonly string[], Partial<ServiceSpec>, number, number]>([
  ['two for cluster IPs', [AWAY], {}, 0, 0],
  ['one for hairpins once an endpoint is on this node, ready or not', [HERE], {}, 1, 0],
  [
    'one for the node ports of a protocol',
    [AWAY],
    { type: 'NodePort', ports: [servicePort({ nodePort: 30_080 })] },
    1,
    0,
  ],
  ['two for load balancers', [AWAY], loadBalancer, 2, 0],
  ['and one more under the Local policy', [AWAY], { ...loadBalancer, externalTrafficPolicy: 'Local' }, 3, 0],
  ['three for external IPs', [AWAY], { externalIPs: ['203.0.113.9'] }, 3, 0],
  [
    'two of them under the Local policy',
    [AWAY],
    { externalIPs: ['203.0.113.9'], externalTrafficPolicy: 'Local' },
    2,
    0,
  ],
  [
    'source ranges: two in the filter, and one for each address that keeps the node out',
    [AWAY],
    twoAddresses(['192.0.2.0/24']),
    2,
    4,
  ],
  ['or one for all that lets it in, where the ranges hold its address', [AWAY], twoAddresses(['192.168.0.0/16']), 2, 3],
])('iptables rules beside the servers: %s', (_, pods, spec, nat, filter) => {
  const run = proxyRun({ pods, spec, proxy: ipvs, writes: [setReady(2, 0, false)] });
  expect(sizes(run)).toEqual([size(nat, filter)]);
});

it('every sync is a full one, and one comes each syncPeriod', () => {
  const run = proxyRun({ pods: [AWAY], proxy: ipvs, duration: 70, writes: [setReady(2, 0, false)] });
  const syncs = run.all('proxySync', ({ at: t }) => t > 0);
  expect(syncs.map(({ payload }) => payload.isFull)).toEqual([1, 1, 1]);
  expect(syncs.map(({ at: t }) => Math.floor(t / 1e6))).toEqual([2, 32, 62]);
});

it('a Service without servers answers with an error', () => {
  const run = proxyRun({ pods: [AWAY], proxy: ipvs, writes: [setReady(2, 0, false)] });
  expect(frontends(run).map(({ verdict, backends }) => [verdict, backends])).toEqual([['noRealServer', []]]);
});

it('the Local policy falls back to endpoints of other nodes', () => {
  const spec: Partial<ServiceSpec> = {
    type: 'NodePort',
    ports: [servicePort({ nodePort: 30_080 })],
    externalTrafficPolicy: 'Local',
  };
  const nodePortOf = (pods: readonly string[]) =>
    frontends(proxyRun({ pods, spec, proxy: ipvs })).find(({ kind }) => kind === 'nodePort')?.backends;
  expect(nodePortOf([HERE, AWAY])).toEqual([`${podIp(0)}:8080`]);
  expect(nodePortOf([AWAY, AWAY])).toEqual([`${podIp(0)}:8080`, `${podIp(1)}:8080`]);
});

it('servers have changed when the write fails; a Service that went is there until one succeeds', () => {
  const fail = { from: at(2), until: at(5) };
  const writes = [setReady(2, 0, false), { at: at(3), do: 'deleteService', service: 'default/web' } as const];
  const proxy = { ...ipvs, fail };
  const afterTwo = frontends(proxyRun({ pods: [AWAY, AWAY], proxy, writes, duration: 3 }));
  expect(afterTwo.map(({ backends }) => backends)).toEqual([[`${podIp(1)}:8080`]]);
  const failed = proxyRun({ pods: [AWAY, AWAY], proxy, writes, duration: 20 });
  expect(frontends(failed)).toHaveLength(1);
  expect(failed.all('proxySyncFailed')).toEqual([]);
  expect(frontends(proxyRun({ pods: [AWAY, AWAY], proxy, writes, duration: 40 }))).toEqual([]);
});

it('servers change as the sync begins, and a virtual server that is not needed goes as it ends', () => {
  const moved = service('web', { ports: [servicePort({ port: 81 })] });
  const replace = { at: at(2), do: 'replace', stored: { resource: 'services', object: moved } } as const;
  const run = proxyRun({ pods: [AWAY], proxy: ipvs, writes: [replace], duration: 5 });
  const [sync] = run.all('proxySync', ({ at: t }) => t > 0);
  const changes = run
    .all('rulesChanged', ({ at: t }) => t > 0)
    .map(({ at: t, payload }) => {
      const { frontends: all } = JSON.parse(run.reader.versionText(payload.rules)) as ServiceRules;
      return [t, all.map(({ frontend }) => frontend)];
    });
  expect(changes).toEqual([
    [sync?.at, ['10.96.0.10:81/tcp', '10.96.0.10:80/tcp']],
    [sync?.end, ['10.96.0.10:81/tcp']],
  ]);
});

it('each real server has the weight 1', () => {
  const [frontend] = frontends(proxyRun({ pods: [AWAY, HERE], proxy: ipvs }));
  expect(frontend?.weights).toEqual([1, 1]);
});
