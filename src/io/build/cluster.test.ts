import { describe, expect, it } from 'vitest';
import type { ClusterInput } from '../../sim/clusterInput.ts';
import { readScenario } from '../readScenario.ts';

const PODS = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 2
  serviceName: web
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: i, ports: [{name: http, containerPort: 8080}]}]
---
apiVersion: v1
kind: Node
metadata: {name: node-a, labels: {topology.kubernetes.io/zone: zone-1}}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
status: {allocatable: {cpu: 500m}, conditions: [{type: Ready, status: 'False'}]}
`;
const service = (spec: string, name = 'web'): string => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec: ${spec}
`;
const GOOD = service('{selector: {app: web}, ports: [{port: 80, targetPort: http}]}');
/** Lines before a Service that is written first. */
const first = (spec: string): string => service(spec).replace('---\n', '');
const complaints = (text: string): string[] =>
  readScenario(text)
    .issues.filter(({ severity }) => severity !== 'note')
    .map(({ line, column, severity, message, remedy }) => `${line}:${column} ${severity} ${message}. ${remedy}`);

function clusterOf(text: string): ClusterInput {
  const { scenario, issues } = readScenario(text);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (!scenario?.cluster) throw new Error('no cluster');
  return scenario.cluster;
}
const created = (text: string) =>
  clusterOf(text).writes.flatMap((write) => (write.do === 'create' ? [{ at: write.at, ...write.stored }] : []));
const services = (text: string) =>
  created(text).flatMap((stored) => (stored.resource === 'services' ? [stored.object.spec] : []));

