import { describe, expect, it } from 'vitest';
import { bad, container, exitStep, ok, pod, probe, run, scenario, step } from '../../../test/support/scenario.ts';
import { simulate } from '../../sim/simulate.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import { workerChart } from './chart.ts';

const chart = workerChart();
const ids = new Set(chart.states.map(({ id }) => id));

describe('workerChart', () => {
  it('has a box for every state that a run can show', () => {
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
    const shown = new TraceReader(simulate(stormy))
      .events()
      .flatMap((event) => (event.kind === 'probeRun' ? [event.payload.node.split('|')[0] ?? ''] : []));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((state) => !ids.has(state))).toEqual([]);
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
