import { describe, expect, it } from 'vitest';
import { EPOCH_SECONDS, meta, nodeObject } from '../../../../test/support/cluster.ts';
import { seconds } from '../../../base/units.ts';
import type { NodeObject } from '../../api/objects.ts';
import type { LeaseObject } from '../../api/workloadObjects.ts';
import { NODE_LIFECYCLE } from '../../workloadsInput.ts';
import { WallClock } from '../../world/wallClock.ts';
import { givenUp, isExpired, type NodeHealth, observe } from './nodeHealth.ts';

const wall = new WallClock(EPOCH_SECONDS * 1_000_000);
const at = (second: number) => ({ now: (0 + seconds(second)) as never, wall });
const node = (over: Partial<NodeObject> = {}): NodeObject => ({
  ...nodeObject('n'),
  ready: 'True',
  lastHeartbeatTime: EPOCH_SECONDS,
  ...over,
});
const lease = (second: number): LeaseObject => ({ meta: meta('n'), renewTime: second * 1_000_000 });
const stampOf = ({ stamp }: NodeHealth): number => stamp / 1_000_000;
const known = observe(null, node(), lease(1), at(10));

describe('signs of life (N-031)', () => {
  it.each<[string, NodeObject, LeaseObject | null, number]>([
    ['nothing new leaves the stamp', node(), lease(1), 10],
    ['a newer Lease counts from the pass that sees it', node(), lease(2), 20],
    ['so does a changed heartbeat', node({ lastHeartbeatTime: EPOCH_SECONDS + 5 }), lease(1), 20],
    ['a Lease that is gone does not', node(), null, 10],
  ])('%s', (_, now, renewed, stamp) => {
    expect(stampOf(observe(known, now, renewed, at(20)))).toBe(stamp);
  });

  it('forgets the Lease with a changed heartbeat, so that the next pass stamps once more', () => {
    const changed = observe(known, node({ lastHeartbeatTime: EPOCH_SECONDS + 5 }), lease(1), at(20));
    expect(stampOf(observe(changed, changed.node, lease(1), at(25)))).toBe(25);
  });

  it('counts a node that has never reported from its creation', () => {
    const born = node({ ready: null, meta: meta('n', { creationTimestamp: EPOCH_SECONDS + 3 }) });
    const health = observe(null, born, null, at(20));
    expect(stampOf(health)).toBe(3);
    expect(isExpired(health, born, at(63).now, NODE_LIFECYCLE)).toBe(false);
    expect(isExpired(health, born, (at(63).now + 1) as never, NODE_LIFECYCLE)).toBe(true);
  });

  it('is over only after 50 s, not with them', () => {
    expect(isExpired(known, node(), at(60).now, NODE_LIFECYCLE)).toBe(false);
    expect(isExpired(known, node(), (at(60).now + 1) as never, NODE_LIFECYCLE)).toBe(true);
  });
});

describe('a node that is given up (N-033)', () => {
  it('says since when, and keeps its heartbeat', () => {
    const { ready, readyReason, lastHeartbeatTime, lastTransitionTime } = givenUp(node(), EPOCH_SECONDS + 60);
    expect({ ready, readyReason, lastHeartbeatTime, lastTransitionTime }).toEqual({
      ready: 'Unknown',
      readyReason: 'NodeStatusUnknown',
      lastHeartbeatTime: EPOCH_SECONDS,
      lastTransitionTime: EPOCH_SECONDS + 60,
    });
  });

  it('is the same when it was given up already', () => {
    const lost = givenUp(node(), EPOCH_SECONDS + 60);
    expect(givenUp(lost, EPOCH_SECONDS + 65)).toBe(lost);
  });
});
