import { describe, expect, it } from 'vitest';
import { EPOCH_SECONDS, runningStatus, scriptedPod } from '../../../test/support/cluster.ts';
import { testCluster } from '../../../test/support/clusterContext.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF } from '../trace/ref.ts';
import { ApiServer } from './apiServer.ts';
import type { PodPhase } from './podStatus.ts';

interface Deletion {
  /** s. */
  readonly at: number;
  readonly grace: number | null;
}
const WEB = 'default/web';

/** A Pod with a grace period of 30 s after some deletions: end of its grace in seconds from 0, grace, generation; null: gone. */
function deleted(deletions: readonly Deletion[], phase: PodPhase = 'Running', over: Partial<PodInput> = {}) {
  const cluster = testCluster();
  const { kernel, store, wall } = cluster.context;
  const api = new ApiServer(kernel, store, wall);
  const { input, status } = scriptedPod('web', {}, runningStatus(['10.244.0.1'], true, { phase }), over);
  api.create(input, NO_REF, status);
  for (const { at, grace } of deletions) cluster.at(at * 1e6, () => api.deleteGracefully(WEB, grace, NO_REF));
  cluster.run();
  const pod = api.get(WEB);
  if (!pod) return null;
  const end = pod.deletionTimestamp === null ? null : pod.deletionTimestamp - EPOCH_SECONDS;
  return [end, pod.deletionGracePeriodSeconds, pod.generation];
}

describe('a deletion of a Pod (C-010)', () => {
  it.each<[string, readonly Deletion[], readonly (number | null)[] | null]>([
    ['gives it its own grace period, from the second of the request', [{ at: 1.7, grace: null }], [31, 30, 2]],
    ['gives it the grace that was asked for', [{ at: 1, grace: 5 }], [6, 5, 2]],
    ['without any grace takes it away', [{ at: 1, grace: 0 }], null],
    [
      'a second time, with a longer grace, changes nothing',
      [
        { at: 1, grace: 5 },
        { at: 2, grace: 60 },
      ],
      [6, 5, 2],
    ],
    [
      'a second time, without a word on grace, changes nothing',
      [
        { at: 1, grace: 5 },
        { at: 2, grace: null },
      ],
      [6, 5, 2],
    ],
    [
      'a second time, with a shorter grace, counts that from the first request, and is no new generation',
      [
        { at: 1, grace: 30 },
        { at: 5, grace: 10 },
      ],
      [11, 10, 2],
    ],
    [
      'a second time, with a grace that is over by then, leaves a second from now',
      [
        { at: 1, grace: 60 },
        { at: 20, grace: 10 },
      ],
      [20, 1, 2],
    ],
    [
      'a second time, without any grace, takes it away',
      [
        { at: 1, grace: 30 },
        { at: 5, grace: 0 },
      ],
      null,
    ],
  ])('%s', (_name, deletions, expected) => {
    expect(deleted(deletions)).toEqual(expected);
  });

  it.each<[string, PodPhase, Partial<PodInput>]>([
    ['has failed', 'Failed', {}],
    ['has succeeded', 'Succeeded', {}],
    ['is on no node yet', 'Pending', { node: '' }],
  ])('that %s takes it away at once', (_name, phase, over) => {
    expect(deleted([{ at: 1, grace: null }], phase, over)).toBeNull();
  });
});
