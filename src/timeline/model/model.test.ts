import { describe, expect, it } from 'vitest';
import { bad, container, exitStep, ok, pod, probe, run, scenario, step } from '../../../test/support/scenario.ts';
import { type Micros, micros, microsSpan, seconds } from '../../base/units.ts';
import type { Scenario } from '../../sim/scenario.ts';
import { simulate } from '../../sim/simulate.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import { bandsFrom, type Change } from './bands.ts';
import { buildGroups } from './buildGroups.ts';
import { isDetail, laneOf } from './lane.ts';
import { detailsId, layOut, rowsWithin } from './layout.ts';
import type { Lane } from './marks.ts';
import { counterText } from './workerLane.ts';

const groupsOf = (of: Scenario) => buildGroups({ scenario: of, reader: new TraceReader(simulate(of)) });
const lanesOf = (of: Scenario): readonly Lane[] => groupsOf(of).flatMap((group) => group.lanes());
const nameOf = ({ kind, container: name, part }: Lane): string =>
  [kind, name, part].filter((step) => step !== '').join(' ');

const late = run(step(0, bad()), step(7, ok()));
const one = scenario(
  [pod([container({ startup: probe({ periodSeconds: 1, failureThreshold: 30 }), readiness: probe() }, [late])])],
  60,
);
const two = scenario(
  [
    pod([container({ readiness: probe() })]),
    pod([container({}), container({ liveness: probe() }, undefined, 'side')], {
      identity: 'default/web-1',
      name: 'web-1',
    }),
  ],
  30,
);

/** An init container, a sidecar, a hook, volumes that take a while, a kubelet that restarts, a deletion. */
const whole = scenario(
  [
    pod([{ ...container({ readiness: probe({ periodSeconds: 2 }) }), preStop: { type: 'sleep', seconds: 3 } }], {
      initContainers: [
        container({}, [run(step(0, ok()), exitStep(2, 0))], 'migrate'),
        { ...container({ startup: probe({ periodSeconds: 1 }) }, undefined, 'mesh'), isSidecar: true },
      ],
    }),
  ],
  60,
  {
    actions: [
      { at: micros(20_000_000), do: 'restartKubelet', node: 'node-a', down: seconds(4) },
      { at: micros(40_000_000), do: 'deletePod', pod: 'default/web-0', graceSeconds: null },
    ],
    latency: { ...one.latency, syncPodVolumes: microsSpan(400_000) },
  },
);

describe('buildGroups', () => {
  it('gives one Pod three groups: itself, the kubelet, the API', () => {
    expect(groupsOf(one).map(({ kind, lanes }) => [kind, lanes().map(nameOf)])).toEqual([
      ['pod', ['app app', 'runtime', 'worker app startup', 'worker app readiness']],
      ['kubelet', ['results', 'syncLoop', 'podWorker', 'status']],
      [
        'api',
        [
          'condition Ready',
          'phase',
          'container app',
          'condition ContainersReady',
          'condition Initialized',
          'condition PodReadyToStartContainers',
          'condition PodScheduled',
          'events',
        ],
      ],
    ]);
  });

  it('gives several Pods a group each, and the node its own', () => {
    expect(groupsOf(two).map(({ kind, title }) => [kind, title])).toEqual([
      ['pod', 'web-0'],
      ['pod', 'web-1'],
      ['kubelet', 'node-a'],
    ]);
  });

  it('makes the lanes of a group once', () => {
    const [first] = groupsOf(one);
    expect(first?.lanes()).toBe(first?.lanes());
  });

  it('gives every lane an id of its own, the same in the next run', () => {
    const ids = lanesOf(two).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(lanesOf({ ...two, seed: 2 }).map(({ id }) => id)).toEqual(ids);
  });

  it('keeps bands sorted and free of overlap up to the end of the run', () => {
    for (const { bands } of lanesOf(one)) {
      expect(bands.slice(1).every((band, i) => band.from === bands[i]?.to)).toBe(true);
      if (bands.length > 0) expect(bands.at(-1)?.to).toBe(one.duration);
    }
  });

  it('shows the Ready condition as the API has it', () => {
    const ready = lanesOf(one).find(({ kind, part }) => kind === 'condition' && part === 'Ready');
    expect(ready?.bands.map(({ word }) => word)).toEqual(['none', 'False', 'True']);
  });

  it('names the wait before the answer changes', () => {
    const slow = scenario([pod([container({ readiness: probe({ periodSeconds: 30 }) }, [late])])], 60);
    const worker = lanesOf(slow).find(({ kind }) => kind === 'worker');
    expect(worker?.waits.filter(({ named }) => named)).toHaveLength(1);
    expect(worker?.glyphs.filter(({ manual }) => manual).length).toBeGreaterThan(0);
  });

  it.each<[name: string, of: Scenario]>([
    ['of one container', one],
    ['with init containers, a restarted kubelet and a deletion', whole],
  ])('finds a lane that exists for every event that has one, in a Pod %s', (_name, of) => {
    const reader = new TraceReader(simulate(of));
    const ids = new Set(buildGroups({ scenario: of, reader }).flatMap((group) => group.lanes().map(({ id }) => id)));
    const homeless = reader.events().filter((event) => {
      const lane = laneOf(event, reader);
      return lane !== null && !ids.has(lane);
    });
    expect(homeless).toEqual([]);
  });
});

