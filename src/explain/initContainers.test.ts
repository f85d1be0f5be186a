import { describe, expect, it } from 'vitest';
import { finishedRunOf } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { type Why, whyAt } from './why.ts';
import { pathEn } from './words/pathEn.ts';
import { pathZh } from './words/pathZh.ts';

const runWith = (initContainers: string, apps: string): FinishedRun =>
  finishedRunOf(`apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  initContainers: [${initContainers}]
  containers: [{name: app, image: i, readinessProbe: {httpGet: {path: /, port: 8080}}}]
---
apiVersion: podtopool/v1
kind: Scenario
startTime: 2026-01-01T00:00:00Z
duration: 2m
apps: [${apps}]
`);

const asked = (run: FinishedRun, seconds: number): Why => {
  const [pod] = run.scenario.pods;
  if (pod === undefined) throw new Error('no Pod');
  return whyAt(run, { pod, service: 'default/web', node: null, at: micros(seconds * 1e6) });
};

const FIRST = '{name: first, image: i}';
const SIDECAR = '{name: side, image: i, restartPolicy: Always, startupProbe: {tcpSocket: {port: 1}, periodSeconds: 1}}';
const ends = (container: string, seconds: number, code = 0): string =>
  `{pod: web, container: ${container}, runs: [{exit: {at: ${seconds}s, code: ${code}}}]}`;

/** Two, one after the other; the first of 4 s ends about 5.2 s, the second of 3 s some seconds later. */
const both = runWith(`${FIRST}, {name: second, image: i}`, `${ends('first', 4)}, ${ends('second', 3)}`);
const failing = runWith(FIRST, ends('first', 4, 7));
/** A sidecar that takes 6 s to start, before and after one that runs to its end. */
const sideFirst = runWith(`${SIDECAR}, ${FIRST}`, `{pod: web, container: side, readyAfter: 6s}, ${ends('first', 4)}`);
const sideLast = runWith(`${FIRST}, ${SIDECAR}`, `{pod: web, container: side, readyAfter: 6s}, ${ends('first', 4)}`);

describe('what containers that wait for init containers wait for', () => {
  it.each<[name: string, run: FinishedRun, seconds: number, missing: object, said: RegExp]>([
    ['the first, while it runs', both, 3, { kind: 'init', container: 'first', value: 'running' }, /first runs/],
    ['the second, once the first has ended', both, 7, { kind: 'init', container: 'second' }, /second/],
    [
      'one that has failed',
      failing,
      12,
      { kind: 'init', container: 'first', value: 'failed' },
      /code 7.*back-off until/,
    ],
    ['a sidecar that stands before it', sideFirst, 4, { kind: 'app', container: 'side' }, /app in side is starting/],
    ['not a sidecar that stands behind it', sideLast, 4, { kind: 'init', container: 'first' }, /first runs/],
    ['a sidecar, once it has ended', sideLast, 9, { kind: 'app', container: 'side' }, /app in side is starting/],
  ])('%s', (_name, run, seconds, missing, said) => {
    const why = asked(run, seconds);
    expect(why.missing).toMatchObject(missing);
    expect(pathEn.answer(why)).toMatch(said);
    expect(pathZh.answer(why)).not.toMatch(/undefined|null/);
  });

  it('the link says when it comes, and then holds', () => {
    const comesAt = asked(both, 3).missing?.comesAt as number;
    expect(asked(both, (comesAt - 1) / 1e6).links.find(({ kind }) => kind === 'init')?.says).toBe('no');
    expect(asked(both, comesAt / 1e6).links.find(({ kind }) => kind === 'init')?.says).toBe('yes');
  });

  it('the command asks the container that is waited for, and one that has never run has no log', () => {
    expect(asked(both, 3).proof).toBe('kubectl logs web -c first -n default');
    expect(asked(failing, 12).proof).toBe('kubectl logs web -c first -n default');
    expect(asked(sideLast, 5.3).proof).toBe('kubectl describe pod web -n default');
  });

  it('a Pod without init containers has no such link', () => {
    const run = runWith('', '');
    expect(asked(run, 3).links.map(({ kind }) => kind)).not.toContain('init');
  });
});
