import { describe, expect, it } from 'vitest';
import { container, pod, probe } from '../../../test/support/scenario.ts';
import { microsSpan } from '../../base/units.ts';
import type { ProbeSpec } from '../../sim/scenario.ts';
import { withDrawnAnswers } from './answers.ts';
import { appRunOf } from './appScript.ts';

/** Lengths of the answers of an app that listens 2 ms after its start, and is slow from the third second on; µs. */
function lengths(type: ProbeSpec['handler']['type'], seed: number): number[] {
  const target = type === 'exec' ? 'true' : ':8080/ready';
  const readiness = probe({ handler: { type, target } });
  const probes = { startup: null, readiness, liveness: null };
  const script = [{ at: 3_000, path: '/ready', delay: 500 }];
  const run = appRunOf({ script, onSigterm: undefined, ports: ['8080'] }, microsSpan(2_000), probes);
  const [drawn] = withDrawnAnswers([pod([container({ readiness }, [run])])], seed);
  return drawn?.containers[0]?.runs[0]?.script.map(({ answers }) => answers.readiness?.takes ?? 0) ?? [];
}

describe("what a probe takes beside the app's script", () => {
  it.each<[type: ProbeSpec['handler']['type'], least: number, most: number]>([
    ['httpGet', 500, 10_000],
    ['tcpSocket', 700, 4_400],
    ['grpc', 1_200, 5_300],
    ['exec', 1_900, 8_500],
  ])('%s is drawn from its own distribution', (type, least, most) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const [, open = 0] = lengths(type, seed);
      expect(open).toBeGreaterThanOrEqual(least);
      expect(open).toBeLessThanOrEqual(most);
    }
  });

  it('comes on top of what the script says', () => {
    expect(lengths('httpGet', 1)[2]).toBeGreaterThan(500_000);
    expect(lengths('httpGet', 1)[2]).toBeLessThan(511_000);
  });

  it('is shorter where the port is closed', () => {
    expect(Math.min(...[1, 2, 3, 4, 5, 6, 7, 8].map((seed) => lengths('tcpSocket', seed)[0] ?? 0))).toBeLessThan(700);
  });

  it('is the same for a seed each time, and another for each seed and step', () => {
    expect(lengths('exec', 7)).toEqual(lengths('exec', 7));
    expect(new Set([...lengths('exec', 7), ...lengths('exec', 8)]).size).toBe(6);
  });
});
