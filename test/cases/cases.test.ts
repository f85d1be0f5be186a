import { describe, expect, it } from 'vitest';
import { AT_ONCE, caseRuns, first, indent, podText, startupEnd } from '../support/caseRuns.ts';
import type { ReadRun } from '../support/readRun.ts';

/**
 * Surprises that people met, as they would paste them, with the answer that Kubernetes gives as of 1.37.
 * T0 is the real start of the first container.
 */

/** Runs the Pod `web` with one container `app` and the given probes. */
const runs = (probes: string, app: string, duration: string, seeds?: number[]): readonly ReadRun[] =>
  caseRuns(
    podText(`
containers:
  - name: app
    image: registry.example/app:1
${indent(probes, 4)}`),
    `duration: ${duration}
apps:
  - workload: web
${indent(app, 4)}`,
    seeds,
  );

const t0 = (run: ReadRun): number => run.starts[0] as number;

describe('A1: ten silent seconds after startup succeeded', () => {
  const probes = `
startupProbe: {exec: {command: [check]}, periodSeconds: 10, timeoutSeconds: 140, failureThreshold: 1}
readinessProbe: {exec: {command: [check]}, periodSeconds: 30}
livenessProbe: {exec: {command: [check]}, periodSeconds: 30}`;
  const all = runs(probes, 'startup: {answersIn: 3s}', '90s');
  it('readiness follows startup success at once', () => {
    for (const run of all) {
      const gap = first(run.attempts('readiness')) - startupEnd(run);
      expect(gap).toBeGreaterThan(0);
      expect(gap).toBeLessThan(AT_ONCE);
      expect(first(run.readyTurned('True')) - startupEnd(run)).toBeLessThan(AT_ONCE);
    }
  });
  it('liveness waits for its own tick, up to a period', () => {
    for (const run of all) {
      const gap = first(run.attempts('liveness')) - startupEnd(run);
      expect(gap).toBeGreaterThan(1);
      expect(gap).toBeLessThanOrEqual(30);
    }
  });
});

describe('A3: startup probe, no readiness probe', () => {
  const all = runs(
    'startupProbe: {exec: {command: [check]}, initialDelaySeconds: 20, periodSeconds: 5}',
    'answersIn: 5ms',
    '90s',
  );
  it('Ready follows startup success at once, in [20, 25] s after the start', () => {
    for (const run of all) {
      const ready = first(run.readyTurned('True'));
      expect(ready - startupEnd(run)).toBeLessThan(AT_ONCE);
      // The delay counts from the start cut down to its second (K-127).
      expect(ready - t0(run)).toBeGreaterThan(19);
      expect(ready - t0(run)).toBeLessThan(25 + AT_ONCE);
    }
  });
  it('the API shows started before it shows ready: two PATCHes', () => {
    for (const run of all) {
      const ops = run.all('statusSet', ({ at }) => at / 1e6 >= startupEnd(run)).map(({ payload }) => payload.op);
      expect(ops.slice(0, 2)).toEqual(['setContainerStartup', 'setPodStatus']);
    }
  });
});

describe('B2: hourly readiness', () => {
  const probe =
    'readinessProbe: {exec: {command: ["true"]}, initialDelaySeconds: 30, periodSeconds: 3600, failureThreshold: 1}';
  const all = runs(probe, 'answersIn: 5ms', '2h', [1, 2, 3]);
  it('the first run comes with the first timed sync after the delay, not after an hour', () => {
    for (const run of all) {
      const ready = first(run.readyTurned('True')) - t0(run);
      expect(ready).toBeGreaterThan(60);
      expect(ready).toBeLessThan(92 + AT_ONCE);
    }
  });
  it('after that it runs once an hour', () => {
    for (const run of all) {
      const [one, two] = run.attempts('readiness');
      expect((two as number) - (one as number)).toBeCloseTo(3600, 3);
    }
  });
});

describe('B4: the startup command ran twice', () => {
  const probes = `
startupProbe: {exec: {command: [warmup]}, initialDelaySeconds: 50, periodSeconds: 10, timeoutSeconds: 95}
readinessProbe: {exec: {command: [check]}, periodSeconds: 10}
livenessProbe: {exec: {command: [check]}, periodSeconds: 10}`;
  const all = runs(probes, 'startup: {answersIn: 40s}', '3m');
  it('the command runs once, from a tick in [50, 60] s, and Ready follows its success at once', () => {
    for (const run of all) {
      expect(run.attempts('startup')).toHaveLength(1);
      const begin = first(run.attempts('startup')) - t0(run);
      expect(begin).toBeGreaterThan(49);
      expect(begin).toBeLessThanOrEqual(60);
      expect(startupEnd(run) - first(run.attempts('startup'))).toBeCloseTo(40, 3);
      expect(first(run.readyTurned('True')) - startupEnd(run)).toBeLessThan(AT_ONCE);
    }
  });
  it('the tick that was owed meanwhile finds the worker on hold', () => {
    for (const run of all) {
      const after = run.all(
        'probeRun',
        ({ subject, at }) => subject.probe === 'startup' && at / 1e6 >= startupEnd(run),
      );
      expect(after[0]?.payload.outcome).toBe('onHold');
      expect((after[0]?.at ?? 0) / 1e6 - startupEnd(run)).toBeLessThan(AT_ONCE);
    }
  });
});