describe('lanes of the whole kubelet', () => {
  const lanes = lanesOf(whole);
  const laneOfKind = (kind: Lane['kind'], name = ''): Lane | undefined =>
    lanes.find((lane) => lane.kind === kind && (name === '' || lane.container === name));

  it('has init containers and sidecars before the containers', () => {
    const names = lanes.filter(({ kind }) => kind === 'app').map((lane) => lane.container);
    expect(names).toEqual(['migrate', 'mesh', 'app']);
    expect(laneOfKind('worker', 'mesh')?.part).toBe('startup');
  });

  it('shows the state of an init container as the API has it', () => {
    expect(laneOfKind('container', 'migrate')?.bands.map(({ word }) => word)).toContain('terminated');
  });

  it('puts the steps of a pass within the pass', () => {
    const { bars = [], steps = [] } = laneOfKind('podWorker') ?? {};
    const volumes = steps.find(({ word }) => word === 'volumes');
    expect(volumes && volumes.to - volumes.from).toBeGreaterThanOrEqual(400_000);
    expect(bars.some(({ from, to }) => volumes && from <= volumes.from && volumes.to <= to)).toBe(true);
  });

  it('shows the preStop hook below the pass that waits for it', () => {
    expect(laneOfKind('podWorker')?.steps.map(({ word }) => word)).toContain('preStop');
  });

  it('ends what the API has with the removal of the Pod', () => {
    const ready = lanes.find(({ kind, part }) => kind === 'condition' && part === 'Ready');
    expect(ready?.bands.map(({ word }) => word)).toEqual(['none', 'False', 'True', 'False', 'none']);
  });

  it('shows requests that did not reach the API server', () => {
    const cut = { at: micros(500_000), do: 'cutApi', node: 'node-a', lasts: seconds(15) } as const;
    const shapes = (actions: Scenario['actions']) =>
      lanesOf({ ...one, actions }).flatMap(({ kind, glyphs }) =>
        kind === 'status' ? glyphs.map(({ shape }) => shape) : [],
      );
    expect(shapes([])).not.toContain('error');
    expect(shapes([cut])).toContain('error');
  });

  it('has a lane for each channel on which the syncLoop received something, with what it received', () => {
    const loop = laneOfKind('syncLoop');
    expect(loop?.parts.map(({ part }) => part)).toEqual(['config', 'pleg', 'sync', 'readiness', 'startup']);
    const [config, pleg] = loop?.parts ?? [];
    expect(config?.glyphs.map(({ note }) => note)).toEqual(expect.arrayContaining(['ADD web-0', 'DELETE web-0']));
    expect(pleg?.glyphs.map(({ note }) => note)).toContain('ContainerStarted web-0');
    const received = loop?.parts.flatMap(({ glyphs }) => glyphs.map(({ row }) => row)).sort((a, b) => a - b);
    expect(loop?.glyphs.map(({ row }) => row).sort((a, b) => a - b)).toEqual(received);
  });

  it('shows kills with the grace that is left', () => {
    expect(laneOfKind('podWorker')?.glyphs.map(({ text, note }) => [text, note])).toContainEqual(['K', 'grace 27 s']);
  });

  it('shows the events of the Pod, warnings apart', () => {
    const failing = scenario([pod([container({ readiness: probe() }, [run(step(0, bad()))])])], 30);
    const events = lanesOf(failing).find(({ kind }) => kind === 'events');
    const shown = events?.glyphs.map(({ shape, text, note }) => `${shape} ${note === '' ? text : note}`);
    expect(shown).toEqual(expect.arrayContaining(['letter Started', 'error Unhealthy']));
  });

  it('says how long no kubelet runs', () => {
    const down = laneOfKind('syncLoop')?.bands.map(({ from, to, word }) => [from / 1e6, to / 1e6, word]);
    expect(down).toEqual([[20, 24, 'kubelet down']]);
  });
});

