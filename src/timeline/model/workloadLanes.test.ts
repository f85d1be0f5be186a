import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../../test/support/recorded.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { buildGroups } from './buildGroups.ts';
import { laneOf } from './lane.ts';
import type { Lane, LaneGroup } from './marks.ts';

const groupOf = (run: FinishedRun, kind: LaneGroup['kind'], name: string): LaneGroup => {
  const found = buildGroups(run).find((group) => group.kind === kind && group.name === name);
  if (!found) throw new Error(`no group ${kind} ${name}`);
  return found;
};
const words = ({ bands }: Pick<Lane, 'bands'>): readonly string[] => bands.map(({ word }) => word);

/** Four Pods are rolled out with maxSurge and maxUnavailable of 25 %. */
const rollout = recordedRun('workloads/rolling-default-01');
/** Five nodes; node-b and node-d are switched off at 4 s and never come back. */
const outage = recordedRun('workloads/two-nodes-down-01');

describe('lanes of a Deployment', () => {
  const { lanes, summary } = groupOf(rollout, 'workload', 'deployments/default/web');

  it('first how many of its Pods are available, then each ReplicaSet in the order in which it was made', () => {
    expect(lanes().map(({ kind, title }) => [kind, title])).toEqual([
      ['workload', ''],
      ['replicaSet', 'ReplicaSet 1'],
      ['replicaSet', 'ReplicaSet 2'],
    ]);
  });

  it('the number of the old ReplicaSet falls to 0 as that of the new one grows', () => {
    const numbers = (lane: Lane | undefined) => [...new Set(lane === undefined ? [] : words(lane))];
    const [, before, after] = lanes();
    expect(numbers(before)).toEqual(['4', '3', '2', '1', '0']);
    expect(numbers(after).at(-1)).toBe('4');
    expect(numbers(after)[0]).not.toBe('4');
  });

  it('says while one is missing', () => {
    expect(new Set(words({ bands: summary() }))).toEqual(new Set(['0/4', '1/4', '2/4', '3/4', '4/4']));
    expect(summary().at(-1)).toMatchObject({ word: '4/4', pattern: 'ready' });
  });

  it('has no generated name in the identity of a lane', () => {
    expect(lanes().map(({ id }) => id)).toEqual([
      'workload||||deployments/default/web',
      'replicaSet||||default/web#1',
      'replicaSet||||default/web#2',
    ]);
  });
});

it('a rollout that is over its deadline says so, until it gets on', () => {
  const overdue = groupOf(
    recordedRun('workloads/deadline-rollback-01'),
    'workload',
    'deployments/default/web',
  ).summary();
  const late = overdue.filter(({ note }) => note === 'ProgressDeadlineExceeded');
  expect(late.length).toBeGreaterThan(0);
  for (const band of late) expect(band).toMatchObject({ tone: 'fail', pattern: 'notYet' });
  expect(overdue.at(-1)?.note).toBe('available');
});

describe('lanes of a node', () => {
  const { lanes, summary } = groupOf(outage, 'node', 'node-b');

  it('Ready turns Unknown when nobody hears of it any more', () => {
    expect(words({ bands: summary() })).toEqual(['none', 'True', 'Unknown']);
  });

  it('its Lease runs out 40 s after the last renewal', () => {
    const lease = lanes().find(({ kind }) => kind === 'lease');
    const last = lease?.glyphs.at(-1)?.at ?? 0;
    expect(lease?.bands.at(-1)).toMatchObject({ word: 'expired', from: last + 40e6 });
  });

  it('its taints first keep new Pods away, then evict', () => {
    const [none, first, second] = words(lanes().find(({ kind }) => kind === 'taints') ?? { bands: [] });
    expect([none, first, second]).toEqual([
      'none',
      'unreachable:NoSchedule',
      'unreachable:NoSchedule · unreachable:NoExecute',
    ]);
  });
});

it.each([
  ['a rollout', rollout],
  ['an outage of nodes', outage],
])('every stored object of workloads and nodes stands on a lane that there is: %s', (_name, run) => {
  const ids = new Set(
    buildGroups(run)
      .flatMap((group) => group.lanes())
      .map(({ id }) => id),
  );
  const homeless = run.reader.events().filter((event) => {
    if (event.kind !== 'stored' || event.payload.resource === 'pods') return false;
    const lane = laneOf(event, run.reader);
    return lane === null || !ids.has(lane);
  });
  expect(homeless.map(({ subject }) => subject.object)).toEqual([]);
});
