import { expect, it } from 'vitest';
import { container, pod, probe, scenario } from '../../../../test/support/scenario.ts';
import { micros, microsSpan, seconds } from '../../../base/units.ts';
import type { Action } from '../../../sim/scenario.ts';
import { simulate } from '../../../sim/simulate.ts';
import { TraceReader } from '../../../sim/trace/reader.ts';
import type { RecordedEvent } from '../event.ts';
import { projectKubelet } from './project.ts';

const eventsOf = (actions: readonly Action[]): readonly RecordedEvent[] =>
  projectKubelet(
    new TraceReader(
      simulate(scenario([pod([container({ readiness: probe() })], { createdAt: micros(1e6) })], 30, { actions })),
    ),
    () => 'web-0',
  );

it.each(['get', 'patch'])(
  'a %s that is on its way when the kubelet stops is never committed, and never shown',
  (verb) => {
    const committed = eventsOf([]).find((event) => event.type === 'request' && event.verb === verb)?.t ?? 0;
    const stop = micros(committed - 1_000);
    const restarted = eventsOf([{ at: stop, do: 'restartKubelet', node: 'node-a', down: microsSpan(seconds(2)) }]);
    const requests = restarted.filter(({ type }) => type === 'request').map(({ t }) => t);
    expect(requests.filter((t) => t > stop && t < stop + seconds(2))).toEqual([]);
    expect(requests.filter((t) => t > stop).length).toBeGreaterThan(1);
  },
);
