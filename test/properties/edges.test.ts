/** Coincidences that random scenarios hardly ever meet. */
import { expect, it } from 'vitest';
import { micros, microsSpan, seconds } from '../../src/base/units.ts';
import { readRun } from '../support/readRun.ts';
import { container, pod, scenario } from '../support/scenario.ts';
import { condition, Observation } from './observation.ts';

/** A kubelet that starts at 0, and so ticks on whole seconds. */
const KUBELET = {
  processStart: micros(0),
  syncLoopDelay: microsSpan(0),
  syncFrequencySeconds: 60,
  maxContainerRestartPeriodSeconds: 300,
};

it('a pass that is due in the very instant of a 1 s tick waits for the next tick, though the tick finds another (K-042)', () => {
  const names = ['web-0', 'db-0'];
  const pods = names.map((name) => pod([container({})], { identity: `default/${name}`, name, uid: name }));
  const pinned = (delays: readonly (readonly number[])[]) => ({
    kubelet: KUBELET,
    pins: Object.fromEntries(
      names.map((name, i) => [
        `podWorkers/requeue/default/${name}`,
        (delays[i] ?? []).map((value) => ({ value, at: null })),
      ]),
    ),
  });
  const queued = readRun(scenario(pods, 60, pinned([]))).all('requeue');
  /** Pins that make the last pass of a Pod fall due at `at`. */
  const dueAt = (name: string, at: number): readonly number[] => {
    const own = queued.filter(({ subject }) => subject.pod === `default/${name}`);
    return own.map((requeue, i) => (i === own.length - 1 ? at - requeue.at : seconds(60)));
  };
  const run = readRun(scenario(pods, 60, pinned([dueAt('web-0', seconds(20)), dueAt('db-0', seconds(19.5))])));
  const ticks = run.all('syncLoop', ({ payload }) => payload.channel === 'sync').slice(0, 2);
  expect(ticks.map(({ at, payload }) => [at, payload.pods])).toEqual([
    [20_000_000, 'db-0'],
    [21_000_000, 'web-0'],
  ]);
});

it('a condition that changes its message alone makes a new version (K-179, K-187)', () => {
  const gated = pod([container({})], { readinessGates: ['example.com/warm'] });
  const patch = { at: micros(20_000_000), do: 'patchCondition', pod: gated.identity } as const;
  const run = new Observation(
    scenario([gated], 40, { actions: [{ ...patch, condition: 'example.com/warm', status: 'False' }] }),
  );
  const messages = run.stored(gated).map(({ status }) => condition(status, 'Ready')?.message);
  expect(messages.at(-1)).toMatch(/"example.com\/warm" is not "True", but False/);
});