describe('B5: readiness runs more often than asked', () => {
  const probe = 'readinessProbe: {exec: {command: [check]}, periodSeconds: 120, failureThreshold: 1}';
  const all = runs(probe, 'answersIn: 5ms\noutages: [{from: 300s, to: 420s, answer: fail}]', '15m', [1, 2, 3]);
  it('a second run follows the failing tick at once, and then one with each timed sync', () => {
    for (const run of all) {
      const failing = run.all('probeRun', ({ payload }) => payload.result === 'failure').map(({ at }) => at / 1e6);
      expect((failing[1] as number) - (failing[0] as number)).toBeLessThan(AT_ONCE);
      for (const [i, at] of failing.slice(2).entries()) {
        const gap = at - (failing[i + 1] as number);
        expect(gap).toBeGreaterThan(59);
        expect(gap).toBeLessThan(92);
      }
    }
  });
  it('recovery is seen by a timed sync, at most 92 s after it, and not by the tick', () => {
    for (const run of all) {
      const back = run.readyTurned('True')[1] as number;
      expect(back - (t0(run) + 420)).toBeLessThan(92);
      expect(run.all('probeRun', ({ at }) => Math.abs(at / 1e6 - back) < AT_ONCE)[0]?.payload.cause).toBe('manual');
    }
  });
});

describe('K1: initial delays count from the container start, not from startup success', () => {
  const probes = `
startupProbe: {exec: {command: [check]}, periodSeconds: 5, failureThreshold: 30}
livenessProbe: {exec: {command: [check]}, initialDelaySeconds: 60, periodSeconds: 10}
readinessProbe: {exec: {command: [check]}, initialDelaySeconds: 30, periodSeconds: 10}`;
  const all = runs(probes, 'startup: {readyAfter: 40s}', '2m');
  it('readiness runs at once after startup success at about 40 s', () => {
    for (const run of all) {
      expect(startupEnd(run) - t0(run)).toBeGreaterThanOrEqual(40);
      expect(startupEnd(run) - t0(run)).toBeLessThan(45 + AT_ONCE);
      expect(first(run.readyTurned('True')) - startupEnd(run)).toBeLessThan(AT_ONCE);
    }
  });
  it('liveness runs at its first tick in [60, 70] s', () => {
    for (const run of all) {
      const begin = first(run.attempts('liveness')) - t0(run);
      expect(begin).toBeGreaterThan(59);
      expect(begin).toBeLessThanOrEqual(70);
    }
  });
});

describe('L3: failureThreshold 1000', () => {
  const probes = `
readinessProbe: {exec: {command: [check]}, periodSeconds: 2, timeoutSeconds: 1, failureThreshold: 1000}
livenessProbe: {exec: {command: [check]}, initialDelaySeconds: 300, periodSeconds: 10, failureThreshold: 30, timeoutSeconds: 3}`;
  const app = `
readyAfter: 20s
runs:
  - outages: [{from: 1000s, answer: hang}]
  - {}`;
  const all = runs(probes, app, '1400s', [1, 2, 3]);
  it('is Ready at the first tick after 20 s', () => {
    for (const run of all) {
      const ready = first(run.readyTurned('True')) - t0(run);
      expect(ready).toBeGreaterThanOrEqual(20);
      expect(ready).toBeLessThan(22 + AT_ONCE);
    }
  });
  it('liveness decides 30 failures after the hang, in (1293, 1303] s', () => {
    for (const run of all) {
      const kill = (run.all('killContainer')[0]?.at ?? 0) / 1e6 - t0(run);
      expect(kill).toBeGreaterThan(1293);
      expect(kill).toBeLessThan(1303 + AT_ONCE);
    }
  });
  it('stays Ready until the new container is seen, which is Ready about 20 to 22 s after its own start', () => {
    for (const run of all) {
      const restarted = run.starts[1] as number;
      const gone = first(run.readyTurned('False').filter((at) => at > 1000));
      expect(gone).toBeGreaterThan(restarted);
      expect(gone - restarted).toBeLessThan(2 + AT_ONCE);
      const again = run.readyTurned('True')[1] as number;
      expect(again - restarted).toBeGreaterThanOrEqual(20);
      expect(again - restarted).toBeLessThan(22 + AT_ONCE);
    }
  });
});
