/** What the rules of each kube-proxy say of a Service, change by change: found once for each run, then looked up. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { Frontend } from '../sim/proxy/rules.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import { rulesIn } from '../sim/trace/rulesInForce.ts';

/** From `at` on the rules of a proxy for a Service are so, in both families together. */
export interface RulesStep {
  readonly at: Micros;
  /** The change. */
  readonly ref: EventRef;
  readonly frontends: readonly Frontend[];
}

const stepsByKey = memoizedWeakly((reader: TraceReader): ((key: string) => readonly RulesStep[]) => {
  const rows = rowsByKey(reader);
  return memoized((key) => stepsIn(reader, rows.get(key) ?? []));
});

/** All changes of a proxy's rules for a Service (`namespace/name`), in order. */
export const rulesSteps = (reader: TraceReader, proxy: string, service: string): readonly RulesStep[] =>
  stepsByKey(reader)(`${proxy} ${service}`);

function rowsByKey(reader: TraceReader): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [subject, { component, object }] of reader.subjects.entries()) {
    if (component !== 'kubeProxy') continue;
    for (const row of reader.rowsOf(subject)) {
      if (reader.kindOf(row) !== 'rulesChanged') continue;
      const key = `${object} ${reader.field(row, 'service')}`;
      const rows = found.get(key);
      if (rows) rows.push(row);
      else found.set(key, [row]);
    }
  }
  return found;
}

function stepsIn(reader: TraceReader, rows: readonly number[]): readonly RulesStep[] {
  const families = new Map<string, readonly Frontend[]>();
  return rows.map((row) => {
    const { at, ref, payload } = reader.event({ row, ordinal: 0 }) as TraceEvent<'rulesChanged'>;
    families.set(payload.family, rulesIn(reader, payload.rules).frontends);
    return { at, ref, frontends: [...families.values()].flat() };
  });
}
