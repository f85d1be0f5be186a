import { describe, expect, it } from 'vitest';
import { first } from '../support/caseRuns.ts';
import { attempts, clientRun, DELETE_FIRST, lastToFirst, outcomes, served, type World } from '../support/clientRun.ts';
import type { ReadRun } from '../support/readRun.ts';

/** How clients of each kind find a backend, as written in a Scenario document. */

describe('the name of a headless Service (T-004, T-005)', () => {
  const HEADLESS = { service: ', clusterIP: None' };
  const ask = (dns: string, start = 1, more: World = {}): ReadRun =>
    clientRun(`{to: {service: web}, interval: 1s, start: ${start}s, dns: {${dns}}}`, { ...HEADLESS, ...more });

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
    const ran = clientRun('{to: {service: web}, start: 10s, keepAlive: {}}', HEADLESS);
    expect(ran.all('dnsLookup')).toHaveLength(1);
    expect(outcomes(ran)).toContain('served');
  });
});

describe('a watcher of slices (T-002)', () => {
  it('heeds a slice its lag after it came', () => {
    const ask = (lag: string): number =>
      lastToFirst(
        clientRun(`{to: {service: web, via: endpointSlices, lag: ${lag}}, start: 18s, interval: 20ms}`, {
          scenario: DELETE_FIRST,
        }),
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
    clientRun(`{to: {service: web, via: loadBalancer}, interval: 100ms, start: 10s, loadBalancer: {${loadBalancer}}}`, {
      service: `, type: LoadBalancer, externalTrafficPolicy: ${policy}`,
      scenario,
      nodes,
    });
  /** From the endpoint's end until the balancer leaves the node out, s. */
  const takes = (ran: ReadRun): number =>
    first(ran.all('targetHealth', ({ payload }) => payload.state === 'unhealthy').map(({ at }) => at / 1e6)) - 20;

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

  it('is asked why it chose that node: its last word on it, and the health check behind that', () => {
    const ran = ask('interval: 1s');
    const causes = (ref: Parameters<typeof ran.reader.causesOf>[0]) =>
      ran.reader.causesOf(ref).map((cause) => ran.reader.event(cause));
    const [attempt] = attempts(ran);
    const health = attempt && causes(attempt.ref).find(({ kind }) => kind === 'targetHealth');
    expect(health?.payload).toEqual({ node: attempt?.payload.via, state: 'healthy' });
    expect(health && causes(health.ref).map(({ kind }) => kind)).toEqual(['healthCheck']);
  });

  it('asks the node itself where the Service has no health check port', () => {
    const states = ask('interval: 1s', 'Cluster')
      .all('targetHealth')
      .map(({ payload }) => payload);
    expect(states).toEqual(nodes.map((node) => ({ node, state: 'healthy' })));
  });
});

describe('where a client is', () => {
  it('in a Pod, it asks while that runs', () => {
    const ran = clientRun('{from: {pod: default/web#1/0}, to: {service: web}, interval: 100ms}', {
      scenario: DELETE_FIRST,
    });
    const times = attempts(ran).map(({ at }) => at / 1e6);
    expect(first(times)).toBeGreaterThan(1);
    expect(times.at(-1)).toBeLessThan(20.2);
  });
  it('on a node, it asks while that has power', () => {
    const scenario = 'actions: [{at: 20s, do: stopNode, node: node-a}]';
    const times = attempts(clientRun('{to: {service: web}, interval: 100ms}', { scenario })).map(({ at }) => at / 1e6);
    expect(times.at(-1)).toBeLessThanOrEqual(20);
  });
  it('outside, a node port of a stopped node is silent', () => {
    const ran = clientRun('{to: {service: web, via: nodePort, node: node-b}, start: 5s, interval: 1s}', {
      service: ', type: NodePort',
      nodes: ['node-a', 'node-b'],
      scenario: 'actions: [{at: 20s, do: stopNode, node: node-b}]',
    });
    const after = ran.all('clientAttempt', ({ at }) => at > 20e6);
    expect(new Set(after.map(({ payload }) => payload.outcome))).toEqual(new Set(['timeout', '']));
    expect(new Set(after.map(({ payload }) => payload.via))).toEqual(new Set(['node-b']));
  });
  it('asks a Pod by its own address, whatever the rules say', () => {
    const ran = clientRun('{to: {pod: default/web#1/0, port: 8080}, start: 5s}', {
      scenario: 'apps: [{workload: web, outages: [{from: 0s, answer: fail, probes: [readiness]}]}]',
    });
    expect(outcomes(ran)).toEqual(['served']);
  });
});

describe('ClientIP affinity (P-036)', () => {
  it('clients of one node stay with one Pod, from outside each with its own', () => {
    const inside = [0, 1, 2, 3].map((i) => `{name: in${i}, to: {service: web}, start: 5s, interval: 1s}`);
    const outside = [0, 1, 2, 3].map(
      (i) => `{name: out${i}, from: {outside: true}, to: {service: web}, start: 5s, interval: 1s}`,
    );
    const ran = clientRun([...inside, ...outside].join(', '), {
      replicas: 4,
      service: ', type: NodePort, sessionAffinity: ClientIP',
    });
    const podsOf = (prefix: string): Set<string> =>
      new Set(
        ran.all('clientAttempt', ({ subject }) => subject.object.startsWith(prefix)).map(({ payload }) => payload.pod),
      );
    expect(podsOf('in').size).toBe(1);
    expect(podsOf('out').size).toBeGreaterThan(1);
    for (const i of [0, 1, 2, 3]) expect(podsOf(`out${i}`).size).toBe(1);
  });
  it('for as long as it says since the last connection', () => {
    const ran = clientRun('{to: {service: web}, start: 5s, interval: 3s}', {
      replicas: 4,
      service: ', sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 2}}',
    });
    expect(new Set(attempts(ran).map(({ payload }) => payload.pod)).size).toBeGreaterThan(1);
  });
});
