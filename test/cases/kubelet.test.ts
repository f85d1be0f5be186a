import { describe, expect, it } from 'vitest';
import { readScenario } from '../../src/io/readScenario.ts';
import {
  AT_ONCE,
  caseRuns,
  conditionOf,
  first,
  podAt,
  podText,
  podViews,
  readyColumn,
  startsOf,
  startupEnd,
} from '../support/caseRuns.ts';
import type { ReadRun } from '../support/readRun.ts';

/**
 * More surprises that people met, as they would paste them: restarts, deletion, sidecars, gates. Answers as of 1.37.
 * Relist, pass and PATCH after an exit of a container: up to this long, s.
 */
const EPS = 1.2;

const t0 = (run: ReadRun): number => first(startsOf(run, 'app'));
/** Instants of the app's SIGTERM, of its exits and of the begins of its preStop hook, s. */
const at = (run: ReadRun, kind: 'sigterm' | 'containerExit' | 'preStop', container = 'app'): readonly number[] =>
  run.all(kind, ({ subject }) => subject.container === container).map((event) => event.at / 1e6);

describe('C1: Ready, not ready for one second, Ready', () => {
  const manifest = podText(`
containers:
  - {name: app, image: i, readinessProbe: {exec: {command: [sleep, "1"]}, timeoutSeconds: 2}}`);
  const all = caseRuns(
    manifest,
    'duration: 5m\napps: [{answersIn: 1s}]\nactions: [{at: 3m55s, do: restartKubelet, down: 2s}]',
  );
  it('since 1.35 a restart of the kubelet leaves Ready as it was, though every worker starts anew', () => {
    for (const run of all) {
      expect(run.readyTurned('True')).toHaveLength(1);
      expect(run.readyTurned('False').filter((t) => t > 235)).toEqual([]);
      expect(run.attempts('readiness').filter((t) => t > 237).length).toBeGreaterThan(4);
    }
  });
});

describe('D2: readiness while terminating', () => {
  const manifest = podText(`
terminationGracePeriodSeconds: 30
containers:
  - {name: app, image: i, readinessProbe: {exec: {command: [test, -f, /ready]}, periodSeconds: 2, failureThreshold: 1}}`);
  const all = caseRuns(
    manifest,
    `duration: 2m
apps: [{onTerm: {exitAfter: 31s, outages: [{from: 0, answer: fail}]}}]
actions: [{at: 60s, do: deletePod, pod: web}]`,
  );
  it('Ready turns False at the first tick after SIGTERM, at most one period later', () => {
    for (const run of all) {
      const term = first(at(run, 'sigterm'));
      expect(term - 60).toBeLessThan(AT_ONCE);
      const gone = first(run.readyTurned('False').filter((t) => t > 60));
      expect(gone).toBeGreaterThan(term);
      expect(gone - term).toBeLessThan(2 + AT_ONCE);
    }
  });
  it('the process is killed when the grace period of 30 s is over', () => {
    for (const run of all) {
      const [exit] = run.all('containerExit');
      expect(exit?.payload.cause).toBe('sigkill');
      expect((exit?.at ?? 0) / 1e6 - first(at(run, 'sigterm'))).toBeCloseTo(30, 3);
    }
  });
});

