import type { Scenario } from '../../src/sim/scenario.ts';
import { startRun } from '../../src/sim/simulate.ts';
import type { EventRef } from '../../src/sim/trace/kinds.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';
import type { TraceData } from '../../src/sim/trace/trace.ts';
import { place } from './observation.ts';

export function traceOf(scenario: Scenario, budget = 1_000_000, everyTick = false): TraceData {
  const run = startRun(scenario, { everyTick });
  while (run.advance(budget));
  return run.trace();
}

/** All events in words, sorted: the order of simultaneous ones of different Pods is left open. */
export function told(scenario: Scenario, everyTick: boolean): readonly string[] {
  const reader = new TraceReader(traceOf(scenario, 1_000_000, everyTick));
  const words = (ref: EventRef): string => place(reader.event(ref));
  return reader
    .events()
    .map(({ ref, end, payload }) => {
      const armed = reader.armedBy(ref);
      const why = [...reader.causesOf(ref).map(words), armed ? words(armed) : ''];
      return [words(ref), end, JSON.stringify(payload), ...why].join(' | ');
    })
    .sort();
}
