import { describe, expect, it } from 'vitest';
import { readScenario } from '../../src/io/readScenario.ts';
import { AT_ONCE, caseRuns, conditionOf, first, podAt, podText, readyColumn, startsOf } from '../support/caseRuns.ts';
import type { ReadRun } from '../support/readRun.ts';

/** A process that ends when somebody says so, at the playhead or in `actions`. */
const POD = podText(`
terminationGracePeriodSeconds: 5
containers:
  - {name: app, image: i, readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}
  - {name: side, image: i}`);
const play = (actions: string, manifest = POD): readonly ReadRun[] =>
  caseRuns(manifest, `duration: 2m\nactions: [${actions}]`, [1, 2, 3]);
const exits = (run: ReadRun) => run.all('containerExit');
/** Relist and pass. */
const EPS = 1.2;

describe('crash', () => {
  it('ends the process of the first container at that instant, with exit code 1, because of the action', () => {
    for (const run of play('{at: 30s, do: crash, pod: web}')) {
      const [exit, ...more] = exits(run);
      expect(more).toEqual([]);
      expect([exit?.at, exit?.subject.container, exit?.payload.exitCode]).toEqual([30e6, 'app', 1]);
      const causes = exit ? run.reader.causesOf(exit.ref) : [];
      expect(causes.map((cause) => run.reader.event(cause).kind)).toEqual(['action']);
    }
  });
  it('the Pod is 1/2 as soon as the kubelet has seen it, the first restart is at once, the second 10 s later', () => {
    for (const run of play('{at: 30s, do: crash, pod: web}, {at: 50s, do: crash, pod: web}')) {
      const [, one, two] = startsOf(run, 'app');
      expect(first(run.readyTurned('False').filter((t) => t > 30)) - 30).toBeLessThan(EPS);
      expect((one ?? 0) - 30).toBeLessThan(EPS + AT_ONCE);
      expect((two ?? 0) - 50).toBeGreaterThan(10);
      expect(readyColumn(podAt(run, 55))).toBe('1/2');
      expect(conditionOf(podAt(run, 110), 'Ready')?.status).toBe('True');
    }
  });
  it('of another container, with another exit code', () => {
    for (const run of play('{at: 30s, do: crash, pod: web, container: side, exitCode: 0}')) {
      expect(exits(run).map(({ subject, payload }) => [subject.container, payload.exitCode])).toEqual([['side', 0]]);
    }
  });
  it('nothing happens while nothing runs there: in back-off, or after the end of the Pod', () => {
    const again = '{at: 30s, do: crash, pod: web}, {at: 50s, do: crash, pod: web}, {at: 55s, do: crash, pod: web}';
    for (const run of play(`${again}, {at: 80s, do: deletePod, pod: web}, {at: 90s, do: crash, pod: web}`))
      expect(exits(run).filter(({ payload }) => payload.cause === 'crash')).toHaveLength(2);
  });
  it('a process that crashes while it drains ends the wait for it', () => {
    const ignores = 'apps: [{onTerm: {ignore: true}}]';
    const actions = '[{at: 30s, do: deletePod, pod: web}, {at: 32s, do: crash, pod: web, exitCode: 3}]';
    for (const run of caseRuns(POD, `duration: 1m\n${ignores}\nactions: ${actions}`, [1, 2])) {
      const app = exits(run).filter(({ subject }) => subject.container === 'app');
      expect(app.map(({ at, payload }) => [at, payload.exitCode])).toEqual([[32e6, 3]]);
    }
  });
  it('each Pod of a workload crashes at once', () => {
    const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: i}]}`;
    for (const run of play('{at: 30s, do: crash, workload: web}', deployment))
      expect(exits(run).map(({ at }) => at)).toEqual([30e6, 30e6, 30e6]);
  });
  it('a container that the Pod does not have is named with its place', () => {
    const text = `${POD}\n---\napiVersion: podtopool/v1\nkind: Scenario\nactions: [{at: 1s, do: crash, pod: web, container: ap}]\n`;
    expect(readScenario(text).issues).toMatchObject([
      { line: 12, severity: 'error', message: 'there is no container ap in this text' },
    ]);
  });
});