describe('a text with a Service', () => {
  it('has a control plane and one kube-proxy on each node, idle when the run begins', () => {
    const { start, proxies, existing } = clusterOf(PODS + GOOD);
    expect(start).toBeLessThan(0);
    expect(proxies.map(({ name, node, mode }) => [name, node, mode])).toEqual([
      ['kube-proxy-node-a', 'node-a', 'iptables'],
      ['kube-proxy-node-b', 'node-b', 'iptables'],
    ]);
    expect(proxies.every((proxy) => proxy.start > start && proxy.start < 0)).toBe(true);
    expect(existing.map(({ resource, object }) => ('meta' in object ? [resource, object.meta.name] : []))).toEqual([
      ['nodes', 'node-a'],
      ['nodes', 'node-b'],
    ]);
  });

  it('has none without one', () => {
    expect(readScenario(PODS).scenario?.cluster).toBeNull();
  });

  it('reads zone, CPU and readiness of Nodes', () => {
    const nodes = clusterOf(PODS + GOOD).existing.flatMap(({ resource, object }) =>
      resource === 'nodes' ? [[object.meta.labels['topology.kubernetes.io/zone'], object.cpuMillis, object.ready]] : [],
    );
    expect(nodes).toEqual([
      ['zone-1', 4000, 'True'],
      [undefined, 500, 'False'],
    ]);
  });

  it('gives Pods their labels, ports and host names', () => {
    const [pod] = readScenario(PODS + GOOD).scenario?.pods ?? [];
    expect(pod).toMatchObject({
      labels: { app: 'web', 'statefulset.kubernetes.io/pod-name': 'web-0' },
      hostname: 'web-0',
      subdomain: 'web',
      containers: [{ ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }],
    });
  });

  it('creates it in its turn, 20 ms after the object before it', () => {
    expect(
      created(PODS + GOOD + service('{clusterIP: None, selector: {app: web}}', 'peers')).map(({ at }) => at),
    ).toEqual([20_000, 40_000]);
  });

  it('has the address that it asks for, and no two have the same', () => {
    const text = PODS + service('{clusterIP: 10.96.0.10, selector: {app: web}, ports: [{port: 80}]}', 'fixed') + GOOD;
    expect(services(text).map(({ clusterIP }) => clusterIP)).toEqual(['10.96.0.10', '10.96.0.12']);
  });

  it.each<[name: string, spec: string, expected: object]>([
    [
      'the defaults of the API server',
      '{selector: {app: web}, ports: [{port: 80}]}',
      {
        type: 'ClusterIP',
        ports: [{ name: '', protocol: 'TCP', port: 80, targetPort: 80, nodePort: 0, appProtocol: null }],
        ipFamilies: ['IPv4'],
        internalTrafficPolicy: 'Cluster',
        externalTrafficPolicy: 'Cluster',
        affinitySeconds: null,
        healthCheckNodePort: 0,
      },
    ],
    ['headless', '{clusterIP: None, selector: {app: web}}', { clusterIP: 'None', ports: [], ipFamilies: ['IPv4'] }],
    [
      'a node port that is not given',
      '{type: NodePort, selector: {app: web}, ports: [{port: 80}]}',
      { ports: [{ nodePort: 30_080 }] },
    ],
    [
      'a load balancer that keeps the source, with its health check port',
      '{type: LoadBalancer, externalTrafficPolicy: Local, selector: {app: web}, ports: [{port: 80}]}',
      { healthCheckNodePort: 30_081, loadBalancerIngress: [{ ip: '203.0.113.1', ipMode: 'VIP' }] },
    ],
    [
      'affinity of three hours',
      '{sessionAffinity: ClientIP, selector: {app: web}, ports: [{port: 80}]}',
      { affinitySeconds: 10_800 },
    ],
    [
      'ExternalName, which has no address',
      '{type: ExternalName, externalName: db.example}',
      { clusterIP: '', selector: null },
    ],
  ])('has %s', (_name, spec, expected) => {
    expect(services(PODS + service(spec))[0]).toMatchObject(expected);
  });

  it.each<[name: string, spec: string, families: readonly string[], ips: readonly string[]]>([
    ['of IPv6', 'ipFamilies: [IPv6]', ['IPv6'], ['fd00:10:96::a']],
    ['by its address', 'clusterIP: "fd00::7"', ['IPv6'], ['fd00::7']],
    ['of both', 'ipFamilyPolicy: RequireDualStack', ['IPv4', 'IPv6'], ['10.96.0.10', 'fd00:10:96::a']],
    [
      'of both, as the cluster is',
      'ipFamilyPolicy: PreferDualStack',
      ['IPv4', 'IPv6'],
      ['10.96.0.10', 'fd00:10:96::a'],
    ],
    [
      'of both, IPv6 first',
      'ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6]',
      ['IPv6', 'IPv4'],
      ['fd00:10:96::a', '10.96.0.10'],
    ],
    ['by two addresses', 'clusterIPs: [10.96.0.9, "fd00::9"]', ['IPv4', 'IPv6'], ['10.96.0.9', 'fd00::9']],
    ['headless, of IPv6', 'clusterIP: None, ipFamilies: [IPv6]', ['IPv6'], ['None']],
  ])('is %s, and so are kube-proxy and the Pods', (_name, spec, families, ips) => {
    const text = PODS + service(`{${spec}, selector: {app: web}, ports: [{port: 80}]}`);
    expect(complaints(text)).toEqual([]);
    expect(services(text)[0]).toMatchObject({ ipFamilies: families, clusterIP: ips[0], clusterIPs: ips });
    const { proxies, isDualStack } = clusterOf(text);
    expect([proxies[0]?.ipFamilies, isDualStack]).toEqual([['IPv4', 'IPv6'], true]);
  });

  it('has one family where nothing asks for more', () => {
    const { proxies, isDualStack } = clusterOf(PODS + GOOD);
    expect([proxies[0]?.ipFamilies, isDualStack]).toEqual([['IPv4'], undefined]);
  });

  it('gets no node port that another one asks for, and none where it wants none', () => {
    const nodePort = (name: string, port: string) =>
      service(`{type: LoadBalancer, selector: {app: web}, ports: [{port: 80${port}}]}`, name);
    const text = PODS + nodePort('a', '') + nodePort('b', ', nodePort: 30080') + nodePort('c', ', nodePort: 0');
    expect(services(text).map(({ ports }) => ports[0]?.nodePort)).toEqual([30_081, 30_080, 30_082]);
    const without = service(
      '{type: LoadBalancer, allocateLoadBalancerNodePorts: false, selector: {app: web}, ports: [{port: 80}]}',
    );
    expect(services(PODS + without)[0]?.ports[0]?.nodePort).toBe(0);
  });

  it('reads Endpoints and slices written by hand', () => {
    const text = `${PODS}${service('{ports: [{port: 5432}]}', 'db')}---
apiVersion: v1
kind: Endpoints
metadata: {name: db}
subsets: [{addresses: [{ip: 192.0.2.7}], ports: [{port: 5432}]}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: db-1, labels: {kubernetes.io/service-name: db}}
addressType: IPv4
ports: [{port: 5432}]
endpoints: [{addresses: [192.0.2.8], conditions: {ready: true}, zone: zone-1}]
`;
    expect(complaints(text)).toEqual([]);
    expect(created(text).slice(1)).toMatchObject([
      { resource: 'endpoints', object: { subsets: [{ addresses: [{ ip: '192.0.2.7', nodeName: null }] }] } },
      {
        resource: 'endpointslices',
        object: { endpoints: [{ ready: true, serving: null, zone: 'zone-1', hints: null }] },
      },
    ]);
  });
});

