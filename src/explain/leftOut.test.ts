import { describe, expect, it } from 'vitest';
import { finishedRunOf } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import { joiningBudget } from './hops.ts';
import { pathsOf } from './path.ts';
import { waitOf } from './shorten.ts';
import { whyAt } from './why.ts';
import { pathEn } from './words/pathEn.ts';

const node = (name: string, zone: string): string => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {topology.kubernetes.io/zone: ${zone}}}
---
`;
const pod = (name: string, at: string, ports: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: web}}
spec: {nodeName: ${at}, containers: [{name: app, image: i, ports: [${ports}]}]}
---
`;
/** `web-a` on node-a has the port http, `web-b` on node-b has not; `fields` are of the Service. */
const runOf = (fields: string, kubernetes = '1.37', mode = 'iptables', labels = '') =>
  finishedRunOf(
    `${node('node-a', 'zone-a')}${node('node-b', 'zone-b')}${pod('web-a', 'node-a', '{name: http, containerPort: 8080}')}${pod('web-b', 'node-b', '')}apiVersion: v1
kind: Service
metadata: {name: web, labels: {${labels}}}
spec: {${fields}}
---
apiVersion: podtopool/v1
kind: Scenario
kubernetes: '${kubernetes}'
duration: 10s
kubeProxy: {mode: ${mode}}
`,
  );
const ask = (run: ReturnType<typeof runOf>, at: string | null, name = 'web-a') => {
  const found = run.scenario.pods.find((one) => one.name === name);
  if (!found) throw new Error('no Pod');
  return whyAt(run, { pod: found, service: 'default/web', node: at, at: micros(9e6) });
};

const PORTS = 'ports: [{port: 80, targetPort: 8080}]';
const SELECTOR = 'selector: {app: web}';

/** What is said of web-a by the rules of node-b, which are without it. */
describe.each<[name: string, fields: string, says: RegExp, kubernetes?: string]>([
  ['internalTrafficPolicy Local', `internalTrafficPolicy: Local, ${SELECTOR}, ${PORTS}`, /internalTrafficPolicy Local/],
  [
    'both policies Local',
    `type: NodePort, internalTrafficPolicy: Local, externalTrafficPolicy: Local, ${SELECTOR}, ${PORTS}`,
    /internalTrafficPolicy Local/,
  ],
  ['hints for nodes', `trafficDistribution: PreferSameNode, ${SELECTOR}, ${PORTS}`, /the hints in the slices/],
  ['hints for zones', `trafficDistribution: PreferClose, ${SELECTOR}, ${PORTS}`, /the hints in the slices/],
])('%s', (_name, fields, says) => {
  const run = runOf(fields);

  it('is why another node is without it, and no wait', () => {
    const there = ask(run, 'node-b');
    expect(there.isBackend).toBe(false);
    expect(pathEn.answer(there)).toMatch(says);
    expect(pathEn.answer(there)).not.toMatch(/yet/);
    expect(waitOf(run, there)).toBe(null);
  });

  it('makes it no less of a backend where it is one', () => {
    expect(ask(run, 'node-a').isBackend).toBe(true);
    const everywhere = ask(run, null);
    expect(everywhere.isBackend).toBe(true);
    expect(pathEn.answer(everywhere)).toMatch(/^It is a backend of web on 1 node since .* Other nodes are without it/);
    expect(everywhere.links.find(({ kind }) => kind === 'rules')?.value).toBe('1/1');
  });

  it('gives its path no end on that node to wait for', () => {
    const path = pathsOf(run).find((one) => one.pod === 'default/web-a');
    if (!path) throw new Error('no path');
    expect(joiningBudget(path, 'node-a', run.reader.data.horizon)).not.toBe(null);
    expect(joiningBudget(path, 'node-b', run.reader.data.horizon)).toBe(null);
  });
});