describe('the wait for the next try of a container that crashed', () => {
  const crashing = container({}, [run(step(0, ok()), exitStep(2, 1))]);
  const bandsOf = (of: Scenario) => lanesOf(of).find(({ kind }) => kind === 'podWorker')?.bands ?? [];
  const deletion = { at: seconds(30) as never, do: 'deletePod', pod: 'default/web-0', graceSeconds: null } as const;

  it('reaches from the first word of the back-off to the next try', () => {
    const of = scenario([pod([crashing])], 30);
    const created = new TraceReader(simulate(of)).events().filter(({ kind }) => kind === 'createContainer');
    const [first] = bandsOf(of);
    expect(first).toMatchObject({ word: 'back-off 10s', note: 'app', to: created[2]?.at });
    expect((first?.to ?? 0) - (first?.from ?? 0)).toBeGreaterThan(8e6);
  });

  it('is over when the Pod is deleted', () => {
    const bands = bandsOf(scenario([pod([crashing])], 60, { actions: [deletion] }));
    expect(bands.at(-1)?.to).toBeGreaterThanOrEqual(30e6);
    expect(bands.at(-1)?.to).toBeLessThan(30.1e6);
  });
});

describe('bandsFrom', () => {
  const change = (at: number, word: string): Change => ({
    at: micros(at),
    tone: 'ok',
    pattern: 'ready',
    word,
    note: '',
    ref: null,
  });
  const show = (changes: readonly Change[]): string =>
    bandsFrom(changes, 100 as Micros)
      .map(({ from, to, word }) => `${word} ${from}–${to}`)
      .join(', ');
  it.each<[name: string, changes: readonly Change[], expected: string]>([
    ['each reaches to the next', [change(0, 'a'), change(40, 'b')], 'a 0–40, b 40–100'],
    ['an equal change makes no new band', [change(0, 'a'), change(40, 'a')], 'a 0–100'],
    ['of two at one instant the later holds', [change(0, 'a'), change(0, 'b')], 'b 0–100'],
    ['nothing makes nothing', [], ''],
  ])('%s', (_name, changes, expected) => {
    expect(show(changes)).toBe(expected);
  });
});

describe('counterText', () => {
  const spec = probe({ failureThreshold: 3, successThreshold: 2 });
  it.each<[name: string, result: string, node: string, expected: string]>([
    ['failures count to their threshold', 'failure', 'waiting.settled|failure|2', 'fail 2/3'],
    ['successes count to theirs', 'success', 'waiting.settled|success|1', 'ok 1/2'],
    ['beyond the threshold nothing is said', 'success', 'waiting.settled|success|3', ''],
    ['a worker on hold has reached its threshold', 'failure', 'onHold|failure|0', 'fail 3/3'],
    ['an error counts nothing', 'error', 'waiting.settled|failure|1', ''],
    ['a turn without an attempt counts nothing', '', 'waiting.gated|success|0', ''],
  ])('%s', (_name, result, node, expected) => {
    expect(
      counterText({ cause: 'ticker', outcome: 'attempt', result, tries: '', tryEnds: '', node, id: '' }, spec),
    ).toBe(expected);
  });
});

