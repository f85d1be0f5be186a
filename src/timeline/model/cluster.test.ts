import { describe, expect, it } from 'vitest';
import { serviceRun } from '../../../test/support/services.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { actionFlags } from './actionFlags.ts';
import { buildGroups } from './buildGroups.ts';
import { laneOf } from './lane.ts';
import type { Lane, LaneKind } from './marks.ts';

const lanesOf = (run: FinishedRun): readonly Lane[] =>
  buildGroups(run)
    .flatMap((group) => group.lanes())
    .flatMap((lane) => [lane, ...lane.parts]);
const laneOfKind = (run: FinishedRun, kind: LaneKind): Lane => {
  const lane = lanesOf(run).find((candidate) => candidate.kind === kind);
  if (!lane) throw new Error(`no lane ${kind}`);
  return lane;
};
const words = ({ bands }: Lane): readonly string[] => bands.map(({ word }) => word);

/** Ready at about 11 s; deleted at 30 s: preStop holds it for 5 s. */
const deleted = serviceRun(
  'duration: 60s\napps: [{workload: web, readyAfter: 8s}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]',
);
/** No kubelet: one flap of half a millisecond, and controllers that see their own writes later than the answers. */
const flap = serviceRun(
  'duration: 20s\npodsWithoutKubelet: [web]\nlatencies: {controllerOwnWatch: 3.7ms}\nactions: [{at: 10s, do: setReady, pod: web-0, ready: false}, {at: 10.0005s, do: setReady, pod: web-0, ready: true}]',
  2,
);

const twoPods = serviceRun('duration: 20s', 2);

describe('groups of a run with a Service', () => {
  it.each<[name: string, run: FinishedRun, expected: readonly (readonly [string, string])[]]>([
    [
      'of one Service and one kube-proxy there is no group: the one stands with the API, the other with the clients',
      deleted,
      [
        ['pod', 'web-0'],
        ['kubelet', 'node-a'],
        ['controlPlane', ''],
        ['dataPath', 'node-a'],
        ['controllers', 'default/web'],
      ],
    ],
    [
      'several Pods have a group each, and so has what comes after them',
      twoPods,
      [
        ['pod', 'web-0'],
        ['pod', 'web-1'],
        ['service', 'default/web'],
        ['dataPath', 'node-a'],
        ['controllers', 'default/web'],
        ['kubelet', 'node-a'],
      ],
    ],
  ])('%s', (_name, run, expected) => {
    expect(buildGroups(run).map(({ kind, title }) => [kind, title])).toEqual(expected);
  });

  it('with the API come Ready, slices and Endpoints, and what else a Pod has after them', () => {
    const api = buildGroups(deleted).find(({ kind }) => kind === 'controlPlane');
    expect(
      api
        ?.lanes()
        .map(({ kind }) => kind)
        .slice(0, 4),
    ).toEqual(['condition', 'endpointSlices', 'endpoints', 'phase']);
  });

  it('leave out a mirroring controller that has nothing to do', () => {
    expect(lanesOf(deleted).map(({ kind }) => kind)).not.toContain('mirroringController');
  });

  it.each([
    ['with a deletion', deleted],
    ['without a kubelet', flap],
  ])('have a lane for every event that has one, %s', (_name, run) => {
    const ids = new Set(lanesOf(run).map(({ id }) => id));
    const scripted = run.scenario.pods.length === 0;
    const homeless = run.reader.events().filter((event) => {
      const lane = laneOf(event, run.reader);
      if (lane === null || ids.has(lane)) return false;
      // Without lanes are a Pod without a kubelet, a mirroring controller that writes nothing, a node that never changes.
      const isLess = lane.startsWith('mirroringController|') || lane.startsWith('nodeReady|');
      return !(scripted && lane.startsWith('condition|')) && !isLess;
    });
    expect(homeless.map(({ kind, subject }) => [kind, subject.component, subject.object])).toEqual([]);
  });
});

describe('lanes of a Service', () => {
  it('an endpoint goes from not ready over ready to serving while it terminates', () => {
    const lane = laneOfKind(deleted, 'endpoint');
    expect(lane.title).toBe('web-0');
    expect(words(lane)).toEqual(['none', 'not ready', 'ready', 'serving, terminating', 'none']);
    expect(lane.bands.map(({ pattern }) => pattern)).toContain('servingTerminating');
  });

  it('the slices are counted as ready of all', () => {
    expect(words(laneOfKind(deleted, 'endpointSlices'))).toEqual(['none', '0/1', '1/1', '0/1', 'none']);
  });

  it('Endpoints drops a Pod at its deletion, which the slice keeps', () => {
    const gone = (kind: LaneKind): number => (laneOfKind(deleted, kind).bands.at(-1)?.from ?? 0) / 1e6;
    expect(gone('endpoints')).toBeLessThan(30.1);
    expect(gone('endpoint')).toBeGreaterThan(35);
  });

  it('a write stands as a page on what it changed, and as an arrow on the controller that made it', () => {
    expect(laneOfKind(deleted, 'endpointSlices').glyphs.every(({ shape }) => shape === 'page')).toBe(true);
    const arrows = laneOfKind(deleted, 'endpointSliceController').glyphs.filter(({ shape }) => shape === 'arrow');
    expect(arrows.length).toBe(laneOfKind(deleted, 'endpointSlices').glyphs.length);
  });

  it('an out-of-date cache shows as a failed sync, and the back-off below it', () => {
    const { bars, steps } = laneOfKind(flap, 'endpointSliceController');
    expect(bars.filter(({ tone }) => tone === 'fail')).toHaveLength(1);
    const waits = steps.filter(({ word }) => word === 'back-off');
    expect(waits.map(({ from, to }) => Math.round((to - from) / 1e5))).toEqual([10]);
  });
});

describe('lanes of a kube-proxy', () => {
  it('rules reject, send to the Pod, fall back to it while it terminates, and reject again', () => {
    const lane = laneOfKind(deleted, 'rules');
    expect(lane.title).toBe('web:http');
    expect(words(lane)).toEqual(['no rules', 'REJECT', '→ 1', '→ 1', 'REJECT']);
    // From the end of the app to the next sync its rules lead nowhere.
    expect(lane.bands.map(({ tone }) => tone)).toEqual(['idle', 'fail', 'ok', 'fail', 'fail']);
    expect((lane.bands.at(-1)?.from ?? 0) / 1e6).toBeGreaterThan(35);
  });

  it('a change that waits for the end of minSyncPeriod is a bar below the syncs', () => {
    const { bars, steps } = laneOfKind(flap, 'ruleSync');
    const [wait] = steps.filter(({ from }) => from > 0);
    expect(wait).toMatchObject({ word: 'change waits', tone: 'wait' });
    expect(bars.some(({ from }) => from === wait?.to)).toBe(true);
  });
});

it('objects that are created at the start are no flags', () => {
  expect(actionFlags(deleted.reader).map(({ action }) => action)).toEqual(['deletePod']);
});
