import { micros, microsSpan } from '../../base/units.ts';
import type { NeighbourSync, ProxyInput } from '../../sim/clusterInput.ts';
import type { Observations, Sync } from './observations.ts';

/** A sync that starts so soon after the operator saw a change, or before, may be for it, µs. */
const SOON = 50_000;
const HEARD_BEFORE = 5_000;
/** A sync that starts so much before the end of the hold was no held one, µs. */
const EARLY = 10_000;
/** What share of a sync comes before its rules are in force (`hopDistributions.ts`). */
const WRITE: Readonly<Record<string, number>> = { iptables: 0.53, nftables: 0.25 };

/**
 * The syncs of a recording that no change of its own asked for. `ownAt`: instants at which the scenario's Services or
 * slices changed, as the operator saw them, µs.
 */
export function neighbourSyncs(
  { syncs }: Observations,
  ownAt: readonly number[],
  { mode, minSyncPeriod: hold }: Pick<ProxyInput, 'mode' | 'minSyncPeriod'>,
): readonly NeighbourSync[] {
  return syncs.flatMap((sync, i): NeighbourSync[] => {
    const before = syncs[i - 1];
    const isHeld = before !== undefined && sync.startedAt - before.completeAt < 2 * (hold - EARLY);
    if (ownAt.some((at) => mayAsk(at, sync, isHeld ? before : null))) return [];
    // Whatever a held sync waited for came in its hold: at its end it cannot come before the simulated one is over.
    const at = isHeld ? sync.startedAt - 1_000 : sync.startedAt;
    const length = sync.completeAt - sync.startedAt;
    const write = Math.round((WRITE[mode] ?? 0) * length);
    return [{ at: micros(at), write: microsSpan(write), after: microsSpan(length - write) }];
  });
}

/** Whether a change that was seen at `at` can have asked for the sync: at once, or while `held` made the proxy hold back. */
function mayAsk(at: number, sync: Sync, held: Sync | null): boolean {
  if (at > sync.startedAt + HEARD_BEFORE) return false;
  return at >= (held ? held.startedAt - HEARD_BEFORE : sync.startedAt - SOON);
}
