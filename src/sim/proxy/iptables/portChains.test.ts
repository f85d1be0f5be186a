import { describe, expect, it } from 'vitest';
import { service, servicePort } from '../../../../test/support/cluster.ts';
import type { ServiceSpec } from '../../api/objects.ts';
import { selectEndpoints } from '../endpointSelection.ts';
import type { ProxyEndpoint } from '../endpoints.ts';
import { servicePortsOf } from '../servicePort.ts';
import { portChains } from './portChains.ts';

const HERE = 'node-a';

/** `here` ready endpoints on this node, and `away` elsewhere. */
const endpoints = (here: number, away: number): readonly ProxyEndpoint[] =>
  Array.from({ length: here + away }, (_, n) => ({
    ip: `10.0.0.${n}`,
    address: `10.0.0.${n}:8080`,
    node: n < here ? HERE : 'node-b',
    ready: true,
    serving: true,
    terminating: false,
    zoneHints: [],
    nodeHints: [],
  }));

/** Kinds of its chains, rules in them, rules in shared chains of nat and of filter. */
function lines(spec: Partial<ServiceSpec>, here: number, away: number, detectsLocalPods = false): string {
  const [port] = servicePortsOf(service('web', spec), 'IPv4', 37);
  if (!port) throw new Error('no port');
  const selection = selectEndpoints(port, endpoints(here, away), { node: HERE, zone: '' }, 37);
  const { chains, rules, sharedNatRules, sharedFilterRules } = portChains(port, selection, detectsLocalPods);
  const kinds = chains.map((chain) => chain.split(' ')[0]).join(' ');
  return `${kinds || '-'} | ${rules} | ${sharedNatRules} ${sharedFilterRules}`;
}

const ALL: Partial<ServiceSpec> = {
  type: 'LoadBalancer',
  ports: [servicePort({ nodePort: 30_080 })],
  externalIPs: ['203.0.113.9'],
  loadBalancerIngress: [{ ip: '203.0.113.77', ipMode: 'VIP' }],
};
const LOCAL: Partial<ServiceSpec> = { ...ALL, externalTrafficPolicy: 'Local', healthCheckNodePort: 31_080 };

describe('chains of a port, rules in them, rules in the shared chains of nat and filter', () => {
  it.each<[string, Partial<ServiceSpec>, number, number, string]>([
    ['one choice, and masquerade and DNAT, for each endpoint', {}, 1, 1, 'SVC SEP SEP | 6 | 1 0'],
    ['affinity: a look-up more for each', { affinitySeconds: 600 }, 1, 1, 'SVC SEP SEP | 8 | 1 0'],
    ['no endpoint: one rule that refuses', {}, 0, 0, '- | 0 | 0 1'],
    [
      'internal Local without a local endpoint: one that drops',
      { internalTrafficPolicy: 'Local' },
      0,
      1,
      '- | 0 | 0 1',
    ],
    ['internal Local: only what is here', { internalTrafficPolicy: 'Local' }, 1, 1, 'SVL SEP | 3 | 1 0'],
    ['addresses for outside: masquerade, and on to the policy', ALL, 1, 0, 'EXT SVC SEP | 5 | 4 0'],
    ['all of them refuse without an endpoint', ALL, 0, 0, '- | 0 | 0 4'],
    [
      'source ranges: a chain with a rule each and one comment',
      { ...ALL, loadBalancerSourceRanges: ['10.0.0.0/8', '172.16.0.0/12'] },
      1,
      0,
      'EXT FW SVC SEP | 8 | 4 1',
    ],
    [
      'a range with the node in it: a rule more for each address',
      { ...ALL, loadBalancerSourceRanges: ['192.168.0.0/16'] },
      1,
      0,
      'EXT FW SVC SEP | 8 | 4 1',
    ],
    ['external Local: the short cut of the node itself', LOCAL, 1, 1, 'EXT SVC SVL SEP SEP | 10 | 4 1'],
    ['external Local without a local endpoint: short cut, and drop', LOCAL, 0, 1, 'EXT SVC SEP | 5 | 4 4'],
  ])('%s', (_, spec, here, away, expected) => {
    expect(lines(spec, here, away)).toBe(expected);
  });

  it('a proxy that can tell its Pods masquerades other traffic to the cluster IP, and has a short cut for its Pods', () => {
    expect(lines({}, 1, 0, true)).toBe('SVC SEP | 4 | 1 0');
    expect(lines(LOCAL, 1, 1, true)).toBe('EXT SVC SVL SEP SEP | 12 | 4 1');
  });
});
