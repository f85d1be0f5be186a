import { expect, it } from 'vitest';
import { microsSpan } from '../../src/base/units.ts';
import type { Latencies, Scenario } from '../../src/sim/scenario.ts';
import { startRun } from '../../src/sim/simulate.ts';
import { container, exitStep, ok, pod, probe, run, scenario, step } from '../support/scenario.ts';

/** A world in which nothing takes time must still come to its end: each row once went round and round at one instant. */

const NO_TIME = Object.fromEntries(
  Object.keys(scenario([], 1).latency).map((name) => [name, microsSpan(0)]),
) as unknown as Latencies;
const probes = { startup: probe(), readiness: probe({ periodSeconds: 1 }), liveness: probe() };
const done = container(probes, [run(exitStep(0, 0))], 'done');
const app = container(probes, [run(step(0, ok(0)))]);

const ends = (given: Scenario): boolean => !startRun(given).advance(200_000);

it.each([
  ['a Pod that serves', pod([app])],
  ['a container that has ended for good beside one that runs', pod([app, done], { restartPolicy: 'OnFailure' })],
  ['a container that crashes at once', pod([container(probes, [run(exitStep(0, 1))])])],
  ['a refused image', pod([{ ...app, imagePull: { takes: microsSpan(0), failures: 99 } }])],
])('%s', (_, given) => {
  expect(ends(scenario([given], 60, { latency: NO_TIME }))).toBe(true);
});