describe('what is wrong with a Service', () => {
  it.each<[spec: string, issue: string]>([
    ['{selector: {app: web}}', '4:1 error a Service needs at least one port. Add ports, such as - port: 80.'],
    [
      '{selector: {app: web}, ports: [{port: 80}, {port: 81, name: b}]}',
      '4:38 error each port needs a name when a Service has several. Add name, such as name: http.',
    ],
    [
      '{clusterIP: None, type: NodePort, selector: {app: web}, ports: [{port: 80}]}',
      '4:19 error a headless Service cannot be of type NodePort. Remove clusterIP, or write type: ClusterIP.',
    ],
    [
      '{externalTrafficPolicy: Local, selector: {app: web}, ports: [{port: 80}]}',
      '4:31 error externalTrafficPolicy is only for a Service that is reached from outside. Remove it, or write type: NodePort or type: LoadBalancer.',
    ],
    [
      '{selector: {app: web}, ports: [{port: 0}]}',
      '4:45 error a port must be between 1 and 65535. Write the number of the port that the process listens on.',
    ],
    [
      '{selector: {app: web}, ports: [{port: 80, nodePort: 30080}]}',
      '4:59 error nodePort is only for type NodePort or LoadBalancer. Remove it, or write type: NodePort.',
    ],
    [
      '{type: NodePort, selector: {app: web}, ports: [{name: a, port: 80, nodePort: 30080}, {name: b, port: 81, nodePort: 30080}]}',
      '4:122 error nodePort 30080 (TCP) is given twice. Remove one of them: the API server chooses one.',
    ],
    [
      '{loadBalancerSourceRanges: [10.0.0.0/8], selector: {app: web}, ports: [{port: 80}]}',
      '4:8 error loadBalancerSourceRanges is only for type LoadBalancer. Remove it, or write type: LoadBalancer.',
    ],
    [
      '{sessionAffinityConfig: {clientIP: {timeoutSeconds: 9}}, selector: {app: web}, ports: [{port: 80}]}',
      '4:8 warning the API server drops sessionAffinityConfig where sessionAffinity is None. Write sessionAffinity: ClientIP if connections of one client are to go to one Pod.',
    ],
    [
      '{clusterIP: 10.96.0.5, clusterIPs: [10.96.0.6], selector: {app: web}, ports: [{port: 80}]}',
      '4:43 error the first of clusterIPs must be clusterIP, 10.96.0.5. Write 10.96.0.5.',
    ],
    [
      '{ipFamilyPolicy: SingleStack, ipFamilies: [IPv4, IPv6], selector: {app: web}, ports: [{port: 80}]}',
      '4:56 error with ipFamilyPolicy SingleStack ipFamilies has one entry. Write ipFamilyPolicy: PreferDualStack or RequireDualStack, or keep only the first.',
    ],
    [
      '{clusterIPs: [10.96.0.6], ipFamilies: [IPv6], selector: {app: web}, ports: [{port: 80}]}',
      '4:21 error 10.96.0.6 is no IPv6 address, as ipFamilies asks. Write both in one order.',
    ],
    [
      '{type: ExternalName, externalName: a.example, clusterIP: 10.96.0.5}',
      '4:64 error a Service of type ExternalName has no cluster IP. Remove it.',
    ],
    ['{selectors: {app: web}, ports: [{port: 80}]}', '4:8 error unknown field selectors. Did you mean selector?'],
    [
      '{trafficDistribution: PreferNear, selector: {app: web}, ports: [{port: 80}]}',
      '4:29 error trafficDistribution must be PreferClose or PreferSameZone or PreferSameNode, not the text "PreferNear". Known here: PreferClose, PreferSameZone, PreferSameNode.',
    ],
    [
      '{selector: {app: wbe}, ports: [{port: 80}]}',
      '4:8 warning the selector of Service web matches no Pod of this text: it has no backends. The Pods of StatefulSet web have app: web (spec.template.metadata.labels).',
    ],
    [
      '{selector: {app: web}, ports: [{port: 80, targetPort: htpp}]}',
      '4:61 warning no container of StatefulSet web has a port named htpp: its Pods get no traffic on port 80. Did you mean http?',
    ],
    [
      '{selector: {app: web}, ports: [{port: 80, targetPort: http, protocol: UDP}]}',
      "4:61 warning no container of StatefulSet web has a port named http: its Pods get no traffic on port 80. The container's port http is TCP, this one is UDP.",
    ],
    [
      '{ports: [{port: 80}]}',
      '4:1 warning Service web has no selector, and nobody writes Endpoints or slices for it: it never has a backend. Add a selector with labels of the Pods, or an EndpointSlice with kubernetes.io/service-name.',
    ],
  ])('%s', (spec, issue) => {
    expect(complaints(`${first(spec)}---\n${PODS}`)).toEqual([issue]);
  });

  it.each([
    ['clusterIP: 10.96.0.7', '{port: 80}', /10\.96\.0\.7 is already that of Service default\/a/],
    ['type: NodePort', '{port: 80, nodePort: 30090}', /nodePort 30090 is already that of Service default\/a/],
  ])('%s of another Service', (fields, port, says) => {
    const one = (name: string) => service(`{${fields}, selector: {app: web}, ports: [${port}]}`, name);
    const [issue, ...others] = complaints(PODS + one('a') + one('b'));
    expect(issue).toMatch(says);
    expect(others).toEqual([]);
  });

  it('names a Service of another namespace', () => {
    const text = `${PODS}---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80}]}
`;
    expect(complaints(text)[0]).toContain('in namespace default: a Service selects in its own');
  });
});

