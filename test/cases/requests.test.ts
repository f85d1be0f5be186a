import { describe, expect, it } from 'vitest';
import { attempts, clientRun, outcomes, type World } from '../support/clientRun.ts';
import type { ReadRun } from '../support/readRun.ts';

/** What requests meet: kept connections, retries, an app that does not answer well. */

describe('kept connections (T-012, T-013)', () => {
  const kept = (keepAlive: string, world: World = {}, interval = '1s'): ReadRun =>
    clientRun(`{to: {service: web}, start: 5s, interval: ${interval}, keepAlive: {${keepAlive}}}`, world);
  const closed = (ran: ReadRun) => ran.all('connectionClosed').map(({ at, payload }) => [at / 1e6, payload.reason]);
  const ONE = { replicas: 1 };

  it('one serves as long as nobody closes it', () => {
    const ran = kept('');
    expect(ran.all('connectionOpened')).toHaveLength(1);
    expect(closed(ran)).toEqual([]);
    expect(new Set(attempts(ran).map(({ payload }) => payload.connection))).toEqual(new Set([1]));
  });
  it.each<[string, string, string, string, number]>([
    ['the client closes one that it does not use', 'idleTimeout: 2s', '5s', 'idleTimeout', 7],
    ['the app closes one that carries nothing', 'appIdleTimeout: 3s', '5s', 'byApp', 8],
    ['the client closes one that has carried enough', 'maxRequests: 3', '1s', 'maxRequests', 7],
  ])('%s', (_name, keepAlive, interval, reason, at) => {
    const [first] = closed(kept(keepAlive, {}, interval));
    expect(first?.[1]).toBe(reason);
    expect(Math.floor(first?.[0] as number)).toBe(at);
  });
  it('it stays with its Pod when that is not Ready and has left the rules', () => {
    const ran = kept('', {
      ...ONE,
      scenario: 'apps: [{workload: web, outages: [{from: 20s, answer: fail, probes: [readiness]}]}]',
    });
    expect(ran.readyTurned('False').at(-1)).toBeLessThan(30);
    expect(outcomes(ran)).toEqual(['served']);
  });
  it('it ends with the process; the client hears of it one way later', () => {
    const ran = kept('', { ...ONE, scenario: 'apps: [{workload: web, exit: {at: 20s}}]' });
    const [exit] = ran.all('containerExit');
    const [first] = ran.all('connectionClosed');
    expect(first?.payload.reason).toBe('byApp');
    expect((first?.at as number) - (exit?.at as number)).toBe(200);
  });
  it('one that the app closes just then is lost: the client does not know yet', () => {
    const ran = kept('appIdleTimeout: 3s', ONE, '3001100us');
    expect(outcomes(ran)).toContain('reset');
  });
  it('a request under way is reset when the process ends', () => {
    const scenario = 'apps: [{workload: web, answersIn: 400ms, exit: {at: 20s}}]';
    const ran = kept('', { ...ONE, scenario }, '410ms');
    expect(outcomes(ran)).toContain('reset');
    expect(ran.all('connectionClosed').map(({ payload }) => payload.reason)).toContain('reset');
  });
  it('an answer that is on its way when the process ends arrives', () => {
    const scenario = 'latencies: {clientNetwork: 100ms}\napps: [{workload: web, answersIn: 5ms, exit: {at: 20s}}]';
    const ran = clientRun('{to: {service: web}, start: 20s, interval: 5ms}', { ...ONE, scenario });
    const [exit] = ran.all('containerExit');
    const meets = (sinceArrival: number): readonly string[] =>
      ran
        .all('clientAttempt', ({ at }) => {
          const before = (exit?.at as number) - (at + 100_000);
          return before >= sinceArrival && before < sinceArrival + 5_000;
        })
        .map(({ payload }) => payload.outcome);
    expect([meets(0), meets(5_000), meets(90_000)]).toEqual([['reset'], ['served'], ['served']]);
  });
});

