import { expect, it } from 'vitest';
import { serviceRun } from '../../../test/support/services.ts';
import { objectLaneId } from '../../timeline/model/controlPlaneLaneOf.ts';
import { laneId } from '../../timeline/model/lane.ts';
import { drawnPath, shownBudget } from '../path/index.ts';
import { litChain, thinPath } from './chain.ts';

const run = serviceRun('duration: 30s\napps: [{workload: web, readyAfter: 8s}]');
const ready = laneId('condition', { node: '', pod: 'default/web#1/0' }, '', 'Ready');
const slices = objectLaneId('endpointSlices', 'default/web');
const controller = objectLaneId('endpointSliceController', 'default/web');
const syncs = objectLaneId('ruleSync', 'kube-proxy-node-a');
/** The commit that made the Pod Ready: the last of the run's Pod. */
const commit = run.reader.events().findLast(({ kind, subject }) => kind === 'stored' && subject.pod !== '');

const linksBetween = (shown: readonly string[]): ReadonlySet<string> => {
  if (!commit) throw new Error('no commit');
  const { links } = litChain(run, commit.ref, new Set(shown));
  return new Set(links.map(({ from, to }) => `${from.laneId} > ${to.laneId}`));
};

it.each<[name: string, shown: string[], links: string[]]>([
  [
    'goes through the controller where its lane is shown',
    [ready, controller, slices],
    [`${ready} > ${controller}`, `${controller} > ${slices}`],
  ],
  ['passes over a controller that is folded', [ready, slices], [`${ready} > ${slices}`]],
  ['passes over all that lies between the Pod and the rules', [ready, syncs], [`${ready} > ${syncs}`]],
])('the chain of a commit %s', (_name, shown, links) => {
  const drawn = linksBetween(shown);
  for (const link of links) expect(drawn).toContain(link);
});

it('a path that nobody asked for is thin, has no numbers, dims nothing, and passes over what is hidden', () => {
  const [pod] = run.scenario.pods;
  const budget = pod ? shownBudget(run, pod, run.reader.data.horizon) : null;
  const path = drawnPath(run, budget);
  if (!path) throw new Error('no path');
  const { links, lit } = thinPath(path, new Set([ready, slices, syncs]));
  expect(lit).toBeNull();
  expect(links.map(({ from, to }) => [from.laneId, to.laneId])).toEqual([[ready, slices]]);
  expect(links).toEqual(links.map((link) => ({ ...link, number: null, isThin: true })));
});
