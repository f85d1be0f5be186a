import { describe, expect, it } from 'vitest';
import { microsSpan } from '../../base/units.ts';
import { neighbourSyncs } from './neighbours.ts';
import type { Observations } from './observations.ts';

const MS = 1_000;
const NOTHING: Observations = {
  firstProbes: [],
  results: [],
  patches: [],
  deletions: [],
  sliceWrites: [],
  syncs: [],
  attempts: new Map(),
  silences: [],
};

/** `<ms> <length>` of each sync that is a neighbour's. */
function told(
  syncs: readonly (readonly [from: number, to: number])[],
  ownMs: readonly number[],
  holdMs = 1000,
): string[] {
  const seen = { ...NOTHING, syncs: syncs.map(([from, to]) => ({ startedAt: from * MS, completeAt: to * MS })) };
  const proxy = { mode: 'iptables', minSyncPeriod: microsSpan(holdMs * MS) } as const;
  return neighbourSyncs(
    seen,
    ownMs.map((at) => at * MS),
    proxy,
  ).map(({ at, write, after }) => `${at / MS} ${(write + after) / MS}`);
}

describe("the proxy's syncs that no change of a recording asked for", () => {
  it.each<[name: string, own: number[], told: string[]]>([
    ['are all when nothing changed', [], ['5000 30', '20000 40']],
    ['leave out the one that follows a change at once', [4_999], ['20000 40']],
    ['leave out one of which the operator heard a little later than the proxy', [5_003], ['20000 40']],
    ['keep one that came long after the change', [4_900], ['5000 30', '20000 40']],
    ['keep one that began before the change', [5_010], ['5000 30', '20000 40']],
  ])('%s', (_name, own, expected) => {
    const syncs = [
      [5_000, 5_030],
      [20_000, 20_040],
    ] as const;
    expect(told(syncs, own)).toEqual(expected);
  });

  it.each<[name: string, own: number[], holdMs: number, told: string[]]>([
    ['is asked for within the hold, and so before its end', [], 1000, ['5000 30', '6029 30']],
    ['may be for any change within the hold', [5_400], 1000, ['5000 30']],
    ['is not held with a shorter minSyncPeriod', [5_400], 100, ['5000 30', '6030 30']],
  ])('a sync after a hold %s', (_name, own, holdMs, expected) => {
    const syncs = [
      [5_000, 5_030],
      [6_030, 6_060],
    ] as const;
    expect(told(syncs, own, holdMs)).toEqual(expected);
  });

  it('bring their rules into force in the middle', () => {
    const seen = { ...NOTHING, syncs: [{ startedAt: 0, completeAt: 100 * MS }] };
    expect(neighbourSyncs(seen, [], { mode: 'iptables', minSyncPeriod: microsSpan(0) })[0]).toMatchObject({
      write: 53_000,
    });
    expect(neighbourSyncs(seen, [], { mode: 'nftables', minSyncPeriod: microsSpan(0) })[0]).toMatchObject({
      write: 25_000,
    });
  });
});