describe('without a backend (P-054, T-010)', () => {
  const scenario = 'apps: [{workload: web, outages: [{from: 0s, answer: fail, probes: [readiness]}]}]';
  it('the rules reject a connection at once', () => {
    const ran = clientRun('{to: {service: web}, start: 5s}', { scenario });
    expect(outcomes(ran)).toEqual(['rejected']);
    for (const { at, end } of attempts(ran)) expect(end).toBe(at);
  });
  it('they drop one from outside at a node without an endpoint of its own, where the policy is Local', () => {
    const ran = clientRun('{to: {service: web, via: nodePort, node: node-b}, start: 5s}', {
      service: ', type: NodePort, externalTrafficPolicy: Local',
      replicas: 1,
      nodes: ['node-a', 'node-b'],
    });
    expect(outcomes(ran)).toEqual(['timeout', '']);
  });
});

describe('retries', () => {
  const broken = (answer: string): World => ({
    scenario: `apps: [{pod: default/web#1/0, outages: [{from: 10s, answer: ${answer}, clients: true, probes: [liveness]}]}]`,
  });
  const ask = (retries: string, world: World): ReadRun =>
    clientRun(`{to: {service: web}, start: 20s, interval: 100ms, timeout: 300ms, retries: {${retries}}}`, world);
  const lost = (ran: ReadRun): number =>
    ran.all('clientAttempt', ({ payload }) => payload.final === 1 && payload.outcome !== 'served').length;
  const again = (ran: ReadRun) => ran.all('clientAttempt', ({ payload }) => payload.try > 0);

  it('a refused request is made again, so often as it may', () => {
    const none = lost(ask('count: 0', broken('refuse')));
    expect(none).toBeGreaterThan(100);
    expect(lost(ask('count: 1', broken('refuse')))).toBeLessThan(none * 0.7);
    expect(lost(ask('count: 9', broken('refuse')))).toBe(0);
  });
  it('an error of the app is an answer, unless the client takes it for more', () => {
    expect(again(ask('count: 1', broken('fail')))).toEqual([]);
    expect(again(ask('count: 1, on: [errorAnswer]', broken('fail'))).length).toBeGreaterThan(0);
  });
  it('an app that hangs costs the timeout', () => {
    const [late] = ask('count: 1', broken('hang')).all('clientAttempt', ({ payload }) => payload.outcome === 'timeout');
    expect((late?.end as number) - (late?.at as number)).toBe(300_000);
  });
  it('a request that timed out is made again as soon as the client knows', () => {
    const ran = ask('count: 1, on: [timeout]', broken('hang'));
    const [late] = ran.all('clientAttempt', ({ payload }) => payload.outcome === 'timeout' && payload.final === 0);
    const [next] = again(ran).filter(({ payload }) => payload.n === late?.payload.n);
    expect(next?.at).toBe(late?.end);
  });
  it('a process that ends while a request hangs resets it', () => {
    const scenario =
      'apps: [{workload: web, outages: [{from: 10s, answer: hang, clients: true, probes: [liveness]}], exit: {at: 30s}}]';
    const ran = clientRun('{to: {service: web}, start: 20s, interval: 500ms, timeout: 4s}', { replicas: 1, scenario });
    expect(outcomes(ran)).toContain('reset');
  });
  it('a retry waits its delay', () => {
    const ran = ask('count: 1, delay: 50ms', broken('refuse'));
    const [second] = again(ran);
    const firstTry = attempts(ran).find(({ payload }) => payload.n === second?.payload.n && payload.try === 0);
    expect((second?.at as number) - (firstTry?.end as number)).toBe(50_000);
  });
});

