/** Random whole paths: kubelets, controllers, kube-proxies and clients of one Service, as people would paste them. */
import * as fc from 'fast-check';
import { readScenario } from '../../src/io/readScenario.ts';
import type { Scenario } from '../../src/sim/scenario.ts';

const NODES = ['node-a', 'node-b'];
const DURATION = 60;

const int = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const seldom = fc.constantFrom(...Array<boolean>(6).fill(false), true);
const tenths = (max: number): fc.Arbitrary<string> => int(0, max * 10).map((n) => `${n / 10}s`);
const maybe = (text: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.option(text).map((given) => given ?? '');

const probe = (name: string): fc.Arbitrary<string> =>
  fc
    .record({ period: int(1, 12), delay: int(0, 5), failures: int(1, 4), path: fc.constantFrom('/', '/ready') })
    .map(
      ({ period, delay, failures, path }) =>
        `          ${name}Probe: {httpGet: {path: ${path}, port: 8080}, periodSeconds: ${period}, initialDelaySeconds: ${delay}, failureThreshold: ${failures}}\n`,
    );

const outage = fc
  .record({ from: int(5, 40), lasts: int(1, 20), answer: fc.constantFrom('fail', 'hang', 'refuse', 'slow') })
  .map(({ from, lasts, answer }) => `{from: ${from}s, to: ${from + lasts}s, answer: ${answer}, takes: 1500ms}`);

const app = fc
  .record({
    readyAfter: tenths(8),
    outages: fc.array(outage, { maxLength: 2 }),
    exit: maybe(int(6, 50).map((at) => `, exit: {at: ${at}s, code: 1}`)),
    onTerm: fc.constantFrom(
      '',
      ', onTerm: {exitAfter: 3s}',
      ', onTerm: {exitAfter: 4s, outages: [{from: 0s, answer: refuse}]}',
    ),
  })
  .map(
    ({ readyAfter, outages, exit, onTerm }) =>
      `{workload: web, readyAfter: ${readyAfter}, outages: [${outages.join(', ')}]${exit}${onTerm}}`,
  );

/** Somebody outside opens or closes the readiness gate. */
const GATE = 'patchCondition, workload: web, condition: lb.example/ready';

const action = fc
  .tuple(
    int(5, 50),
    fc.constantFrom(
      'deletePod, workload: web',
      'deletePod, workload: web',
      'deletePod, workload: web',
      'rollOut, workload: web, image: "i:2"',
      'scale, workload: web, replicas: 1',
      'scale, workload: web, replicas: 4',
      'restartKubelet, node: node-a, down: 4s',
      'cutApi, node: node-b, lasts: 6s',
      'cutNode, node: node-b, lasts: 8s',
      'labelPod, workload: web, labels: {app: other}',
      'deleteSlices, service: web',
      `${GATE}, status: 'True'`,
      `${GATE}, status: 'False'`,
    ),
  )
  .map(([at, what]) => `  - {at: ${at}s, do: ${what}}\n`);

const client = fc
  .record({
    from: fc.constantFrom('{node: node-a}', '{node: node-b}', '{pod: probe-0}'),
    interval: int(200, 3000),
    more: fc.constantFrom(
      '',
      ', keepAlive: {}',
      ', keepAlive: {maxRequests: 3}',
      ', retries: {count: 2, delay: 100ms}',
    ),
  })
  .map(({ from, interval, more }) => `{from: ${from}, to: {service: web}, interval: ${interval}ms${more}}`);

/** Not all of what is drawn goes together: what the product refuses is drawn again. */
export const randomPaths: fc.Arbitrary<Scenario> = fc
  .record({
    seed: int(0, 1_000_000),
    kind: fc.constantFrom('Deployment', 'StatefulSet'),
    replicas: int(1, 3),
    minReady: int(0, 4),
    startup: maybe(probe('startup')),
    readiness: fc.oneof({ weight: 4, arbitrary: probe('readiness') }, { weight: 1, arbitrary: fc.constant('') }),
    liveness: maybe(probe('liveness')),
    preStop: fc.constantFrom('', '          lifecycle: {preStop: {sleep: {seconds: 3}}}\n'),
    publish: seldom,
    gate: seldom,
    local: seldom,
    mode: fc.constantFrom('iptables', 'iptables', 'nftables', 'ipvs', 'ebpf'),
    minSync: tenths(2),
    batch: fc.constantFrom('0s', '0s', '0.5s'),
    app,
    actions: fc.array(action, { maxLength: 3 }),
    clients: fc.array(client, { minLength: 1, maxLength: 3 }),
  })
  .map((given) => readScenario(textOf(given)).scenario)
  .filter((scenario) => scenario !== null);

type Given = Readonly<
  Record<'kind' | 'startup' | 'readiness' | 'liveness' | 'preStop' | 'mode' | 'minSync' | 'batch' | 'app', string> &
    Record<'seed' | 'replicas' | 'minReady', number> &
    Record<'publish' | 'local' | 'gate', boolean> &
    Record<'actions' | 'clients', readonly string[]>
>;

const textOf = (given: Given): string => `${NODES.map(
  (name) => `apiVersion: v1
kind: Node
metadata: {name: ${name}}
---
`,
).join('')}apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  publishNotReadyAddresses: ${given.publish}
  internalTrafficPolicy: ${given.local ? 'Local' : 'Cluster'}
  ports: [{name: http, port: 80, targetPort: 8080}]
---
apiVersion: v1
kind: Pod
metadata: {name: probe-0}
spec: {nodeName: node-b, containers: [{name: app, image: i}]}
---
apiVersion: apps/v1
kind: ${given.kind}
metadata: {name: web}
spec:
  replicas: ${given.replicas}
  minReadySeconds: ${given.minReady}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
${given.gate ? '      readinessGates: [{conditionType: lb.example/ready}]\n' : ''}      containers:
        - name: app
          image: i
          ports: [{containerPort: 8080}]
${given.startup}${given.readiness}${given.liveness}${given.preStop}---
apiVersion: podtopool/v1
kind: Scenario
seed: ${given.seed}
duration: ${DURATION}s
kubeProxy: {mode: ${given.mode}, minSyncPeriod: ${given.minSync}}
controllerManager: {endpointslice-updates-batch-period: ${given.batch}}
apps: [${given.app}]
actions:${given.actions.length === 0 ? ' []' : `\n${given.actions.join('')}`}
clients: [${given.clients.map((one, place) => one.replace('{', `{name: c${place}, `)).join(', ')}]
`;