describe('settings of the cluster', () => {
  const read = (fields: string) => clusterOf(`${PODS}${GOOD}---\napiVersion: podtopool/v1\nkind: Scenario\n${fields}`);

  it('have the names of the flags and of the KubeProxyConfiguration', () => {
    const { controllers, proxies } = read(`controllerManager:
  endpoint-updates-batch-period: 500ms
  max-endpoints-per-slice: 7
kubeProxy: {mode: nftables, minSyncPeriod: 3s, writesFail: {from: 5s, to: 9s}}
`);
    expect(controllers.endpoints.batchPeriod).toBe(500_000);
    expect(controllers.endpointslices).toMatchObject({ batchPeriod: 0, maxEndpointsPerSlice: 7 });
    expect(proxies[0]).toMatchObject({
      mode: 'nftables',
      minSyncPeriod: 3_000_000,
      syncPeriod: 30_000_000,
      fail: { from: 5_000_000, until: 9_000_000 },
    });
  });

  it('ipvs rests for no time between two syncs unless told so', () => {
    expect(read('kubeProxy: {mode: ipvs}').proxies[0]?.minSyncPeriod).toBe(0);
    expect(read('kubeProxy: {mode: ipvs, minSyncPeriod: 2s}').proxies[0]?.minSyncPeriod).toBe(2_000_000);
  });

  it('let Pods run without a kubelet, Ready from before the start, and actions change them', () => {
    const text = `${PODS}${GOOD}---
apiVersion: podtopool/v1
kind: Scenario
podsWithoutKubelet: [web]
actions:
  - {at: 5s, do: setReady, pod: web-1, ready: false}
  - {at: 9s, do: deletePod, pod: web-0, graceSeconds: 4}
  - {at: 11s, do: deleteSlices, service: web}
`;
    const { scenario } = readScenario(text);
    expect(scenario?.pods).toEqual([]);
    const { existing, writes } = clusterOf(text);
    const pods = existing.flatMap(({ resource, object }) => (resource === 'pods' ? [object] : []));
    expect(pods.map(({ input, status }) => [input.name, status.phase, status.podIPs.length])).toEqual([
      ['web-0', 'Running', 1],
      ['web-1', 'Running', 1],
    ]);
    expect(writes.slice(1)).toEqual([
      { at: 5_000_000, do: 'setReady', pod: 'default/web#1/1', ready: false },
      { at: 9_000_000, do: 'deletePod', pod: 'default/web#1/0', graceSeconds: 4 },
      { at: 13_000_000, do: 'removePod', pod: 'default/web#1/0' },
      { at: 11_000_000, do: 'deleteSlices', service: 'default/web' },
    ]);
  });

  it.each<[fields: string, message: string]>([
    ['podsWithoutKubelet: [wbe]', 'there is no workload wbe in this text'],
    [
      'actions: [{at: 1s, do: setReady, pod: web-0, ready: true}]',
      'web-0 has a kubelet, which decides whether it is Ready',
    ],
    ['actions: [{at: 1s, do: deleteService, service: wbe}]', 'there is no Service wbe in this text'],
    ['actions: [{at: 1s, do: touchSlice}]', 'touchSlice needs service'],
    ['kubeProxy: {mode: iptable}', 'mode must be iptables or nftables or ipvs or ebpf, not the text "iptable"'],
  ])('%s is refused', (fields, message) => {
    const { issues } = readScenario(`${PODS}${GOOD}---\napiVersion: podtopool/v1\nkind: Scenario\n${fields}\n`);
    expect(issues.map((issue) => issue.message)).toContain(message);
  });
});
