import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../src/io/examples/examples.ts';
import { readScenario } from '../../src/io/readScenario.ts';
import { type ReadRun, readRun } from '../support/readRun.ts';
import { type Lost, lostOf, sigterms } from '../support/wholePath.ts';

/** What the examples of the whole path teach, and that what they blame is to blame: with the cure nothing is lost. */

/** Runs an example, with one part of its text replaced. */
function runOf(id: string, part = '', by = ''): ReadRun {
  const text = EXAMPLES.find((example) => example.id === id)?.text ?? '';
  expect(text).toContain(part);
  const { scenario } = readScenario(text.replace(part, by));
  if (!scenario) throw new Error(`no scenario of ${id}`);
  return readRun(scenario);
}

describe('a rollout that drops requests, and the one that does not', () => {
  it('loses requests to each old Pod for up to minSyncPeriod after its SIGTERM, and no others', () => {
    const run = runOf('rollout-drops-requests');
    const lost = lostOf(run);
    const ended = sigterms(run);
    expect(lost.length).toBeGreaterThan(5);
    expect(new Set(lost.map(({ pod }) => pod))).toEqual(
      new Set(['default/web#1/0', 'default/web#1/1', 'default/web#1/2']),
    );
    for (const { at, pod } of lost) {
      expect(at - (ended.get(pod) ?? 0)).toBeGreaterThan(0);
      expect(at - (ended.get(pod) ?? 0)).toBeLessThan(1.1);
    }
  });

  it('loses none with a preStop of 5 s, and replaces all the same Pods', () => {
    const run = runOf('rollout-drops-none');
    expect(lostOf(run)).toEqual([]);
    expect([...sigterms(run).keys()].sort()).toEqual(['default/web#1/0', 'default/web#1/1', 'default/web#1/2']);
    const last = run.all('clientAttempt').slice(-30);
    expect(last.every(({ payload }) => payload.pod.startsWith('default/web#2/'))).toBe(true);
  });

  it('a hook of 5 s is too short where the proxy rests for 10 s; one of 10 s is not', () => {
    const short = runOf('pre-stop-before-rules');
    const lost = lostOf(short);
    const ended = sigterms(short);
    expect(lost.length).toBeGreaterThan(5);
    for (const { at, pod } of lost) expect(at - (ended.get(pod) ?? 0)).toBeLessThan(5.1);
    expect(lostOf(runOf('pre-stop-before-rules', 'seconds: 5', 'seconds: 10'))).toEqual([]);
  });
});

describe('a Pod fails readiness while it drains', () => {
  const DELETED = 30;
  it('is asked on until its second failure, and then connections are rejected until the new Pod is Ready', () => {
    const run = runOf('unready-while-draining');
    const lost = lostOf(run);
    expect(new Set(lost.map(({ outcome }) => outcome))).toEqual(new Set(['rejected']));
    expect((lost[0] as Lost).at - DELETED).toBeGreaterThan(2);
    expect((lost[0] as Lost).at - DELETED).toBeLessThan(5.5);
    const back = run.readyTurned('True').at(-1) ?? 0;
    expect(Math.abs((lost.at(-1) as Lost).at - back)).toBeLessThan(1.3);
  });

  it('loses nothing when it says yes to its probe for as long as it serves', () => {
    const run = runOf('unready-while-draining', 'answer: fail', 'answer: slow, takes: 2ms');
    expect(lostOf(run)).toEqual([]);
  });
});

describe('a node dies', () => {
  const OFF = 60;
  const run = runOf('node-dies');
  const dead = 'default/cart#1/1';
  it('loses only requests to its Pod, each by silence, until the Lease is missed for the grace period', () => {
    const lost = lostOf(run);
    expect(new Set(lost.map(({ pod }) => pod))).toEqual(new Set([dead]));
    expect(new Set(lost.map(({ outcome }) => outcome))).toEqual(new Set(['timeout']));
    const span = (lost.at(-1) as Lost).at - OFF;
    // N-031 to N-033: 50 s since the last Lease, which is up to 10.4 s old, looked at every 5 s; then rules.
    expect(span).toBeGreaterThan(35);
    expect(span).toBeLessThan(57);
  });

  it('the Pod is replaced when its toleration of 300 s is over', () => {
    const ready = run.readyTurned('False').find((at) => at > OFF) ?? 0;
    const replaced = run.all('startContainer', ({ subject }) => subject.pod === 'default/cart#1/3');
    expect((replaced[0]?.at ?? 0) / 1e6 - ready).toBeGreaterThan(299);
    expect((replaced[0]?.at ?? 0) / 1e6 - ready).toBeLessThan(310);
  });
});

describe('a database blip restarts every Pod', () => {
  const AWAY = { from: 60, to: 76 };
  it('all apps are killed at once, and the Service is away for longer than the database', () => {
    const run = runOf('liveness-asks-database');
    const killed = run.all('containerExit').map(({ at }) => at / 1e6);
    expect(killed).toHaveLength(3);
    for (const at of killed) {
      expect(at).toBeGreaterThan(AWAY.from + 10);
      expect(at).toBeLessThan(AWAY.to);
    }
    const lost = lostOf(run).map(({ at }) => at);
    expect((lost.at(-1) as number) - (lost[0] as number)).toBeGreaterThan(AWAY.to - AWAY.from + 8);
  });

  it('nothing is lost, and nothing restarts, where liveness asks only the app', () => {
    const run = runOf('liveness-asks-database', 'path: /health, port', 'path: /alive, port');
    expect(run.all('containerExit')).toEqual([]);
    expect(lostOf(run)).toEqual([]);
  });
});
