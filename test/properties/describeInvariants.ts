import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/sim/scenario.ts';
import { Findings, type Invariant } from './invariant.ts';

/** Fixed, so that a failure comes again; other numbers hunt for more. */
export const SEED = Number(process.env.PROPERTY_SEED ?? 1);
export const RUNS = Number(process.env.PROPERTY_RUNS ?? 150);
/** How long a failure is made smaller. */
export const LIMIT = { interruptAfterTimeLimit: 20_000 };

/** One test for each invariant, all on the same `numRuns` runs; one that fails shows the smallest scenario that breaks it. */
export function describeInvariants<R>(
  groups: Readonly<Record<string, readonly Invariant<R>[]>>,
  scenarios: fc.Arbitrary<Scenario>,
  observe: (scenario: Scenario) => R,
  numRuns = RUNS,
): void {
  const findings = new Map(
    Object.values(groups)
      .flat()
      .map((invariant) => [invariant, new Findings()] as const),
  );
  beforeAll(() => {
    for (const scenario of fc.sample(scenarios, { numRuns, seed: SEED })) {
      const run = observe(scenario);
      for (const [invariant, find] of findings) invariant.check(run, find);
    }
  }, 120_000);

  const shrink = (invariant: Invariant<R>): void => {
    const holds = (scenario: Scenario): void => {
      const find = new Findings();
      invariant.check(observe(scenario), find);
      expect(find.violations).toEqual([]);
    };
    fc.assert(fc.property(scenarios, holds), { ...LIMIT, numRuns, seed: SEED });
  };

  describe.each(Object.entries(groups))('%s', (_group, invariants) => {
    it.each(invariants.map((invariant) => [invariant.name, invariant] as const))('%s', (_name, invariant) => {
      const { checked, violations } = findings.get(invariant) as Findings;
      if (violations.length > 0) shrink(invariant);
      expect(violations).toEqual([]);
      expect(checked).toBeGreaterThan(0);
    });
  });
}
