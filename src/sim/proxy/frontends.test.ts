import { describe, expect, it } from 'vitest';
import { service, servicePort } from '../../../test/support/cluster.ts';
import type { ServiceSpec } from '../api/objects.ts';
import { selectEndpoints } from './endpointSelection.ts';
import type { ProxyEndpoint } from './endpoints.ts';
import { type FrontendOptions, frontendsOf } from './frontends.ts';
import type { Frontend } from './rules.ts';
import { servicePortsOf } from './servicePort.ts';

const HERE = 'node-a';
const endpoint = (address: string, node: string): ProxyEndpoint => ({
  ip: address,
  address,
  node,
  ready: true,
  serving: true,
  terminating: false,
  zoneHints: [],
  nodeHints: [],
});
const near = endpoint('near', HERE);
const far = endpoint('far', 'node-b');
const PLAIN: FrontendOptions = { detectsLocalPods: false, checksRangesWithoutEndpoints: false };

function rules(spec: Partial<ServiceSpec>, endpoints: readonly ProxyEndpoint[], options = PLAIN): readonly Frontend[] {
  const [port] = servicePortsOf(service('web', spec), 'IPv4', 37);
  if (!port) throw new Error('no port');
  return frontendsOf(port, selectEndpoints(port, endpoints, { node: HERE, zone: '' }, 37), options);
}

const ALL: Partial<ServiceSpec> = {
  type: 'LoadBalancer',
  ports: [servicePort({ name: 'http', nodePort: 30_080 })],
  externalIPs: ['203.0.113.9'],
  loadBalancerIngress: [{ ip: '203.0.113.77', ipMode: 'VIP' }],
};
const LOCAL: Partial<ServiceSpec> = { ...ALL, externalTrafficPolicy: 'Local' };

it('a port has a frontend for each of its addresses', () => {
  expect(rules(ALL, [far]).map(({ frontend, kind, port }) => [frontend, kind, port])).toEqual([
    ['10.96.0.10:80/tcp', 'clusterIP', 'http'],
    ['203.0.113.9:80/tcp', 'externalIP', 'http'],
    ['203.0.113.77:80/tcp', 'loadBalancer', 'http'],
    ['nodePort:30080/tcp', 'nodePort', 'http'],
  ]);
});

/** Verdict and backends of the cluster IP, then of the node port. */
describe('verdicts (P-054)', () => {
  it.each<[string, Partial<ServiceSpec>, readonly ProxyEndpoint[], string]>([
    ['no endpoint anywhere: refused', ALL, [], 'reject reject'],
    ['Cluster policies', ALL, [near, far], 'dnat near,far dnat near,far'],
    [
      'internal Local without a local endpoint: dropped',
      { ...ALL, internalTrafficPolicy: 'Local' },
      [far],
      'drop dnat far',
    ],
    ['internal Local', { ...ALL, internalTrafficPolicy: 'Local' }, [near, far], 'dnat near dnat near,far'],
    ['external Local without a local endpoint: dropped', LOCAL, [far], 'dnat far drop'],
    ['external Local', LOCAL, [near, far], 'dnat near,far dnat near'],
    ['external Local and no endpoint anywhere: refused', LOCAL, [], 'reject reject'],
  ])('%s', (_, spec, endpoints, expected) => {
    const shown = rules(spec, endpoints)
      .filter(({ kind }) => kind === 'clusterIP' || kind === 'nodePort')
      .map(({ verdict, backends }) => [verdict, backends.join(',')].filter(Boolean).join(' '));
    expect(shown.join(' ')).toBe(expected);
  });
});

describe('what only some have', () => {
  const nodePort = (spec: Partial<ServiceSpec>, endpoints: readonly ProxyEndpoint[], options = PLAIN) =>
    rules(spec, endpoints, options).at(-1);
  const everywhere = { verdict: 'dnat', backends: ['far'] };

  it('external Local has a short cut for the node, and for its Pods if it can tell them', () => {
    expect(nodePort(LOCAL, [far])).toMatchObject({ verdict: 'drop', fromNode: everywhere });
    expect(nodePort(LOCAL, [far])).not.toHaveProperty('fromLocalPods');
    expect(nodePort(LOCAL, [far], { ...PLAIN, detectsLocalPods: true })).toMatchObject({ fromLocalPods: everywhere });
  });

  it('none without an endpoint or with the Cluster policy', () => {
    expect(nodePort(LOCAL, [])).not.toHaveProperty('fromNode');
    expect(nodePort(ALL, [far])).not.toHaveProperty('fromNode');
  });

  it('affinity only where there is a backend', () => {
    expect(nodePort({ ...ALL, affinitySeconds: 600 }, [far])).toMatchObject({ affinitySeconds: 600 });
    expect(nodePort({ ...ALL, affinitySeconds: 600 }, [])).not.toHaveProperty('affinitySeconds');
  });

  it('source ranges only at the load balancer; without endpoints as the mode does', () => {
    const spec = { ...ALL, loadBalancerSourceRanges: ['10.0.0.0/8'] };
    const ranged = (endpoints: readonly ProxyEndpoint[], options = PLAIN): readonly string[] =>
      rules(spec, endpoints, options).flatMap(({ kind, sourceRanges }) => (sourceRanges ? [kind] : []));
    expect(ranged([far])).toEqual(['loadBalancer']);
    expect(ranged([])).toEqual([]);
    expect(ranged([], { ...PLAIN, checksRangesWithoutEndpoints: true })).toEqual(['loadBalancer']);
  });
});