describe('D4: evicted, and Ready stays True', () => {
  const manifest = podText(`
terminationGracePeriodSeconds: 30
containers:
  - {name: app, image: i, readinessProbe: {exec: {command: [test, -f, /ready]}, periodSeconds: 3}}`);
  const apps = 'apps: [{onTerm: {exitAfter: 20s, outages: [{from: 0, answer: fail}]}}]';
  const evicted = caseRuns(
    manifest,
    `duration: 2m\n${apps}\nactions: [{at: 60s, do: evictPod, pod: web, graceSeconds: 30}]`,
  );
  it('Ready is True until the process has gone, 20 s later, though readiness would fail', () => {
    for (const run of evicted) {
      const exit = first(at(run, 'containerExit'));
      expect(exit - first(at(run, 'sigterm'))).toBeCloseTo(20, 2);
      const gone = first(run.readyTurned('False').filter((t) => t > 60));
      expect(gone - exit).toBeGreaterThan(0);
      expect(gone - exit).toBeLessThan(AT_ONCE);
    }
  });
  it('the Pod has no deletion timestamp; until then the API says Running, and then Failed because Evicted', () => {
    for (const run of evicted) {
      expect(podAt(run, 79).status).toMatchObject({ phase: 'Running' });
      expect(conditionOf(podAt(run, 79), 'DisruptionTarget')).toBeUndefined();
      expect(podAt(run, 100).status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
      expect(conditionOf(podAt(run, 100), 'DisruptionTarget')).toMatchObject({ reason: 'TerminationByKubelet' });
      expect(podViews(run).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
    }
  });
  it('the readiness worker leaves at its first run after the decision, because the cached phase is Failed', () => {
    for (const run of evicted) {
      const [left] = run.all('probeRun', ({ payload }) => payload.outcome === 'podTerminated');
      expect((left?.at ?? 0) / 1e6 - 60).toBeLessThan(3 + AT_ONCE);
      expect(run.attempts('readiness').filter((t) => t > 60)).toEqual([]);
    }
  });
  it('deleted instead, it is not ready within three probe periods', () => {
    for (const run of caseRuns(manifest, `duration: 2m\n${apps}\nactions: [{at: 60s, do: deletePod, pod: web}]`)) {
      const gone = first(run.readyTurned('False').filter((t) => t > 60));
      expect(gone - 60).toBeLessThan(9 + AT_ONCE);
    }
  });
});

describe('E2: SIGTERM or SIGKILL?', () => {
  const manifest = podText(`
containers:
  - name: app
    image: i
    lifecycle: {preStop: {sleep: {seconds: 5}}}
    livenessProbe: {httpGet: {port: 8080}, periodSeconds: 10, failureThreshold: 3, timeoutSeconds: 1}`);
  const hung = 60;
  const play = (onTerm: string): readonly ReadRun[] =>
    caseRuns(
      manifest,
      `duration: 3m\napps: [{onTerm: ${onTerm}, runs: [{outages: [{from: ${hung}s, answer: hang}]}, {}]}]`,
    );
  const polite = play('{exitAfter: 2s, exitCode: 0}');
  it('the third failure ends in (21, 31] s after the hang, and the hook begins at once', () => {
    for (const run of polite) {
      const failures = run.all('resultSet', ({ payload }) => payload.result === 'failure');
      const decided = (failures[0]?.at ?? 0) / 1e6 - t0(run) - hung;
      expect(decided).toBeGreaterThan(21);
      expect(decided).toBeLessThanOrEqual(31);
      expect(first(at(run, 'preStop')) - t0(run) - hung - decided).toBeLessThan(AT_ONCE);
    }
  });
  it('SIGTERM comes after the 5 s of the hook, the exit 2 s later, and a new container at once', () => {
    for (const run of polite) {
      const hook = first(at(run, 'preStop'));
      expect(first(at(run, 'sigterm')) - hook).toBeCloseTo(5, 1);
      const exit = first(at(run, 'containerExit'));
      expect(exit - hook).toBeCloseTo(7, 1);
      expect((startsOf(run, 'app')[1] as number) - exit).toBeLessThan(0.2);
    }
  });
  it('a process that ignores SIGTERM gets SIGKILL 30 s after the decision, 25 s after SIGTERM', () => {
    for (const run of play('{ignore: true}')) {
      const [exit] = run.all('containerExit');
      expect(exit?.payload.cause).toBe('sigkill');
      expect((exit?.at ?? 0) / 1e6 - first(at(run, 'preStop'))).toBeCloseTo(30, 1);
      expect((exit?.at ?? 0) / 1e6 - first(at(run, 'sigterm'))).toBeCloseTo(25, 3);
    }
  });
  it('the Pod is never deleted', () => {
    for (const run of polite)
      expect(podViews(run).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
  });
});

describe('E4: slow start, no startup probe', () => {
  const probes = `
    livenessProbe: {httpGet: {port: 8080}, initialDelaySeconds: 30, periodSeconds: 10, failureThreshold: 3}
    readinessProbe: {httpGet: {port: 8080}, initialDelaySeconds: 10, periodSeconds: 10}`;
  const manifest = (more = ''): string => podText(`containers:\n  - name: app\n    image: i${probes}${more}`);
  const app = 'duration: 5m\napps: [{readyAfter: 120s}]';
  it('liveness kills in [50, 60] s after the start, again and again, and the Pod is never Ready', () => {
    for (const run of caseRuns(manifest(), app)) {
      const terms = at(run, 'sigterm');
      expect(terms.length).toBeGreaterThan(2);
      // The delay counts from the start cut down to its second (K-127).
      expect(first(terms) - t0(run)).toBeGreaterThan(49);
      expect(first(terms) - t0(run)).toBeLessThan(60 + AT_ONCE);
      expect(run.readyTurned('True')).toEqual([]);
    }
  });
  it('the first kills restart at once: each container lives longer than the back-off', () => {
    for (const run of caseRuns(manifest(), app)) {
      const exits = at(run, 'containerExit');
      for (const [i, start] of startsOf(run, 'app').slice(1, 4).entries())
        expect(start - (exits[i] as number)).toBeLessThan(0.2);
    }
  });
  it('with a startup probe nothing is killed, and Ready comes in [120, 130] s', () => {
    const startup = '\n    startupProbe: {httpGet: {port: 8080}, periodSeconds: 10, failureThreshold: 18}';
    for (const run of caseRuns(manifest(startup), app)) {
      expect(at(run, 'sigterm')).toEqual([]);
      const ready = first(run.readyTurned('True')) - t0(run);
      expect(ready).toBeGreaterThanOrEqual(120);
      expect(ready).toBeLessThan(130 + AT_ONCE);
    }
  });
});

describe('F1: ten Pods to five', () => {
  const manifest = (lifecycle: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 10
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: i${lifecycle}}]}
`;
  const deletions = [0, 1, 2, 3, 4].map((i) => `{at: 60s, do: deletePod, pod: default/web#1/${i}}`).join(', ');
  const scenario = `duration: 2m\nactions: [${deletions}]`;
  it('SIGTERM reaches the five at once, and each process is gone 50 ms later', () => {
    for (const run of caseRuns(manifest(''), scenario, [1, 2])) {
      const terms = at(run, 'sigterm');
      expect(terms).toHaveLength(5);
      expect(Math.max(...terms) - 60).toBeLessThan(AT_ONCE);
      for (const [i, exit] of at(run, 'containerExit').entries())
        expect(exit - (terms[i] as number)).toBeCloseTo(0.05, 2);
    }
  });
  it('a preStop sleep keeps them serving for that long', () => {
    for (const run of caseRuns(manifest(', lifecycle: {preStop: {sleep: {seconds: 3}}}'), scenario, [1, 2]))
      expect(Math.min(...at(run, 'sigterm')) - 60).toBeGreaterThanOrEqual(3);
  });
});

describe('F3: "sleep 60" killed at 30', () => {
  const manifest = (hook: string): string =>
    podText(`containers:\n  - {name: app, image: i, lifecycle: {preStop: ${hook}}}`);
  const told = (hook: string): string[] =>
    readScenario(manifest(hook)).issues.map(({ line, severity, message }) => `${line} ${severity} ${message}`);
  const exec = '{exec: {command: [sleep, "60"]}}';
  it('as a command it is accepted with a warning', () => {
    expect(told(exec)).toEqual([
      '6 warning the preStop hook takes 60 s, but the grace period is 30 s: SIGTERM comes while the hook still runs, and SIGKILL 2 s later',
    ]);
  });
  it('as a command it is cut: SIGTERM after 30 s, SIGKILL 2 s later', () => {
    const scenario = 'duration: 2m\napps: [{onTerm: {ignore: true}}]\nactions: [{at: 30s, do: deletePod, pod: web}]';
    for (const run of caseRuns(manifest(exec), scenario)) {
      const hook = first(at(run, 'preStop'));
      expect(hook - 30).toBeLessThan(AT_ONCE);
      expect(first(at(run, 'sigterm')) - hook).toBeCloseTo(30, 1);
      expect(first(at(run, 'containerExit')) - hook).toBeCloseTo(32, 1);
    }
  });
  it('as a sleep action it is refused: longer than the grace period', () => {
    const { scenario, issues } = readScenario(manifest('{sleep: {seconds: 60}}'));
    expect(scenario).toBeNull();
    expect(issues).toMatchObject([
      {
        line: 6,
        message: 'preStop.sleep.seconds must not be more than terminationGracePeriodSeconds (30), but is 60',
        remedy: 'Write 30 or less, or raise terminationGracePeriodSeconds of web.',
      },
    ]);
  });
  it('a sleep of 0 and one of the whole grace period are accepted', () => {
    expect(told('{sleep: {seconds: 0}}')).toEqual([]);
    expect(told('{sleep: {seconds: 30}}')).toEqual([]);
  });
});

describe("M1: a sidecar's readiness does not hold back the main container", () => {
  const manifest = (startup: string): string =>
    podText(`
initContainers:
  - {name: proxy, image: i, restartPolicy: Always, ${startup}readinessProbe: {tcpSocket: {port: 1}, periodSeconds: 1}}
containers:
  - {name: app, image: i}`);
  const scenario = 'duration: 60s\napps: [{container: proxy, startup: {readyAfter: 3s}, readiness: {readyAfter: 20s}}]';
  const all = caseRuns(
    manifest('startupProbe: {tcpSocket: {port: 1}, periodSeconds: 1, failureThreshold: 10}, '),
    scenario,
  );
  const proxyStart = (run: ReadRun): number => first(startsOf(run, 'proxy'));
  it("the main container starts right after the sidecar's startup success at 3 to 4 s", () => {
    for (const run of all) {
      const started = startupEnd(run, 'proxy');
      expect(started - proxyStart(run)).toBeGreaterThanOrEqual(3);
      expect(started - proxyStart(run)).toBeLessThan(4 + AT_ONCE);
      expect(t0(run) - started).toBeGreaterThan(0);
      expect(t0(run) - started).toBeLessThan(EPS);
    }
  });
  it('READY is 1/2 until the sidecar passes its readiness at about 20 s, and only then the Pod is Ready', () => {
    for (const run of all) {
      const ready = first(run.readyTurned('True'));
      expect(ready - proxyStart(run)).toBeGreaterThanOrEqual(20);
      expect(ready - proxyStart(run)).toBeLessThan(21 + AT_ONCE);
      for (const t of [t0(run) + EPS, ready - 0.01]) expect(readyColumn(podAt(run, t), ['proxy'])).toBe('1/2');
      expect(readyColumn(podAt(run, ready), ['proxy'])).toBe('2/2');
    }
  });
  it('without the startup probe the main container starts as soon as the sidecar runs', () => {
    for (const run of caseRuns(manifest(''), scenario)) expect(t0(run) - proxyStart(run)).toBeLessThan(EPS);
  });
});

describe('M3: a restarted sidecar counted as ready', () => {
  const manifest = podText(`
restartPolicy: Never
initContainers:
  - name: proxy
    image: i
    restartPolicy: Always
    readinessProbe: {exec: {command: [check]}, initialDelaySeconds: 5, periodSeconds: 5}
containers:
  - {name: app, image: i}`);
  const all = caseRuns(manifest, 'duration: 5m\napps: [{container: proxy, exit: {at: 30s}}]');
  it('each new container is not ready, and becomes so 5 to 10 s after its own start', () => {
    for (const run of all) {
      const starts = startsOf(run, 'proxy');
      const ready = run.readyTurned('True');
      expect(starts.length).toBeGreaterThanOrEqual(5);
      for (const [i, start] of starts.slice(0, 4).entries()) {
        expect((ready[i] as number) - start).toBeGreaterThan(4); // K-127
        expect((ready[i] as number) - start).toBeLessThan(10 + AT_ONCE);
      }
    }
  });
  it('the Pod is 1/2 from the exit until then', () => {
    for (const run of all) {
      for (const [i, exit] of at(run, 'containerExit', 'proxy').slice(0, 3).entries()) {
        const ready = run.readyTurned('True')[i + 1] as number;
        for (const t of [exit + EPS, ready - 0.01]) expect(readyColumn(podAt(run, t), ['proxy'])).toBe('1/2');
      }
    }
  });
  it('the waits between exit and start are the back-off: none, 10, 20, 40 s', () => {
    for (const run of all) {
      const exits = at(run, 'containerExit', 'proxy');
      expectBackOff(exits, startsOf(run, 'proxy').slice(1), [0, 10, 20, 40]);
    }
  });
});

/** Waits from exit to start; a retry comes by a timer of up to half more than what remains (K-042, K-079). */
function expectBackOff(exits: readonly number[], starts: readonly number[], waits: readonly number[]): void {
  for (const [i, wait] of waits.entries()) {
    const waited = (starts[i] as number) - (exits[i] as number);
    expect(waited).toBeGreaterThanOrEqual(wait);
    expect(waited).toBeLessThan(wait + Math.min(wait / 2, 90) + EPS);
  }
}

describe('N1: 1/1 but not Ready', () => {
  const gate = 'lb.example/target-ready';
  const manifest = podText(`
readinessGates: [{conditionType: ${gate}}]
containers:
  - {name: app, image: i, readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}`);
  const patch = (t: number, status: string): string =>
    `{at: ${t}s, do: patchCondition, pod: web, condition: ${gate}, status: '${status}'}`;
  const play = (...actions: string[]): readonly ReadRun[] =>
    caseRuns(manifest, `duration: 2m\napps: [{readyAfter: 5s}]\nactions: [${actions.join(', ')}]`);
  const patched = play(patch(45, 'True'), patch(100, 'False'));
  it('until the condition is written: READY 1/1, ContainersReady True, Ready False with the reason', () => {
    for (const run of patched) {
      for (const t of [t0(run) + 6 + AT_ONCE, 45]) {
        const view = podAt(run, t);
        expect(readyColumn(view)).toBe('1/1');
        expect(conditionOf(view, 'ContainersReady')?.status).toBe('True');
        expect(conditionOf(view, 'Ready')).toMatchObject({
          status: 'False',
          reason: 'ReadinessGatesNotReady',
          message: `corresponding condition of pod readiness gate "${gate}" does not exist.`,
        });
      }
    }
  });
  it('Ready follows the condition at once, both ways', () => {
    for (const run of patched) {
      const [ready] = run.readyTurned('True');
      expect((ready as number) - 45).toBeGreaterThan(0);
      expect((ready as number) - 45).toBeLessThan(EPS);
      const gone = first(run.readyTurned('False').filter((t) => t > 45));
      expect(gone - 100).toBeGreaterThan(0);
      expect(gone - 100).toBeLessThan(EPS);
      expect(readyColumn(podAt(run, 119))).toBe('1/1');
    }
  });
  it('a condition that is Unknown is not True, and the message says so', () => {
    for (const run of play(patch(45, 'True'), patch(100, 'Unknown'))) {
      expect(first(run.readyTurned('False').filter((t) => t > 45)) - 100).toBeLessThan(EPS);
      expect(conditionOf(podAt(run, 119), 'Ready')?.message).toBe(
        `the status of pod readiness gate "${gate}" is not "True", but Unknown`,
      );
    }
  });
  it('a condition that nobody writes counts as False for ever', () => {
    for (const run of play()) expect(run.readyTurned('True')).toEqual([]);
  });
});

const ONCE = podText('containers:\n  - {name: app, image: i}');

describe('V1: the first restart is free', () => {
  const all = caseRuns(ONCE, 'duration: 25m\napps: [{exit: {at: 6s, code: 1}}]');
  it('the waits after each exit are none, 10, 20, 40, 80, 160, 300, 300 s', () => {
    for (const run of all)
      expectBackOff(at(run, 'containerExit'), startsOf(run, 'app').slice(1), [0, 10, 20, 40, 80, 160, 300, 300]);
  });
  it('RESTARTS shows 1 before the first CrashLoopBackOff', () => {
    for (const run of all) {
      const waiting = podViews(run).find(
        ({ status }) => status.containerStatuses?.[0]?.state.waiting?.reason === 'CrashLoopBackOff',
      );
      expect(waiting?.status.containerStatuses?.[0]?.restartCount).toBe(1);
    }
  });
});

describe('V3: completed, exit 0, CrashLoopBackOff', () => {
  const play = (policy: string, code: number): readonly ReadRun[] =>
    caseRuns(
      ONCE.replace('containers:', `restartPolicy: ${policy}\n  containers:`),
      `duration: 2m\napps: [{exit: {at: 100ms, code: ${code}}}]`,
    );
  it('Always: back-off, whatever the exit code', () => {
    for (const run of play('Always', 0))
      expectBackOff(at(run, 'containerExit'), startsOf(run, 'app').slice(1), [0, 10, 20]);
  });
  it.each([
    ['OnFailure', 0, 'Succeeded', 'PodCompleted'],
    ['Never', 0, 'Succeeded', 'PodCompleted'],
    ['Never', 1, 'Failed', 'PodFailed'],
  ])('%s with exit code %i: one run, phase %s', (policy, code, phase, reason) => {
    for (const run of play(policy, code)) {
      expect(startsOf(run, 'app')).toHaveLength(1);
      const view = podAt(run, 119);
      expect(view.status.phase).toBe(phase);
      expect(conditionOf(view, 'Ready')).toMatchObject({ status: 'False', reason });
    }
  });
});
