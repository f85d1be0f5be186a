import { later, MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';
import type { NodeObject } from '../../api/objects.ts';
import type { LeaseObject } from '../../api/workloadObjects.ts';
import type { WallClock } from '../../world/wallClock.ts';

/** What the controller remembers of a node. */
export interface NodeHealth {
  /** The node's status as it was last seen or written. */
  readonly node: NodeObject;
  readonly lease: LeaseObject | null;
  /** When the controller last saw a sign of life, by its own clock. */
  readonly stamp: Micros;
}

/**
 * What is remembered after a look at the cached node and its Lease: a changed heartbeat or a newer Lease is a sign of life.
 * Source: node_lifecycle_controller.go tryUpdateNodeHealth.
 */
export function observe(
  before: NodeHealth | null,
  node: NodeObject,
  lease: LeaseObject | null,
  { now, wall }: { readonly now: Micros; readonly wall: WallClock },
): NodeHealth {
  const health = observeStatus(before, node, { now, wall });
  const saved = before?.lease ?? null;
  const isRenewed = lease !== null && (saved === null || saved.renewTime < lease.renewTime);
  return isRenewed ? { ...health, lease, stamp: now } : health;
}

function observeStatus(
  before: NodeHealth | null,
  node: NodeObject,
  { now, wall }: { readonly now: Micros; readonly wall: WallClock },
): NodeHealth {
  if (node.ready === null) {
    const created = (node.meta.creationTimestamp * MICROS_PER_SECOND - wall.epoch) as Micros;
    return before ? { ...before, node } : { node, lease: null, stamp: created };
  }
  const isSame = before?.node.ready != null && before.node.lastHeartbeatTime === node.lastHeartbeatTime;
  return isSame ? before : { node, lease: null, stamp: now };
}

/** Whether a node is given up, so long after the last sign of life; a node that has never reported has longer (N-031). */
export const isExpired = (
  { stamp }: NodeHealth,
  { ready }: NodeObject,
  now: Micros,
  { gracePeriod, startupGracePeriod }: { readonly gracePeriod: MicrosSpan; readonly startupGracePeriod: MicrosSpan },
): boolean => now > later(stamp, ready === null ? startupGracePeriod : gracePeriod);

/** The node as the controller writes it when nobody reports for it (N-033). `now`: wall-clock seconds. */
export function givenUp(node: NodeObject, now: number): NodeObject {
  if (node.ready === 'Unknown') return node;
  const lost = { ready: 'Unknown', lastTransitionTime: now } as const;
  return node.ready === null
    ? { ...node, ...lost, readyReason: 'NodeStatusNeverUpdated', lastHeartbeatTime: node.meta.creationTimestamp }
    : { ...node, ...lost, readyReason: 'NodeStatusUnknown' };
}
