import { describe, expect, it } from 'vitest';
import { type Micros, micros, microsSpan } from '../../src/base/units.ts';
import type { Action, PodInput } from '../../src/sim/scenario.ts';
import { type ReadRun, readRun } from '../support/readRun.ts';
import { container, exitStep, ok, pod, probe, run, scenario, step } from '../support/scenario.ts';

/** What a pass of a pod worker knows, and what it has to find out by the pass after it. */

const GATE = 'lb.example/ready';
/** A kubelet that starts with the run, so that its relists are known. */
const runOf = (one: PodInput, actions: readonly Action[]): ReadRun =>
  readRun(
    scenario([one], 90, {
      kubelet: {
        processStart: micros(0),
        syncLoopDelay: null,
        syncFrequencySeconds: 60,
        maxContainerRestartPeriodSeconds: 300,
      },
      actions,
    }),
  );
const POD = 'default/web-0';
const second = (at: number): Micros => micros(Math.round(at * 1e6));
const label = (at: number): Action => ({ at: second(at), do: 'labelPod', pod: POD, labels: { at: String(at) } });
const fulfil = (at: number): Action => ({
  at: second(at),
  do: 'patchCondition',
  pod: POD,
  condition: GATE,
  status: 'True',
});
const remove = (at: number): Extract<Action, { do: 'deletePod' }> => ({
  at: second(at),
  do: 'deletePod',
  pod: POD,
  graceSeconds: null,
});

/** Begin of the first pass after `from`, s. */
const passAfter = (one: ReadRun, from: number): number =>
  one
    .all('syncPod')
    .map(({ at }) => at / 1e6)
    .find((at) => at > from) ?? Number.NaN;

describe('a pass works on the Pod as it was when its update was taken (K-006, K-032)', () => {
  const gated = pod([container({})], { readinessGates: [GATE] });

  it('a gate that is fulfilled between passes makes the Pod ready at once', () => {
    const [ready] = runOf(gated, [fulfil(40)]).readyTurned('True');
    expect(ready).toBeGreaterThan(40);
    expect(ready).toBeLessThan(40.02);
  });

  it('a gate that is fulfilled while a pass waits for the runtime is seen by the pass after it', () => {
    // The first label is a pass at once; the second has to wait for the next relist, and so the gate comes too late for it.
    const one = runOf(gated, [label(40), label(40.01), fulfil(40.02)]);
    const waited = passAfter(one, 40.02);
    const [ready = Number.NaN] = one.readyTurned('True');
    expect(ready - waited).toBeGreaterThan(1);
    expect(ready - waited).toBeLessThan(1.03);
  });

  it('a container that has died is still started by a pass that waits when the Pod is deleted, and killed by the next', () => {
    const dying = pod([container({}, [run(step(0, ok()), exitStep(30, 1)), run(step(0, ok()))])]);
    const died = runOf(dying, [])
      .all('syncLoop', ({ payload }) => payload.op === 'ContainerDied')
      .map(({ at }) => at / 1e6);
    const relist = died[0] ?? Number.NaN;
    const one = runOf(dying, [label(relist - 0.06), label(relist - 0.04), remove(relist - 0.03)]);
    expect(one.starts).toHaveLength(2);
    const kinds = one.all('syncPod', ({ at }) => at / 1e6 > relist - 0.05).map(({ payload }) => payload.work);
    expect(kinds).toEqual(['sync', 'terminating', 'terminated']);
  });
});

it('a container that a new kubelet has not seen run ends with the sandbox of its Pod (K-048)', () => {
  const [created = Number.NaN] = runOf(pod([container({})], { createdAt: second(30) }), [])
    .all('createContainer')
    .map(({ end }) => end / 1e6);
  // Stopped between the creation and the start of the container, the kubelet comes back before the runtime has started it.
  const one = runOf(pod([container({})], { createdAt: second(30) }), [
    { at: second(created + 0.01), do: 'restartKubelet', node: 'node-a', down: microsSpan(20_000) },
    remove(created + 0.02),
  ]);
  expect(one.starts).toHaveLength(1);
  expect(one.all('containerExit').map(({ payload }) => [payload.cause, payload.exitCode])).toEqual([['sandbox', 137]]);
  expect(one.all('apiRequest').at(-1)?.payload.verb).toBe('delete');
});

describe('a Pod that goes from its source while no kubelet runs is killed by the next one, which writes nothing (K-018, K-051)', () => {
  const restart: Action = { at: micros(40e6), do: 'restartKubelet', node: 'node-a', down: microsSpan(10e6) };
  it.each<[row: string, one: PodInput, gone: Action]>([
    ['deleted by force', pod([container({})]), { ...remove(45), graceSeconds: 0 }],
    [
      'its manifest taken away',
      pod([container({})], { isStatic: true }),
      { at: second(45), do: 'removeStaticPod', pod: POD },
    ],
  ])('%s', (_row, one, gone) => {
    const seen = runOf(one, [restart, gone]);
    const [exit, ...others] = seen.all('containerExit');
    expect(others).toEqual([]);
    expect(exit?.payload.cause).toBe('sigterm');
    expect((exit?.at ?? 0) / 1e6).toBeGreaterThan(50);
    expect((exit?.at ?? 0) / 1e6).toBeLessThan(53);
    expect(seen.all('statusSet', ({ at }) => at > 45e6)).toEqual([]);
  });
});

describe('a static Pod is told apart from its mirror (K-192)', () => {
  const one = pod([container({ readiness: probe({ periodSeconds: 5 }) })], { isStatic: true, createdAt: micros(1e6) });
  const requests = (of: ReadRun, after: number): readonly string[] =>
    of.all('apiRequest', ({ at }) => at / 1e6 > after).map(({ payload }) => payload.verb);

  it('goes on when somebody deletes its mirror, which its next pass makes anew (K-034, K-046 step 7)', () => {
    const deleted = runOf(one, [remove(40)]);
    expect(deleted.starts).toHaveLength(1);
    expect(deleted.all('sigterm')).toEqual([]);
    expect(requests(deleted, 40).slice(0, 2)).toEqual(['delete', 'create']);
  });

  it('is not ready after a restart of its kubelet until its probe has spoken: only the mirror knows that it was (K-206)', () => {
    const restart: Action = { at: micros(40e6), do: 'restartKubelet', node: 'node-a', down: microsSpan(2e6) };
    const [notReady = Number.NaN] = runOf(one, [restart])
      .readyTurned('False')
      .filter((at) => at > 30);
    expect(notReady).toBeGreaterThan(42);
    expect(notReady).toBeLessThan(43);
    const api = runOf({ ...one, isStatic: false }, [restart]);
    expect(api.readyTurned('False').filter((at) => at > 30)).toEqual([]);
  });
});
