import { describe, expect, it } from 'vitest';
import { service, servicePort } from '../../../test/support/cluster.ts';
import type { IpFamily, ServiceSpec } from '../api/objects.ts';
import { type ServicePortInfo, servicePortsOf } from './servicePort.ts';

const portsOf = (spec: Partial<ServiceSpec>, family: IpFamily = 'IPv4'): readonly ServicePortInfo[] =>
  servicePortsOf(service('web', spec), family, 37);

it.each<[string, Partial<ServiceSpec>, IpFamily, number]>([
  ['a cluster IP of the family', {}, 'IPv4', 1],
  ['none of the family', {}, 'IPv6', 0],
  ['headless', { clusterIP: 'None', clusterIPs: ['None'] }, 'IPv4', 0],
  ['no cluster IP yet', { clusterIP: '', clusterIPs: [] }, 'IPv4', 0],
  ['an external name', { type: 'ExternalName', externalName: 'x.example' }, 'IPv4', 0],
  ['the second family', { clusterIPs: ['10.96.0.10', 'fd00::a'] }, 'IPv6', 1],
])('ports that are proxied: %s', (_, spec, family, count) => {
  expect(portsOf(spec, family)).toHaveLength(count);
});

describe('what a port carries', () => {
  const lb: Partial<ServiceSpec> = { type: 'LoadBalancer', ports: [servicePort({ nodePort: 30_080 })] };
  it.each<[string, Partial<ServiceSpec>, Partial<ServicePortInfo>]>([
    [
      'addresses of the other family are left out',
      { externalIPs: ['fd00::9', '203.0.113.9'] },
      { externalIPs: ['203.0.113.9'] },
    ],
    [
      'an ingress of ipMode Proxy is left to the balancer',
      {
        ...lb,
        loadBalancerIngress: [
          { ip: '198.51.100.7', ipMode: 'Proxy' },
          { ip: '198.51.100.8', ipMode: 'VIP' },
        ],
      },
      { loadBalancerVIPs: ['198.51.100.8'] },
    ],
    [
      'source ranges are trimmed',
      { ...lb, loadBalancerSourceRanges: [' 10.0.0.0/8 ', 'fd00::/8'] },
      { sourceRanges: ['10.0.0.0/8'] },
    ],
    [
      'a range of everything is as none',
      { ...lb, loadBalancerSourceRanges: ['10.0.0.0/8', '0.0.0.0/0'] },
      { sourceRanges: [] },
    ],
    [
      'the external policy counts only where there is an outside',
      { externalTrafficPolicy: 'Local' },
      { externalPolicyLocal: false },
    ],
    [
      'a health check port needs a load balancer and the Local policy',
      { ...lb, healthCheckNodePort: 31_080 },
      { healthCheckNodePort: 0 },
    ],
    [
      'and then is there',
      { ...lb, healthCheckNodePort: 31_080, externalTrafficPolicy: 'Local' },
      { healthCheckNodePort: 31_080, externalPolicyLocal: true },
    ],
  ])('%s', (_, spec, expected) => {
    expect(portsOf(spec)[0]).toMatchObject(expected);
  });
});