describe('layOut', () => {
  const groups = groupsOf(two);
  const folded = new Set(groups.map(({ id }) => id));

  it('stacks rows without gaps', () => {
    const { rows, height } = layOut(groups, new Set(), 'comfortable');
    expect(rows.slice(1).every((row, i) => row.top === (rows[i]?.top ?? 0) + (rows[i]?.height ?? 0))).toBe(true);
    expect(height).toBe((rows.at(-1)?.top ?? 0) + (rows.at(-1)?.height ?? 0));
  });

  it('gives a folded group its title row only, and does not make its lanes', () => {
    const untouched = groups.map((group) => ({
      ...group,
      lanes: () => {
        throw new Error(`made lanes of ${group.id}`);
      },
    }));
    expect(layOut(untouched, folded, 'compact').rows).toHaveLength(groups.length);
  });

  it('unfolds the channels of a syncLoop below it', () => {
    const kinds = (folds: ReadonlySet<string>) =>
      layOut(groups.slice(-1), folds, 'compact').rows.map((row) => (row.kind === 'lane' ? row.lane.kind : 'group'));
    const loop = groups.at(-1)?.lanes()[0]?.id ?? '';
    expect(kinds(new Set([loop]))).toEqual(['group', 'syncLoop']);
    expect(kinds(new Set())).toEqual(['group', 'syncLoop', 'channel', 'channel', 'channel']);
  });

  it.each<[name: string, folds: (details: string) => readonly string[], expected: readonly string[]]>([
    [
      'what says it more closely is hidden while it is folded',
      (details) => [details],
      ['app', 'worker', 'podWorker', 'status', 'condition Ready'],
    ],
    [
      'all lanes are there once it is unfolded',
      () => [],
      [
        'app',
        'runtime',
        'worker',
        'results',
        'podWorker',
        'status',
        'condition Ready',
        'phase',
        'container',
        'condition ContainersReady',
        'condition Initialized',
        'condition PodReadyToStartContainers',
        'condition PodScheduled',
        'events',
      ],
    ],
  ])('of a Pod, %s', (_name, folds, expected) => {
    const [pod] = groups;
    if (!pod) throw new Error('no Pod');
    const layout = layOut([pod], new Set(folds(detailsId(pod))), 'compact');
    const lanes = layout.rows.flatMap((row) => (row.kind === 'lane' ? [row.lane] : []));
    expect(lanes.map(({ kind, part }) => (kind === 'condition' ? `${kind} ${part}` : kind))).toEqual(expected);
    expect(layout.laneCount).toBe(pod.lanes().length);
    expect(layout.rows[0]).toMatchObject({ details: { count: pod.lanes().length - 5, folded: expected.length === 5 } });
  });

  it('shows a group of nothing but details, and offers none', () => {
    const [pod] = groups;
    if (!pod) throw new Error('no Pod');
    const group = { ...pod, lanes: () => pod.lanes().filter(isDetail) };
    const layout = layOut([group], new Set([detailsId(group)]), 'compact');
    expect(layout.rows).toHaveLength(1 + group.lanes().length);
    expect(layout.rows[0]).toMatchObject({ details: null });
  });

  it('finds the rows in view', () => {
    const layout = layOut(groups, new Set(), 'compact');
    const within = rowsWithin(layout, 100, 200);
    expect(within).toEqual(layout.rows.filter(({ top, height }) => top + height > 100 && top < 200));
    expect(rowsWithin(layout, layout.height, layout.height + 100)).toEqual([]);
  });
});
