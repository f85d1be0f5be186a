import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { milliseconds } from '../../src/base/units.ts';
import type { PodInput, ProbeKind, ProbeSpec, Scenario } from '../../src/sim/scenario.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';
import { randomScenario } from '../support/randomScenario.ts';
import { describeInvariants, LIMIT, RUNS, SEED } from './describeInvariants.ts';
import { INVARIANTS } from './invariants/index.ts';
import { Observation } from './observation.ts';
import { told, traceOf } from './told.ts';

describeInvariants(INVARIANTS, randomScenario, (scenario) => new Observation(scenario));

/** The scenario with another period of one probe; itself when it has none. */
function withOtherPeriod(scenario: Scenario): { readonly changed: Scenario; readonly worker: string } {
  for (const pod of scenario.pods) {
    const container = pod.containers.find(({ probes }) => Object.values(probes).some((spec) => spec !== null));
    const [kind, spec] = Object.entries(container?.probes ?? {}).find(([, one]) => one !== null) ?? [];
    if (!container || !kind || !spec) continue;
    const other: ProbeSpec = { ...spec, periodSeconds: spec.periodSeconds + 1 };
    const probes = { ...container.probes, [kind as ProbeKind]: other };
    const containers = pod.containers.map((one) => (one === container ? { ...one, probes } : one));
    const pods = scenario.pods.map((one): PodInput => (one === pod ? { ...pod, containers } : one));
    return { changed: { ...scenario, pods }, worker: `${pod.identity}/${container.name}/${kind}` };
  }
  return { changed: scenario, worker: '' };
}

/** Results of draws that depend on nothing but chance: sleeps of workers, and passes that are queued after a good one. */
function pureDraws(scenario: Scenario): ReadonlyMap<string, number> {
  const reader = new TraceReader(traceOf(scenario));
  const drawn = new Map<string, number>();
  const count = new Map<string, number>();
  // A requeue is a draw, and so is each worker that is made, whether it sleeps or not.
  for (const event of reader.events()) {
    if (event.kind !== 'requeue' && event.kind !== 'workerAdded' && event.kind !== 'startSleep') continue;
    const { pod, container, probe } = event.subject;
    const name = event.kind === 'requeue' ? pod : `${pod}/${container}/${probe}`;
    const index = count.get(name) ?? 0;
    if (event.kind !== 'startSleep') count.set(name, index + 1);
    if (event.kind === 'startSleep') drawn.set(`${name}#${index}`, event.payload.length);
    else if (event.kind === 'requeue' && event.payload.reason === 'resync')
      drawn.set(`${name}#${index}`, event.payload.delay);
  }
  return drawn;
}

describe('a run', () => {
  const check = (numRuns: number, holds: (scenario: Scenario) => void): void =>
    fc.assert(fc.property(randomScenario, holds), { ...LIMIT, numRuns: Math.ceil(numRuns), seed: SEED });

  it('gives the same bytes for the same scenario, in one go or in small budgets', () => {
    check(RUNS / 10, (scenario) => {
      expect(traceOf(scenario, 7)).toEqual(traceOf(scenario));
    });
  });

  it('tells the same events when every tick is queued and written', () => {
    check(RUNS / 3, (scenario) => {
      // Turns at instants of their own: what is simultaneous by chance has no order that could be kept.
      const latency = { ...scenario.latency, workerTurn: milliseconds(0.137), workerTurnStep: milliseconds(0.059) };
      expect(told({ ...scenario, latency }, true)).toEqual(told({ ...scenario, latency }, false));
    });
  });

  it('leaves the draws of all else as they are when one probe field changes', () => {
    let compared = 0;
    check(RUNS / 3, (scenario) => {
      const { changed, worker } = withOtherPeriod(scenario);
      const [before, after] = [pureDraws(scenario), pureDraws(changed)];
      for (const [name, value] of after) {
        const known = before.get(name);
        if (known === undefined || name.startsWith(`${worker}#`)) continue;
        compared++;
        expect([name, value]).toEqual([name, known]);
      }
    });
    expect(compared).toBeGreaterThan(RUNS);
  });
});
