import { describe, expect, it } from 'vitest';
import { bad, container, exitStep, ok, pod, probe, run, scenario, step } from '../../../test/support/scenario.ts';
import type { Micros } from '../../base/units.ts';
import { stateAt } from '../../explain/stateAt.ts';
import { simulate } from '../../sim/simulate.ts';
import { type TraceEvent, TraceReader } from '../../sim/trace/reader.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { lastArrows, workerChart } from './chart.ts';

const chart = workerChart();
const ids = new Set(chart.states.map(({ id }) => id));

const stormy = scenario(
  [
    pod([
      container(
        {
          startup: probe({ initialDelaySeconds: 2, periodSeconds: 1, failureThreshold: 5 }),
          readiness: probe({ periodSeconds: 2 }),
          liveness: probe({ periodSeconds: 2, failureThreshold: 2 }),
        },
        [run(step(0, ok()), step(9, bad())), run(exitStep(3, 1))],
      ),
    ]),
  ],
  120,
);
const stateRun: FinishedRun = { scenario: stormy, reader: new TraceReader(simulate(stormy)) };

describe('workerChart', () => {
  it('has a box for every state that a run can show', () => {
    const shown = stateRun.reader
      .events()
      .flatMap((event) => (event.kind === 'probeRun' ? [event.payload.node.split('|')[0] ?? ''] : []));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((state) => !ids.has(state))).toEqual([]);
  });

  it('has an arrow for every step that a worker takes', () => {
    const all = new Set(chart.arrows.map(({ id }) => id));
    const missing = stateRun.reader
      .events()
      .flatMap((event) => (event.kind === 'probeRun' ? [event.at, event.end] : []))
      .filter((at) => Number.isFinite(at))
      .flatMap((at) => stateAt(stateRun, stateRun.scenario.pods[0] ?? pod([]), at).workers)
      .flatMap((worker) => [...lastArrows(worker)])
      .filter((id) => !all.has(id));
    expect(new Set(missing)).toEqual(new Set());
  });

  it.each<[name: string, at: (attempt: TraceEvent) => Micros, arrows: readonly string[]]>([
    ['while an attempt runs, the way into it', ({ at }) => at, ['waiting → deciding', 'deciding → probing']],
    ['after it, the way out: startup has its verdict', ({ end }) => end, ['probing → onHold']],
  ])('lights %s', (_name, at, arrows) => {
    const [first] = stateRun.reader
      .events()
      .filter((event) => event.kind === 'probeRun' && event.payload.result !== '');
    if (first === undefined) throw new Error('no attempt');
    const { workers } = stateAt(stateRun, stateRun.scenario.pods[0] ?? pod([]), at(first));
    const worker = workers.find(({ probe: kind }) => kind === first.subject.probe);
    expect(worker && [...lastArrows(worker)]).toEqual(arrows);
  });

  it('draws arrows between boxes that exist, each once', () => {
    expect(chart.arrows.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
    expect(new Set(chart.arrows.map(({ id }) => id)).size).toBe(chart.arrows.length);
  });

  it('leads from probing to on hold and back to deciding with a new container', () => {
    const labels = (id: string): readonly string[] => chart.arrows.find((arrow) => arrow.id === id)?.labels ?? [];
    expect(labels('probing → onHold')).toEqual(['PROBED [crossesAndHolds]']);
    expect(labels('onHold → deciding')).toEqual(['TURN [newContainer]']);
  });

  it('lets no two boxes overlap, but for the group and what is in it', () => {
    const boxes = chart.states.filter(({ isGroup }) => !isGroup);
    const overlapping = boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
        .map((b) => `${a.id} ${b.id}`),
    );
    expect(overlapping).toEqual([]);
  });
});
