import { expect, it } from 'vitest';
import { service } from '../../../test/support/cluster.ts';
import { endpoint, slice } from '../../../test/support/slices.ts';
import type { Endpoint, ServiceSpec } from '../api/objects.ts';
import { endpointsOf } from './endpoints.ts';
import type { ProxiedService } from './mode.ts';
import { servicePortsOf } from './servicePort.ts';
import { SharedPlans } from './sharedPlans.ts';

function proxied(spec: Partial<ServiceSpec> = {}, over: Partial<Endpoint> = {}): ProxiedService {
  const web = service('web', spec);
  const endpoints = endpointsOf([slice(web, 's', [endpoint('a', over)])]);
  return { key: 'default/web', ports: servicePortsOf(web, 'IPv4', 37), endpoints };
}
const plain = proxied();

/** How many plans are made when the Services are asked for in turn, by different nodes. */
it.each<[string, readonly ProxiedService[], number]>([
  ['the same Service is planned once', [plain, { ...plain }], 1],
  ['other endpoints are another plan', [plain, { ...plain, endpoints: proxied().endpoints }], 2],
  ['so are other ports', [plain, { ...plain, ports: proxied().ports }], 2],
  ...[
    ['a Local policy', proxied({ internalTrafficPolicy: 'Local' })] as const,
    ['hints for zones', proxied({}, { hints: { zones: ['z'], nodes: [] } })] as const,
    ['hints for nodes', proxied({}, { hints: { zones: [], nodes: ['n'] } })] as const,
    ['no ports any more', { ...plain, ports: [] }] as const,
  ].map(([what, one]): [string, readonly ProxiedService[], number] => [`${what}: one for each node`, [one, one], 2]),
])('%s', (_, services, count) => {
  const plans = new SharedPlans<object>();
  expect(new Set(services.map((one) => plans.get(one, () => ({})))).size).toBe(count);
});
