import { describe, expect, it } from 'vitest';
import { caseRuns, first } from '../support/caseRuns.ts';
import type { ReadRun } from '../support/readRun.ts';

/** What clients of each kind meet, as written in a Scenario document. */

interface World {
  readonly service?: string;
  readonly pod?: string;
  readonly scenario?: string;
  readonly nodes?: readonly string[];
  readonly replicas?: number;
}

/** Clients of a Service of two Pods that answer from their start and are asked for readiness each second. */
function run(clients: string, world: World = {}): ReadRun {
  const { service = '', pod = '', scenario = '', nodes = ['node-a'], replicas = 2 } = world;
  const manifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: registry.example/web:1
        ports: [{containerPort: 8080}]
        readinessProbe: {httpGet: {port: 8080}, periodSeconds: 1}
${pod}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]${service}}
${nodes.map((name) => `---\napiVersion: v1\nkind: Node\nmetadata: {name: ${name}}`).join('\n')}`;
  const [ran] = caseRuns(manifests, `duration: 60s\n${scenario}\nclients: [${clients}]`, [1]);
  if (!ran) throw new Error('no run');
  return ran;
}

const attempts = (ran: ReadRun) => ran.all('clientAttempt');
const outcomes = (ran: ReadRun): readonly string[] => [...new Set(attempts(ran).map(({ payload }) => payload.outcome))];
/** When the first request was answered, s. */
const served = (ran: ReadRun): number =>
  first(ran.all('clientAttempt', ({ payload }) => payload.outcome === 'served').map(({ at }) => at / 1e6));
const DELETE_FIRST = 'actions: [{at: 20s, do: deletePod, pod: default/web#1/0}]';
/** When a request last went to the Pod that is deleted at 20 s, s. */
const lastToFirst = (ran: ReadRun): number =>
  (ran.all('clientAttempt', ({ payload }) => payload.pod === 'default/web#1/0').at(-1)?.at ?? 0) / 1e6;

describe('the name of a headless Service (T-004, T-005)', () => {
  const HEADLESS = { service: ', clusterIP: None' };
  const ask = (dns: string, start = 1, more: World = {}): ReadRun =>
    run(`{to: {service: web}, interval: 1s, start: ${start}s, dns: {${dns}}}`, { ...HEADLESS, ...more });

  it.each<[string, string, number]>([
    ['kubeadm: CoreDNS forgets at once that there was no such name', '', 2],
    ['addon: it says so for 30 s', 'profile: addon', 31],
    ['a cache on the node says so for 5 s', 'profile: nodeLocal', 6],
    ['a client says so itself as long as it remembers', 'clientCache: 10s', 12],
    ['and no longer than the answer lives', 'clientCache: 10s, ttl: 3s', 5],
  ])('%s', (_name, dns, expected) => {
    expect(Math.floor(served(ask(dns)))).toBe(expected);
  });

  it.each<[string, string, number, number]>([
    ['kubeadm: a deleted Pod is not asked any more', '', 0, 20.1],
    ['addon: it is, while the answer from before lives', 'profile: addon', 25, 35],
  ])('%s', (_name, dns, from, to) => {
    const last = lastToFirst(ask(dns, 5, { scenario: DELETE_FIRST }));
    expect(last).toBeGreaterThan(from);
    expect(last).toBeLessThan(to);
  });

  it('an answer says who gave it, and how long it may be repeated', () => {
    const [coredns, cache] = ask('profile: addon').all('dnsLookup');
    expect(coredns?.payload).toEqual({
      name: 'web.default.svc.cluster.local',
      from: 'coredns',
      answer: 'NXDOMAIN',
      ttl: 30,
    });
    expect(cache?.payload).toMatchObject({ from: 'cache', answer: 'NXDOMAIN', ttl: 29 });
  });

  it('who keeps its connection looks the name up once', () => {
    const ran = run('{to: {service: web}, start: 10s, keepAlive: {}}', HEADLESS);
    expect(ran.all('dnsLookup')).toHaveLength(1);
    expect(outcomes(ran)).toContain('served');
  });
});

describe('a watcher of slices (T-002)', () => {
  it('heeds a slice its lag after it came', () => {
    const ask = (lag: string): number =>
      lastToFirst(
        run(`{to: {service: web, via: endpointSlices, lag: ${lag}}, interval: 10ms}`, { scenario: DELETE_FIRST }),
      );
    expect(ask('0s')).toBeLessThan(20.1);
    expect(ask('5s')).toBeGreaterThan(24.9);
    expect(ask('5s')).toBeLessThan(25.1);
  });
});

describe('a load balancer (T-003)', () => {
  const nodes = ['node-a', 'node-b'];
  const scenario = `podsWithoutKubelet: [web]
actions: [{at: 20s, do: setReady, pod: default/web#1/0, ready: false}]`;
  const ask = (loadBalancer: string, policy = 'Local'): ReadRun =>
    run(`{to: {service: web, via: loadBalancer}, interval: 100ms, start: 10s, loadBalancer: {${loadBalancer}}}`, {
      service: `, type: LoadBalancer, externalTrafficPolicy: ${policy}`,
      scenario,
      nodes,
    });
  /** From the endpoint's end until the balancer leaves the node out, s. */
  const takes = (ran: ReadRun): number => first(ran.all('targetHealth').map(({ at }) => at / 1e6)) - 20;

  it.each<[string, string, number, number]>([
    ['three bad answers, 10 s apart', '', 20, 30.1],
    ['as many as it is set to', 'unhealthyThreshold: 1', 0, 10.1],
    ['as often as it is set to', 'interval: 2s', 4, 6.1],
    ['and what it takes to act on that', 'interval: 2s, delay: 8s', 12, 14.1],
  ])('leaves a node out after %s', (_name, balancer, from, to) => {
    expect(takes(ask(balancer))).toBeGreaterThan(from);
    expect(takes(ask(balancer))).toBeLessThan(to);
  });

  it('sends nothing to a node that it has left out', () => {
    const ran = ask('interval: 1s');
    const out = takes(ran) + 20;
    const vias = (from: number, to: number) =>
      new Set(attempts(ran).flatMap(({ at, payload }) => (at / 1e6 > from && at / 1e6 < to ? [payload.via] : [])));
    expect([...vias(10, out)].sort()).toEqual(nodes);
    expect([...vias(out, 60)]).toEqual(['node-b']);
  });

  it('asks the node itself where the Service has no health check port', () => {
    expect(ask('interval: 1s', 'Cluster').all('targetHealth')).toEqual([]);
  });
});
