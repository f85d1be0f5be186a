import type { Scenario } from '../../src/sim/scenario.ts';
import { simulate } from '../../src/sim/simulate.ts';
import type { EventKind } from '../../src/sim/trace/kinds.ts';
import { type TraceEvent, TraceReader } from '../../src/sim/trace/reader.ts';

/** A finished run, asked in the words of the tests. Instants are in seconds. */
export interface ReadRun {
  readonly scenario: Scenario;
  readonly reader: TraceReader;
  all<K extends EventKind>(kind: K, keep?: (event: TraceEvent<K>) => boolean): readonly TraceEvent<K>[];
  /** Instants at which the container really started, s. */
  readonly starts: readonly number[];
  /** Instants at which the API's Ready condition turned True (or False), s. */
  readyTurned(to: 'True' | 'False'): readonly number[];
  /** Begins of attempts of a probe, s. */
  attempts(probe: string, container?: string): readonly number[];
}

/** Simulates and reads. */
export function readRun(scenario: Scenario): ReadRun {
  const reader = new TraceReader(simulate(scenario));
  const events = reader.events();
  const all = <K extends EventKind>(
    kind: K,
    keep: (event: TraceEvent<K>) => boolean = () => true,
  ): readonly TraceEvent<K>[] => events.filter((event): event is TraceEvent<K> => event.kind === kind).filter(keep);
  return {
    scenario,
    reader,
    all,
    starts: all('startContainer').map(({ end }) => end / 1e6),
    readyTurned: (to) => readyTurned(reader, to),
    attempts: (probe, container = 'app') =>
      all(
        'probeRun',
        ({ subject, payload }) =>
          subject.probe === probe && subject.container === container && payload.outcome === 'attempt',
      ).map(({ at }) => at / 1e6),
  };
}

function readyTurned(reader: TraceReader, to: 'True' | 'False'): readonly number[] {
  const found: number[] = [];
  for (const key of reader.objectKeys.filter((name) => name.startsWith('api/Pod/'))) {
    let before = '';
    for (const { index, since } of reader.versionsOf(key)) {
      const { status } = JSON.parse(reader.versionText(index)) as {
        readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
      };
      const now = status.conditions.find(({ type }) => type === 'Ready')?.status ?? '';
      if (now === to && before !== to) found.push(since / 1e6);
      before = now;
    }
  }
  return found;
}
