/** A cluster with both address families, from the text to the answer of a request (C-203, P-006). */
import { describe, expect, it } from 'vitest';
import { micros } from '../../src/base/units.ts';
import { backendAt, isBackend } from '../../src/explain/backendAt.ts';
import { ruleLines } from '../../src/explain/rulesView.ts';
import { historyOf, slicesOf } from '../../src/sim/trace/storedObjects.ts';
import { finishedRunOf } from '../support/services.ts';

const run = (mode: string, spec: string, clients: string) =>
  finishedRunOf(`apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: app, image: i, ports: [{containerPort: 8080}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {${spec}, selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 10s
kubeProxy: {mode: ${mode}}
clients: [${clients}]
`);
const AT = micros(9e6);

describe.each(['iptables', 'nftables', 'ipvs', 'ebpf'])('%s', (mode) => {
  it.each([
    ['the cluster IP', 'ipFamilies: [IPv6]', '{to: {service: web}}'],
    ['a node port', 'type: NodePort, ipFamilies: [IPv6]', '{to: {service: web, via: nodePort}}'],
    ['a load balancer', 'type: LoadBalancer, ipFamilies: [IPv6]', '{to: {service: web, via: loadBalancer}}'],
  ])('a Service of IPv6 serves by %s', (_name, spec, client) => {
    const { reader } = run(mode, spec, client);
    const outcomes = reader.events().flatMap((event) => (event.kind === 'clientAttempt' ? event.payload.outcome : []));
    expect(outcomes.at(-1)).toBe('served');
  });
});

describe('a Service of both families', () => {
  const both = run('iptables', 'ipFamilyPolicy: RequireDualStack', '');
  const [pod] = both.scenario.pods;
  const [view] = pod ? backendAt(both, pod, AT) : [];

  it('has a slice for each, with the Pod in it', () => {
    const slices = slicesOf(both.reader, 'default/web').map(
      (key) => historyOf(both.reader, 'endpointslices', key).at(-1)?.object,
    );
    const listed = slices.map((slice) => [slice?.addressType, slice?.endpoints.flatMap(({ addresses }) => addresses)]);
    expect(listed.sort()).toEqual([
      ['IPv4', ['10.1.0.11']],
      ['IPv6', ['fd00:10:1::b']],
    ]);
  });

  it('has rules for each that name the Pod', () => {
    const lines = ruleLines(both.reader, 'kube-proxy-node-a', AT);
    expect(lines.map(({ frontend, backends }) => [frontend, backends.map((one) => one.pod)])).toEqual([
      ['10.96.0.10:80/tcp', ['web']],
      ['[fd00:10:96::a]:80/tcp', ['web']],
    ]);
  });

  it('has it as a backend', () => {
    expect(view && isBackend(view)).toBe(true);
  });
});

it('a Pod that only rules of IPv6 name is a backend all the same', () => {
  const six = run('iptables', 'ipFamilies: [IPv6]', '');
  const [pod] = six.scenario.pods;
  const [view] = pod ? backendAt(six, pod, AT) : [];
  expect(view && isBackend(view)).toBe(true);
});
