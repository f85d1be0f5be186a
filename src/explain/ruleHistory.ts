/** What the rules of each kube-proxy say of a Service, change by change: found once for each run, then looked up. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { Frontend } from '../sim/proxy/rules.ts';
import { rowsByText, rowsOfKind } from '../sim/trace/indexes.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import { rulesFrom, rulesText } from '../sim/trace/rulesInForce.ts';

/** From `at` on the rules of a proxy for a Service are so, in both families together. */
export interface RulesStep {
  readonly at: Micros;
  /** The change. */
  readonly ref: EventRef;
  readonly frontends: readonly Frontend[];
}

const stepsByKey = memoizedWeakly((reader: TraceReader): ((key: string) => readonly RulesStep[]) => {
  const ofService = rowsByText(reader, rowsOfKind(reader, 'rulesChanged'), 'rulesChanged', 'service');
  // Proxies mostly say the same: that is read once.
  const said = memoized((text: string) => rulesFrom(text).frontends);
  return memoized((key) => {
    const [proxy = '', service = ''] = key.split(' ');
    const isOwn = (row: number): boolean => reader.subjects[reader.data.subject[row] as number]?.object === proxy;
    return stepsIn(reader, [...ofService(service).filter(isOwn)], said);
  });
});

/** All changes of a proxy's rules for a Service (`namespace/name`), in order. */
export const rulesSteps = (reader: TraceReader, proxy: string, service: string): readonly RulesStep[] =>
  stepsByKey(reader)(`${proxy} ${service}`);

function stepsIn(
  reader: TraceReader,
  rows: readonly number[],
  frontendsOf: (text: string) => readonly Frontend[],
): readonly RulesStep[] {
  const families = new Map<string, readonly Frontend[]>();
  return rows.map((row) => {
    const { at, ref, payload } = reader.event({ row, ordinal: 0 }) as TraceEvent<'rulesChanged'>;
    families.set(payload.family, frontendsOf(rulesText(reader, payload.rules)));
    return { at, ref, frontends: [...families.values()].flat() };
  });
}
