import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../src/io/examples/examples.ts';
import { readScenario } from '../../src/io/readScenario.ts';
import { readRun } from '../support/readRun.ts';
import { recordedRun } from '../support/recorded.ts';

const FLAP = EXAMPLES.find(({ id }) => id === 'tiny-flap')?.text ?? '';
const OWN_WATCH = /latencies: .*\n/;

/** When the slice of the flapping Pod is written again, s after the flap began. */
function backAfter(text: string): number {
  const { scenario } = readScenario(text);
  if (!scenario) throw new Error('the text has errors');
  const writes = readRun(scenario)
    .all('stored', ({ at, payload }) => payload.resource === 'endpointslices' && at > 10e6)
    .map(({ at }) => at / 1e6 - 10);
  return writes.at(-1) ?? Number.NaN;
}

describe('changes of a Pod within one write of its slice', () => {
  it('wait a second for the back-off when the controller sees its own write after the answer', () => {
    expect(backAfter(FLAP)).toBeGreaterThan(1);
    expect(backAfter(FLAP)).toBeLessThan(1.1);
  });

  it('follow at once with the latencies of the recorded cluster, where it sees its write first', () => {
    expect(FLAP).toMatch(OWN_WATCH);
    expect(backAfter(FLAP.replace(OWN_WATCH, ''))).toBeLessThan(0.02);
  });
});

describe('controllers of workloads', () => {
  const refused = (kubernetes: string): number =>
    readRun({ ...recordedRun('workloads/delete-pods-01').scenario, kubernetes }).all(
      'controllerSync',
      ({ payload }) => payload.error === 'stale cache',
    ).length;

  it('wait since 1.36 until their caches show what they wrote themselves (N-020)', () => {
    expect(refused('1.36')).toBeGreaterThan(0);
    expect(refused('1.35')).toBe(0);
  });
});
