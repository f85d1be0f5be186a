import { describe, expect, it } from 'vitest';
import { readScenario } from '../readScenario.ts';

const pods = (name: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: app, image: i${more}}]}
---
`;
const service = (spec: string, name = 'web'): string => `apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}, {name: dns, port: 53, protocol: UDP}]${spec}}
---
`;
const scenario = (fields: string): string => `apiVersion: podtopool/v1
kind: Scenario
duration: 1m
${fields}
`;
const read = (clients: string, spec = '', more = '') =>
  readScenario(`${pods('web')}${service(spec)}${more}${clients === '' ? '' : scenario(`clients: [${clients}]`)}`);
const clientOf = (clients: string, spec = '') => {
  const { scenario: built, issues } = read(clients, spec);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  return built?.cluster?.clients[0];
};

describe('clients', () => {
  it('a Service that selects a Pod with a kubelet has one, from the first node, each half second', () => {
    expect(clientOf('')).toMatchObject({
      name: 'web',
      from: { type: 'node', node: 'node-a' },
      to: { type: 'address', ip: '10.96.0.10', port: 80 },
      service: { service: 'default/web', port: 'http' },
      every: 500_000,
      start: 500_000,
      timeout: 1_000_000,
    });
  });

  it.each<[name: string, text: string]>([
    ['an empty list: none', `${pods('web')}${service('')}${scenario('clients: []')}`],
    ['a headless Service', `${pods('web')}${service(', clusterIP: None')}`],
    ['a Service of other Pods', `${pods('other')}${service('')}`],
    ['Pods without a kubelet', `${pods('web')}${service('')}${scenario('podsWithoutKubelet: [web]')}`],
  ])('no client of its own has %s', (_name, text) => {
    expect(readScenario(text).scenario?.cluster?.clients).toEqual([]);
  });

  it('the interval says where it comes from', () => {
    const from = (clients: string) => read(clients).model.settings.get('clients/web/interval');
    expect(from('')).toEqual({ value: 0.5, from: 'productDefault', line: null });
    expect(from('{to: {service: web}, interval: 50ms}')).toEqual({ value: 0.05, from: 'scenario', line: 19 });
  });

  it('a slider changes the interval', () => {
    const text = `${pods('web')}${service('')}`;
    const built = readScenario(text, [{ path: 'clients/web/interval', value: 2 }]).scenario;
    expect(built?.cluster?.clients[0]?.every).toBe(2_000_000);
  });

  it.each<[name: string, entry: string, spec: string, expected: object]>([
    ['a port by its name', '{to: {service: web, port: dns}}', '', { protocol: 'UDP', to: { port: 53 } }],
    ['a port by its number', '{to: {service: web, port: 53}}', '', { service: { port: 'dns' } }],
    [
      'from outside it is the node port of any node',
      '{from: {outside: true}, to: {service: web}}',
      ', type: NodePort',
      { from: { type: 'outside' }, to: { type: 'nodePort', port: 30_080, nodes: ['node-a'] } },
    ],
    [
      'in a Pod, on its node',
      '{from: {pod: default/web#1/0}, to: {service: web}}',
      '',
      { from: { type: 'pod', node: 'node-a', pod: 'default/web#1/0' } },
    ],
    [
      "a Pod's own address",
      '{to: {pod: default/web#1/1, port: 8080}}',
      '',
      { name: 'default.web#1.1', to: { type: 'pod', pod: 'default/web#1/1', port: 8080 }, service: null },
    ],
    [
      'the ready Pods of a headless Service, by its name',
      '{to: {service: web}, dns: {profile: addon, clientCache: 10s}}',
      ', clusterIP: None',
      {
        to: {
          type: 'endpoints',
          resolver: {
            name: 'web.default.svc.cluster.local',
            ttl: 30,
            caches: {
              cache: { positive: 30, negative: 30 },
              nodeLocal: null,
              clientCache: { positive: 10, negative: 10 },
            },
          },
        },
      },
    ],
    [
      'one Pod of it, by its own name',
      '{to: {service: web, hostname: web-1}}',
      ', clusterIP: None',
      { to: { resolver: { name: 'web-1.web.default.svc.cluster.local', hostname: 'web-1' } } },
    ],
    [
      'the Pods behind the slices, with a lag',
      '{to: {service: web, via: endpointSlices, lag: 2s}}',
      '',
      { to: { type: 'endpoints', resolver: { type: 'slices', lag: 2_000_000 } } },
    ],
    [
      'from outside it is the load balancer of a Service that has one',
      '{from: {outside: true}, to: {service: web}, loadBalancer: {interval: 5s}}',
      ', type: LoadBalancer, externalTrafficPolicy: Local',
      {
        to: {
          balancer: { ip: '203.0.113.1', nodePort: 30_080, asksHealthCheckPort: true, interval: 5_000_000, delay: 0 },
        },
      },
    ],
    [
      'kept connections and retries',
      '{to: {service: web}, keepAlive: {idleTimeout: 90s}, retries: {count: 2, on: [reset], delay: 10ms}}',
      '',
      {
        keepAlive: { idleTimeout: 90_000_000, maxRequests: null, appIdleTimeout: null },
        retries: { count: 2, on: ['reset'], delay: 10_000 },
      },
    ],
  ])('%s', (_name, entry, spec, expected) => {
    expect(clientOf(entry, spec)).toMatchObject(expected);
  });
});

describe('what no way of a client heeds is a warning', () => {
  it.each<[string, string]>([
    [
      '{to: {service: web, node: node-a}}',
      'node is for via: nodePort, and this client goes via clusterIP: nothing heeds it',
    ],
    ['{to: {service: web, hostname: web-1}}', 'hostname is for via: dns'],
    ['{to: {service: web, lag: 1s}}', 'lag is for via: endpointSlices'],
    ['{to: {service: web}, dns: {}}', 'dns is for via: dns'],
    ['{to: {service: web}, loadBalancer: {}}', 'loadBalancer is for via: loadBalancer'],
  ])('%s', (entry, message) => {
    const [found] = read(entry).issues;
    expect(found?.severity).toBe('warning');
    expect(found?.message).toContain(message);
  });
});

describe('what is wrong with a client is told with place and remedy', () => {
  it.each<[entry: string, message: string, remedy: string]>([
    ['{to: {service: wbe}}', 'there is no Service wbe in this text', 'Known here: web.'],
    ['{to: {service: web, port: htp}}', 'Service web has no port htp', 'Did you mean http?'],
    [
      '{to: {service: web, via: nodePort}}',
      'Service web has no node port',
      'Write type: NodePort in the Service, or ask it from a node.',
    ],
    ['{from: {node: node-b}, to: {service: web}}', 'there is no node node-b in this text', 'Did you mean node-a?'],
    ['{from: {pod: web-9}, to: {service: web}}', 'there is no Pod web-9 in this text', ''],
    [
      '{to: {service: web}}, {to: {service: web}}',
      'two clients are called web',
      'Give one of them another name, such as name: web-2.',
    ],
    ['{to: {}}', 'a client asks either a Service or a Pod', 'Write one of service and pod.'],
    ['{to: {pod: web-0}}', 'a client of a Pod needs the number of a port', 'Add port, such as port: 8080.'],
    [
      '{from: {node: node-a, outside: true}, to: {service: web}}',
      'a client is in one place',
      'Write one of node, pod and outside: true.',
    ],
    ['{to: {service: web}, interval: 0}', 'interval must be 0.001 or more, not 0', 'Write a number from 0.001 on.'],
    ['{to: {service: web}, start: 2m}', 'the run ends at 60 s, before this', 'Raise duration, or begin earlier.'],
    ['{to: {service: web}, path: api}', 'a path begins with a slash', 'Write it as in /api.'],
  ])('%s', (entry, message, remedy) => {
    const found = read(entry).issues.find((issue) => issue.message === message);
    expect(found).toMatchObject({ message, ...(remedy === '' ? {} : { remedy }) });
    expect(found?.line).toBe(19);
  });

  it.each<[entry: string, spec: string, message: string]>([
    ['{to: {service: web, via: clusterIP}}', ', clusterIP: None', 'Service web is headless: it has no cluster IP'],
    [
      '{to: {service: web}}',
      ', type: ExternalName, externalName: a.example',
      'Service web leads out of the cluster, where nothing is simulated',
    ],
    ['{to: {service: web, via: dns}}', '', 'the name of Service web leads to its cluster IP'],
    ['{to: {service: web, via: loadBalancer}}', ', type: NodePort', 'Service web has no load balancer'],
    [
      '{from: {node: node-a}, to: {service: web, via: nodePort}}',
      ', type: NodePort',
      'via nodePort is for clients from outside',
    ],
    ['{from: {outside: true}, to: {service: web, via: clusterIP}}', '', 'a cluster IP is not reached from outside'],
  ])('%s of a Service with "%s"', (entry, spec, message) => {
    expect(read(entry, spec).issues.map((issue) => issue.message)).toContain(message);
  });
});

describe('what an app needs', () => {
  const needs = (fields: string, spec = ', clusterIP: None') =>
    readScenario(`${pods('web')}${service(spec)}${scenario(`apps: [{workload: web, needs: {${fields}}}]`)}`);

  it('its peers, by a name that CoreDNS knows from the start', () => {
    const { scenario: built } = needs('service: web, addresses: 2, dns: {profile: nodeLocal}');
    const [peers] = built?.cluster?.peers ?? [];
    expect(peers).toMatchObject({
      port: { service: 'default/web', port: 'http' },
      addresses: 2,
      dns: { name: 'web.default.svc.cluster.local', caches: { nodeLocal: { positive: 30, negative: 5 } } },
    });
  });
  it.each<[string, string, string, string]>([
    [
      'a Service that is not there',
      'service: wbe, addresses: 2',
      ', clusterIP: None',
      'there is no Service wbe in this text',
    ],
    [
      'one of another namespace',
      'service: web, namespace: other, addresses: 2',
      ', clusterIP: None',
      'Service web is not in namespace other',
    ],
    [
      'one with a cluster IP',
      'service: web, addresses: 2',
      '',
      'Service web is not headless: its name leads to one address, whoever is behind it',
    ],
  ])('%s is told with its line', (_name, fields, spec, message) => {
    const { issues } = needs(fields, spec);
    const found = issues.find((issue) => issue.message === message);
    expect(found?.line).toBe(19);
  });
});
