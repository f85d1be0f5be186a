import { describe, expect, it } from 'vitest';
import { deploymentSpec, kubeletRollout, patched, template } from '../../test/support/rollouts.ts';
import { bad, run, step } from '../../test/support/scenario.ts';
import { isReady, type PodJson, storedIn } from '../../test/support/storedObjects.ts';
import { micros } from '../base/units.ts';
import type { Scenario } from './scenario.ts';

/** What is true after each commit of a Pod: how many are ready and not going, and how many are not going. */
function countsOf(
  scenario: Scenario,
): readonly { readonly at: number; readonly ready: number; readonly all: number }[] {
  const now = new Map<string, PodJson>();
  return storedIn<PodJson>(scenario, 'pods').map(({ at, key, object }) => {
    if (object) now.set(key, object);
    else now.delete(key);
    const staying = [...now.values()].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return { at, ready: staying.filter(isReady).length, all: staying.length };
  });
}
const keysOf = (scenario: Scenario): readonly string[] => [
  ...new Set(storedIn<PodJson>(scenario, 'pods').map(({ key }) => key)),
];

describe('a Deployment whose Pods kubelets run', () => {
  it('gets its Pods from the controllers, each on a node and Ready by its kubelet', () => {
    const ready = countsOf(kubeletRollout(20, {})).find((count) => count.ready === 3);
    expect(ready?.at).toBeGreaterThan(0.5);
    expect(ready?.at).toBeLessThan(2);
  });

  it.each([
    ['one more, none less', 1, 0],
    ['one less, none more', 0, 1],
    ['one of both', 1, 1],
  ])('is rolled out with no more and no fewer Pods than its strategy allows: %s', (_, maxSurge, maxUnavailable) => {
    const spec = deploymentSpec({ maxSurge, maxUnavailable });
    const scenario = kubeletRollout(90, { spec, actions: [patched(20, { ...spec, template: template(2) })] });
    const during = countsOf(scenario).filter(({ at }) => at > 10);
    expect(Math.min(...during.map(({ ready }) => ready))).toBe(3 - maxUnavailable);
    expect(Math.max(...during.map(({ all }) => all))).toBe(3 + maxSurge);
    expect(keysOf(scenario)).toEqual(
      [1, 2].flatMap((revision) => [0, 1, 2].map((n) => `default/web#${revision}/${n}`)),
    );
    const left = storedIn<PodJson>(scenario, 'pods').filter(({ object }) => object === null);
    expect(left.map(({ key }) => key).sort()).toEqual([0, 1, 2].map((n) => `default/web#1/${n}`));
  });

  it('waits for a new Pod that never becomes Ready, and keeps serving from the old ones', () => {
    const never = template(2);
    const [app] = never.pod.containers;
    if (!app) throw new Error('no container');
    const silent = { ...app, runs: [run(step(0, bad()))] };
    const stuck = deploymentSpec({ template: { ...never, pod: { ...never.pod, containers: [silent] } } });
    const counts = countsOf(kubeletRollout(60, { actions: [patched(20, stuck)] }));
    expect(counts.at(-1)).toMatchObject({ ready: 3, all: 4 });
  });

  it('replaces a Pod that somebody deletes, under an identity of its own', () => {
    const scenario = kubeletRollout(40, {
      actions: [{ at: micros(20_000_000), do: 'deletePod', pod: 'default/web#1/1', graceSeconds: null }],
    });
    expect(keysOf(scenario)).toEqual([0, 1, 2, 3].map((n) => `default/web#1/${n}`));
    expect(countsOf(scenario).at(-1)).toMatchObject({ ready: 3, all: 3 });
  });
});