describe('nothing is left out', () => {
  it.each([
    ['by a policy that counts only for traffic from outside', `type: NodePort, externalTrafficPolicy: Local, `, '1.37'],
    [
      'by a policy of the node where traffic from outside has none',
      `type: NodePort, internalTrafficPolicy: Local, `,
      '1.37',
    ],
    ['by a policy that this version does not know', 'internalTrafficPolicy: Local, ', '1.21'],
    ['by a distribution that this version has behind a gate', 'trafficDistribution: PreferClose, ', '1.30'],
    ['by a distribution that this version does not know', 'trafficDistribution: PreferSameNode, ', '1.33'],
  ])('%s', (_name, fields, kubernetes) => {
    const why = ask(runOf(`${fields}${SELECTOR}, ${PORTS}`, kubernetes), 'node-b');
    expect(pathEn.answer(why)).toMatch(/^It is a backend of web since/);
  });
});

describe('a Service that has no rules for it on any node', () => {
  it.each([
    [
      'a targetPort that the Pod has not',
      'web-b',
      `${SELECTOR}, ports: [{port: 80, targetPort: http}]`,
      /under no port/,
      '',
    ],
    [
      'another proxy',
      'web-a',
      `${SELECTOR}, ${PORTS}`,
      /leaves the Service to another proxy/,
      'service.kubernetes.io/service-proxy-name: other',
    ],
    ['ExternalName', 'web-a', 'type: ExternalName, externalName: other.example', /type ExternalName/, ''],
    ['no selector, and no slices', 'web-a', PORTS, /no selector, and nobody writes/, ''],
  ])('%s', (_name, name, fields, says, labels) => {
    const run = runOf(fields, '1.37', 'iptables', labels);
    const why = ask(run, null, name);
    expect(why.isBackend).toBe(false);
    expect(pathEn.answer(why)).toMatch(says);
    expect(why.proof).toMatch(/^kubectl get (service|endpointslices)/);
    expect(waitOf(run, why)).toBe(null);
  });
});

it('publishNotReadyAddresses has it in the rules before it is Ready, and says so', () => {
  const text = `${pod('web-a', 'node-a', '{containerPort: 8080}')}apiVersion: v1
kind: Service
metadata: {name: web}
spec: {publishNotReadyAddresses: true, ${SELECTOR}, ${PORTS}}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 60s
apps: [{readyAfter: 30s}]
`.replace('ports: [{containerPort', 'readinessProbe: {tcpSocket: {port: 8080}}, ports: [{containerPort');
  const run = finishedRunOf(text);
  const why = ask(run, null);
  expect(why.answer).toMatchObject({ verdict: 'notReady', backend: { kind: 'published', nodes: 1 } });
  expect(pathEn.answer(why)).toMatch(/publishNotReadyAddresses/);
  expect(waitOf(run, why)).toBe(null);
});

describe('a Service without a selector', () => {
  const written = (ip: string): string => `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{name: '', port: 8080}]
endpoints: [{addresses: [${ip}]}]
`;
  it.each([
    ['names its address by hand', '10.1.0.11', true, /^It is a backend of web since/],
    ['names another one', '192.0.2.7', false, /^web has no selector: .* it is none of them/],
  ])('that %s', (_name, ip, isBackend, says) => {
    const text = `${pod('web-a', 'node-a', '{containerPort: 8080}')}apiVersion: v1
kind: Service
metadata: {name: web}
spec: {${PORTS}}
${written(ip)}---
apiVersion: podtopool/v1
kind: Scenario
duration: 10s
`;
    const why = ask(finishedRunOf(text), null);
    expect(why.isBackend).toBe(isBackend);
    expect(pathEn.answer(why)).toMatch(says);
  });
});

it('a Pod that has one port of two is a backend of that one, and the answer says of which not', () => {
  const ports = 'ports: [{name: num, port: 80, targetPort: 8080}, {name: named, port: 81, targetPort: http}]';
  const run = runOf(`${SELECTOR}, ${ports}`);
  expect(pathEn.answer(ask(run, null, 'web-b'))).toMatch(/^It is a backend of web .* Not of port named: no container/);
  expect(pathEn.answer(ask(run, null, 'web-a'))).not.toMatch(/Not of port/);
});
