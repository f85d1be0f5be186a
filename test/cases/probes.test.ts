import { describe, expect, it } from 'vitest';
import { readScenario } from '../../src/io/readScenario.ts';
import { AT_ONCE, caseRuns, first, podText, startsOf, startupEnd } from '../support/caseRuns.ts';
import type { ReadRun } from '../support/readRun.ts';

/** Surprises about what a probe asks, and about its numbers. Answers as of 1.37; T0 is the start of the container. */

/** A pass may have to wait for the next relist, s. */
const EPS = 1.2;
const t0 = (run: ReadRun): number => first(startsOf(run, 'app'));
/** Decisions of the kubelet to kill the app, s. */
const kills = (run: ReadRun): readonly number[] => run.all('killContainer').map(({ at }) => at / 1e6);
const play = (probes: string, scenario: string, more = ''): readonly ReadRun[] =>
  caseRuns(podText(`containers:\n  - name: app\n    image: i\n${more}${probes}`), scenario);
const errorsOf = (probes: string): readonly (readonly [number, string])[] =>
  readScenario(podText(`containers:\n  - name: app\n    image: i\n${probes}`))
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ line, message }) => [line, message]);

describe('G1: timeout 5, command 100 s, never Ready', () => {
  it.each([10, 100, 150])('a command of %d s fails after 5 s, one run right after the other', (takes) => {
    for (const run of play(
      '    readinessProbe: {exec: {command: [check]}, initialDelaySeconds: 5, timeoutSeconds: 5, periodSeconds: 5}',
      `duration: 4m\napps: [{answersIn: ${takes}s}]`,
    )) {
      expect(run.readyTurned('True')).toEqual([]);
      const probed = run.all('probeRun', ({ payload, end }) => payload.outcome === 'attempt' && !Number.isNaN(end));
      expect(probed.length).toBeGreaterThan(20);
      for (const [i, { at, end }] of probed.entries()) {
        expect((end - at) / 1e6).toBeCloseTo(5, 2);
        if (i > 1) expect((at - (probed[i - 1]?.end ?? 0)) / 1e6).toBeLessThan(AT_ONCE);
      }
    }
  });
});

describe('G3: timeouts of liveness restart the container', () => {
  it('the decision comes at the end of the third run, in [20, 30] s + 2 s', () => {
    for (const run of play(
      '    livenessProbe: {exec: {command: [sleep, "4"]}, timeoutSeconds: 2, periodSeconds: 10, failureThreshold: 3}',
      'duration: 1m\napps: [{answersIn: 4s}]',
    )) {
      const decided = first(kills(run)) - t0(run);
      expect(decided).toBeGreaterThan(20);
      expect(decided).toBeLessThan(32 + AT_ONCE);
    }
  });
});

describe("H3: 400 because the probe's Host is the Pod IP", () => {
  const probes = `    startupProbe: {tcpSocket: {port: http}, failureThreshold: 6}
    livenessProbe: {httpGet: {port: http}}
    readinessProbe: {httpGet: {port: http}}`;
  const port = '    ports: [{name: http, containerPort: 8000}]\n';
  const refused = 'outages: [{from: 8s, answer: fail, status: 400, probes: [readiness, liveness]}]';
  it('startup passes at the first tick after the port opens', () => {
    for (const run of play(probes, `duration: 3m\napps: [{readyAfter: 8s, ${refused}}]`, port)) {
      expect(startupEnd(run) - t0(run)).toBeGreaterThan(8);
      expect(startupEnd(run) - t0(run)).toBeLessThan(18 + AT_ONCE);
    }
  });
  it('it is never Ready, and liveness kills in (20, 30] s after startup', () => {
    for (const run of play(probes, `duration: 3m\napps: [{readyAfter: 8s, ${refused}}]`, port)) {
      expect(run.readyTurned('True')).toEqual([]);
      const decided = first(kills(run)) - startupEnd(run);
      expect(decided).toBeGreaterThan(20);
      expect(decided).toBeLessThan(30 + AT_ONCE);
    }
  });
  it('with the right Host it is Ready as soon as startup has succeeded', () => {
    for (const run of play(probes, 'duration: 3m\napps: [{readyAfter: 8s}]', port))
      expect(first(run.readyTurned('True')) - startupEnd(run)).toBeLessThan(EPS);
  });
});

