import { describe, expect, it } from 'vitest';
import { serviceRun } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendAt } from './backendAt.ts';
import { joiningBudget, leavingBudget } from './hops.ts';
import { type PodPath, pathOf, pathsOf } from './path.ts';

/** Ready at 11.5 s; deleted at 30 s with a preStop of 5 s. */
const alone = serviceRun(
  'duration: 60s\napps: [{workload: web, readyAfter: 8s}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]\nclients: []',
);

const only = (run: FinishedRun): PodPath => {
  const [path] = pathsOf(run);
  if (path === undefined) throw new Error('no path');
  return path;
};

describe('budgets', () => {
  const path = only(alone);
  const { horizon } = alone.reader.data;
  const budgets = path.joining.nodes.flatMap(({ node }) => [
    joiningBudget(path, node, horizon),
    leavingBudget(path, node, horizon),
  ]);

  it('hops follow each other without a gap, and their shares are the whole', () => {
    for (const budget of budgets) {
      if (budget === null) throw new Error('no budget');
      const { hops, from, to } = budget;
      expect(hops[0]?.from).toBe(from);
      for (const [i, hop] of hops.entries()) expect(hop.from).toBe(i === 0 ? from : hops[i - 1]?.to);
      expect(hops.at(-1)?.to).toBe(to);
      expect(hops.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    }
  });

  it.each<[name: string, index: number, hops: readonly number[], waitingFor: number | null]>([
    ['on the way in all seven count, and without clients the last one is still open', 0, [1, 2, 3, 4, 5, 6, 7], 7],
    ['a deletion is hops 5 and 6', 1, [5, 6], null],
  ])('%s', (_name, index, hops, waitingFor) => {
    expect(budgets[index]?.hops.map(({ hop }) => hop)).toEqual(hops);
    expect(budgets[index]?.waitingFor).toBe(waitingFor);
  });

  it('nobody waits on a node without a kube-proxy', () => {
    expect(joiningBudget(path, 'nowhere', horizon)).toBe(null);
  });
});

describe('pathOf', () => {
  const { joining, leaving } = only(alone);

  it('on the way in, each party speaks after the one before', () => {
    const { containerStarted, appCanAnswer, probe, resultSet, statusVersion, patchCommit, sliceCommit } = joining;
    const times = [
      containerStarted,
      appCanAnswer,
      { at: probe?.start },
      resultSet,
      statusVersion,
      patchCommit,
      sliceCommit,
    ];
    const said = times.map((moment) => Number(moment?.at));
    expect(said).toEqual([...said].sort((a, b) => a - b));
    for (const { rulesInForce } of joining.nodes)
      expect(Number(rulesInForce?.at)).toBeGreaterThan(Number(sliceCommit?.at));
  });

  it('its commits are those that the view of the backend shows', () => {
    const [pod] = alone.scenario.pods;
    const [view] = pod === undefined ? [] : backendAt(alone, pod, micros(20_000_000));
    expect(joining.sliceCommit?.at).toBe(view?.slice.since);
    expect(joining.nodes.map(({ rulesInForce }) => rulesInForce?.at)).toEqual(view?.proxies.map(({ since }) => since));
  });

  it('a deleted Pod leaves by its deletion, and no probe is named', () => {
    expect(leaving).toMatchObject({ cause: 'delete', probe: null, patchCommit: null });
    expect(Number(leaving?.sliceCommit.at)).toBeGreaterThan(Number(leaving?.deleteCommit?.at));
  });

  it('a Service that never lists the Pod has no path for it', () => {
    const [pod] = alone.scenario.pods;
    expect(pod && pathOf(alone, pod, 'default/other', '')).toBe(null);
  });
});
