import { describe, expect, it } from 'vitest';
import { serviceRun } from '../../../test/support/services.ts';
import { foldsFor, shownLanes } from './lanes.ts';

const podsWithLanes = (replicas: number, pod: string | null): readonly string[] => {
  const run = serviceRun('duration: 5s', replicas);
  const lanes = shownLanes(run, foldsFor(run, pod)).filter(({ kind }) => kind === 'app');
  return lanes.map((lane) => lane.pod);
};

describe('Pods that come unfolded', () => {
  it.each<[name: string, replicas: number, pod: string | null, expected: readonly string[]]>([
    ['an only Pod', 1, null, ['default/web#1/0']],
    ['the first of a few', 3, null, ['default/web#1/0']],
    ['of a few the one that the run opens with', 3, 'default/web#1/2', ['default/web#1/2']],
    ['none of many', 5, 'default/web#1/2', []],
  ])('%s', (_name, replicas, pod, expected) => {
    expect(podsWithLanes(replicas, pod)).toEqual(expected);
  });
});
