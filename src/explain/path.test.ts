import { describe, expect, it } from 'vitest';
import { serviceRun } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendAt } from './backendAt.ts';
import { type PodPath, pathOf, pathsOf } from './path.ts';

/** Ready at 11.5 s; deleted at 30 s with a preStop of 5 s. */
const alone = serviceRun(
  'duration: 60s\napps: [{workload: web, readyAfter: 8s}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]',
);

const only = (run: FinishedRun): PodPath => {
  const [path] = pathsOf(run);
  if (path === undefined) throw new Error('no path');
  return path;
};

describe('pathOf', () => {
  const { joining, leaving } = only(alone);

  it('on the way in, each party speaks after the one before', () => {
    if (joining === null) throw new Error('never joins');
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
    for (const { rulesInForce } of joining.nodes) expect(Number(rulesInForce?.at)).toBeGreaterThan(sliceCommit.at);
  });

  it('its commits are those that the view of the backend shows', () => {
    const [pod] = alone.scenario.pods;
    const [view] = pod === undefined ? [] : backendAt(alone, pod, micros(20_000_000));
    expect(joining?.sliceCommit.at).toBe(view?.slice.since);
    expect(joining?.nodes.map(({ rulesInForce }) => rulesInForce?.at)).toEqual(view?.proxies.map(({ since }) => since));
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