describe('I1: a TCP probe fails when nobody listens', () => {
  it('not ready at the third failing tick, killed at the third of the slower liveness probe', () => {
    for (const run of play(
      `    readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 10}
    livenessProbe: {tcpSocket: {port: 8080}, periodSeconds: 20}`,
      'duration: 3m\napps: [{outages: [{from: 60s, answer: refuse}]}]',
    )) {
      const closed = t0(run) + 60;
      const unready = first(run.readyTurned('False').filter((t) => t > closed)) - closed;
      expect(unready).toBeGreaterThan(20);
      expect(unready).toBeLessThan(30 + AT_ONCE);
      expect(first(kills(run)) - closed).toBeGreaterThan(40);
      expect(first(kills(run)) - closed).toBeLessThan(60 + AT_ONCE);
    }
  });
});

describe('I3: gRPC probes cannot use a port name', () => {
  it.each(['grpc', '"9000"'])('port: %s is refused with its line', (port) => {
    expect(errorsOf(`    livenessProbe: {grpc: {port: ${port}}}`)).toEqual([
      [8, 'port of a grpc probe must be a number'],
    ]);
  });
  it('a number is accepted', () => {
    expect(errorsOf('    livenessProbe: {grpc: {port: 9000}}')).toEqual([]);
  });
});

describe('J2: liveness and readiness with a port name that does not exist', () => {
  const probes = (
    port: string,
  ): string => `    readinessProbe: {httpGet: {port: ${port}}, initialDelaySeconds: 10, timeoutSeconds: 5}
    livenessProbe: {httpGet: {port: ${port}}, initialDelaySeconds: 10, timeoutSeconds: 5}`;
  it('never Ready, never killed', () => {
    for (const run of play(probes('metrics'), 'duration: 4m')) {
      expect(run.readyTurned('True')).toEqual([]);
      expect(kills(run)).toEqual([]);
      expect(run.attempts('liveness').length).toBeGreaterThan(20);
    }
  });
  it('a number on which nobody listens fails like any other probe: killed in [30, 40] s', () => {
    for (const run of play(probes('8080'), 'duration: 4m\napps: [{readyAfter: 10m}]')) {
      expect(first(kills(run)) - t0(run)).toBeGreaterThan(29);
      expect(first(kills(run)) - t0(run)).toBeLessThan(40 + AT_ONCE);
    }
  });
});

describe('L1: successThreshold 2 on liveness passes linters, not the API', () => {
  it.each([
    ['liveness', 'successThreshold: 2', [[8, 'successThreshold must be 1 for liveness and startup']]],
    ['startup', 'successThreshold: 2', [[8, 'successThreshold must be 1 for liveness and startup']]],
    ['readiness', 'successThreshold: 2', []],
    ['liveness', 'successThreshold: 0', []],
    ['liveness', 'terminationGracePeriodSeconds: 0', [[8, 'terminationGracePeriodSeconds must be 1 or more, not 0']]],
    ['readiness', 'periodSeconds: -1', [[8, 'periodSeconds must be 0 or more, not -1']]],
    [
      'readiness',
      'terminationGracePeriodSeconds: 10',
      [[8, 'terminationGracePeriodSeconds must not be set for readiness']],
    ],
  ])('%s with %s', (kind, field, errors) => {
    expect(errorsOf(`    ${kind}Probe: {httpGet: {port: 80}, ${field}}`)).toEqual(errors);
  });
});

describe('H1: a redirect to another host is a success with a warning', () => {
  const probes =
    '    ports: [{containerPort: 80}]\n    readinessProbe: {httpGet: {path: /go, port: 80}, periodSeconds: 1}';
  const scenario = 'duration: 30s\napps: [{outages: [{from: 0, to: 20s, answer: redirect}]}]';
  it('it is Ready at once, wherever the redirect leads', () => {
    for (const run of play(probes, scenario)) {
      expect(first(run.readyTurned('True')) - t0(run)).toBeLessThan(AT_ONCE);
      expect(run.readyTurned('False').filter((t) => t > t0(run))).toEqual([]);
    }
  });
  it('each run makes a ProbeWarning event, until the app answers by itself', () => {
    for (const run of play(probes, scenario)) {
      const warned = run.all('kubeEvent', ({ payload }) => payload.reason === 'ProbeWarning');
      expect(warned.map(({ payload }) => payload.message)).toEqual(
        Array.from(
          { length: warned.length },
          () => 'Readiness probe warning: Probe terminated redirects, Response body: ',
        ),
      );
      expect(warned.length).toBe(run.attempts('readiness').filter((t) => t < t0(run) + 20).length);
    }
  });
  it.each([
    ['tcpSocket: {port: 80}', 'a port'],
    ['exec: {command: [check]}', 'a command'],
  ])('%s knows no redirect: no event', (handler) => {
    for (const run of play(`    readinessProbe: {${handler}, periodSeconds: 1}`, scenario)) {
      expect(run.readyTurned('True')).toHaveLength(1);
      expect(run.all('kubeEvent', ({ payload }) => payload.reason === 'ProbeWarning')).toEqual([]);
    }
  });
});