describe('an app answers probes and clients alike', () => {
  const ask = (app: string, fields = ''): ReadRun =>
    clientRun(`{to: {service: web}, start: 5s, interval: 100ms, timeout: 500ms${fields}}`, {
      replicas: 1,
      scenario: `apps: [{workload: web, ${app}}]`,
    });
  /** Outcomes of the requests between two instants, s. */
  const between = (ran: ReadRun, from: number, to: number): readonly string[] => [
    ...new Set(attempts(ran).flatMap(({ at, payload }) => (at / 1e6 > from && at / 1e6 < to ? [payload.outcome] : []))),
  ];

  it.each<[string, string, string]>([
    ['refuses', 'answer: refuse', 'refused'],
    ['answers 503', 'answer: fail', 'errorAnswer'],
    ['hangs', 'answer: hang', 'timeout'],
    ['is slow, but in time', 'answer: slow, takes: 400ms', 'served'],
    ['is too slow', 'answer: slow, takes: 600ms', 'timeout'],
  ])('one that %s, until its readiness probe takes it out of the rules', (_name, answer, outcome) => {
    const ran = ask(`outages: [{from: 20s, to: 40s, ${answer}}]`);
    expect(between(ran, 6, 20)).toEqual(['served']);
    expect(between(ran, 22.1, 22.5)).toEqual([outcome]);
  });
  it('an outage of a path is none for who asks another one', () => {
    const outage = 'outages: [{from: 20s, answer: fail, status: 500, path: /api, clients: true}]';
    expect(between(ask(outage, ', path: /api/v1'), 25, 50)).toEqual(['errorAnswer']);
    expect(between(ask(outage, ', path: /apis'), 25, 50)).toEqual(['served']);
  });
  it('an answer of a Pod that the Service does not select any more is one of a wrong Pod', () => {
    const ran = clientRun('{to: {service: web}, start: 19s, interval: 1ms, count: 3000}', {
      replicas: 1,
      scenario: 'actions: [{at: 20s, do: labelPod, pod: default/web#1/0, labels: {app: other}}]',
    });
    const wrong = attempts(ran).filter(({ payload }) => payload.outcome === 'wrongPod');
    expect(wrong.length).toBeGreaterThan(10);
    for (const { at } of wrong) expect(at / 1e6).toBeLessThan(21.2);
  });
  it('an outage of a port is none for who asks another one', () => {
    expect(between(ask('outages: [{from: 20s, answer: refuse, port: 8080, clients: true}]'), 22.1, 22.5)).toEqual([
      'refused',
    ]);
    expect(between(ask('outages: [{from: 20s, answer: refuse, port: 9090, clients: true}]'), 22.1, 50)).toEqual([
      'served',
    ]);
  });
});

describe('at SIGTERM', () => {
  /** Outcomes of requests to the only Pod from its deletion at 20 s until the rules have lost it. */
  const meets = (onTerm: string, preStop = ''): readonly string[] => {
    const ran = clientRun('{to: {service: web}, start: 19s, interval: 1ms, count: 4000, timeout: 300ms}', {
      replicas: 1,
      pod: preStop,
      scenario: `actions: [{at: 20s, do: deletePod, pod: default/web#1/0}]
apps: [{workload: web, onTerm: {${onTerm}}}]`,
    });
    const sent = attempts(ran).filter(({ at, payload }) => at > 20e6 && payload.pod === 'default/web#1/0');
    return [...new Set(sent.map(({ payload }) => payload.outcome))].sort();
  };
  it.each<[string, string, string, readonly string[]]>([
    ['an app that serves on loses nothing', 'exitAfter: 10s', '', ['served']],
    ['nor one that ignores it', 'ignore: true', '', ['served']],
    [
      'one that closes its port refuses',
      'exitAfter: 10s, outages: [{from: 0s, answer: refuse}]',
      '',
      ['refused', 'served'],
    ],
    [
      'one that exits breaks what is under way, refuses, and is silent once its address is gone',
      'exitAfter: 0s',
      '',
      ['refused', 'reset', 'served', 'timeout'],
    ],
    [
      'not when a preStop hook sleeps for as long as the rules take',
      'exitAfter: 0s',
      '        lifecycle: {preStop: {sleep: {seconds: 5}}}',
      ['served'],
    ],
  ])('%s', (_name, onTerm, preStop, expected) => {
    expect(meets(onTerm, preStop)).toEqual(expected);
  });
});
