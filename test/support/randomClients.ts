/** Random clients of a Deployment and of the headless Service beside it, on two nodes, while Pods come, fail and go. */
import * as fc from 'fast-check';
import { readScenario } from '../../src/io/readScenario.ts';
import type { Scenario } from '../../src/sim/scenario.ts';

const DURATION = 45;
const int = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const seconds = (min: number, max: number): fc.Arbitrary<string> => int(min * 1000, max * 1000).map((ms) => `${ms}ms`);
/** A field of a flow map, or nothing. */
const maybe = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.option(value, { nil: '' }).map((text) => (text === '' ? '' : `, ${name}: ${text}`));

const dns = fc
  .tuple(
    fc.constantFrom('kubeadm', 'addon', 'nodeLocal'),
    maybe('clientCache', seconds(1, 9)),
    maybe(
      'ttl',
      int(2, 20).map((length) => `${length}s`),
    ),
  )
  .map(([profile, cache, ttl]) => `, dns: {profile: ${profile}${cache}${ttl}}`);
const fromInside = fc.constantFrom('', ', from: {node: node-b}', ', from: {pod: default/web#1/0}');
const target = fc.oneof(
  { weight: 3, arbitrary: fromInside.map((from) => `to: {service: web}${from}`) },
  { weight: 1, arbitrary: fromInside.map((from) => `to: {service: web, port: udp}${from}`) },
  { weight: 2, arbitrary: fc.tuple(fromInside, dns).map(([from, how]) => `to: {service: names}${from}${how}`) },
  {
    weight: 1,
    arbitrary: seconds(0, 3).map((lag) => `to: {service: web, via: endpointSlices, lag: ${lag}}`),
  },
  { weight: 1, arbitrary: fc.constant('to: {service: web, via: nodePort}') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(seconds(1, 5), seconds(0, 2))
      .map(
        ([interval, delay]) =>
          `to: {service: web, via: loadBalancer}, loadBalancer: {interval: ${interval}, delay: ${delay}}`,
      ),
  },
);
const keepAlive = maybe(
  'keepAlive',
  fc
    .tuple(
      maybe('idleTimeout', seconds(1, 4)),
      maybe('appIdleTimeout', seconds(1, 4)),
      maybe('maxRequests', int(1, 20).map(String)),
    )
    .map((fields) => `{${fields.join('').slice(2)}}`),
);
const retries = maybe(
  'retries',
  fc.tuple(int(0, 3), seconds(0, 1)).map(([count, delay]) => `{count: ${count}, delay: ${delay}}`),
);
const client = fc.tuple(target, seconds(0, 4), keepAlive, retries, fc.constantFrom('150ms', '400ms', '1700ms'));

const ANSWERS = ['refuse', 'fail', 'hang', 'slow, takes: 900ms'];
const outage = fc
  .tuple(int(0, 30), int(1, 15), fc.constantFrom(...ANSWERS))
  .map(([from, lasts, answer]) => `{from: ${from}s, to: ${from + lasts}s, answer: ${answer}}`);
const app = fc
  .record({
    answersIn: seconds(0, 0.3 as number),
    outages: fc.array(outage, { maxLength: 2 }),
    exitAfter: seconds(0, 5),
    exit: maybe(
      'exit',
      int(5, 40).map((at) => `{at: ${at}s}`),
    ),
  })
  .map(
    ({ answersIn, outages, exitAfter, exit }) =>
      `{workload: web, answersIn: ${answersIn}, outages: [${outages.join(', ')}], onTerm: {exitAfter: ${exitAfter}}${exit}}`,
  );
const action = fc
  .tuple(
    int(2000, 35_000),
    fc.constantFrom(
      'deletePod, pod: default/web#1/0',
      'deletePod, workload: web',
      'scale, workload: web, replicas: 1',
      'scale, workload: web, replicas: 4',
      'stopNode, node: node-b',
      'cutNode, node: node-b, lasts: 5s',
      'rollOut, workload: web',
    ),
  )
  .map(([at, what]) => `{at: ${at}ms, do: ${what}}`);

const manifests = (replicas: number, preStop: boolean, policy: string, mode: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 8
      containers:
      - name: app
        image: registry.example/web:1
        ports: [{containerPort: 8080}, {containerPort: 53, protocol: UDP}]
        readinessProbe: {httpGet: {port: 8080}, periodSeconds: 2, failureThreshold: 2}
        ${preStop ? 'lifecycle: {preStop: {sleep: {seconds: 3}}}' : ''}
${['node-a', 'node-b'].map((name) => `---\napiVersion: v1\nkind: Node\nmetadata: {name: ${name}}\n`).join('')}---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  type: LoadBalancer
  externalTrafficPolicy: ${policy}
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: 8080}, {name: udp, port: 53, targetPort: 53, protocol: UDP}]
---
apiVersion: v1
kind: Service
metadata: {name: names}
spec: {clusterIP: None, selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}
---
apiVersion: podtopool/v1
kind: Scenario
duration: ${DURATION}s
kubeProxy: {mode: ${mode}}
`;

/** One to four clients for 45 s. */
export const randomClients: fc.Arbitrary<Scenario> = fc
  .record({
    replicas: int(1, 4),
    preStop: fc.boolean(),
    policy: fc.constantFrom('Cluster', 'Local'),
    mode: fc.constantFrom('iptables', 'nftables', 'ipvs'),
    clients: fc.array(client, { minLength: 1, maxLength: 4 }),
    app,
    actions: fc.array(action, { maxLength: 3 }),
    seed: int(0, 1000),
  })
  .map(({ replicas, preStop, policy, mode, clients, app: behaviour, actions, seed }) => {
    const listed = clients.map(
      ([to, start, kept, again, interval], i) =>
        `- {name: c${i}, ${to}, start: ${start}, interval: ${interval}, timeout: 1s${kept}${again}}`,
    );
    const text = `${manifests(replicas, preStop, policy, mode)}seed: ${seed}
apps: [${behaviour}]
actions: [${actions.join(', ')}]
clients:
${listed.join('\n')}
`;
    const { scenario, issues } = readScenario(text);
    const [error] = issues.filter(({ severity }) => severity === 'error');
    if (!scenario) throw new Error(`${error?.line}: ${error?.message}\n${text}`);
    return scenario;
  });
