/** The rules of kube-proxy as the trace keeps them. */
import type { Micros } from '../../base/units.ts';
import type { Frontend, ServiceRules } from '../proxy/rules.ts';
import type { EventRef } from './kinds.ts';
import type { TraceReader } from './reader.ts';

/** From `at` on the rules of a Service in one family are so. */
export interface RulesVersion {
  readonly at: Micros;
  readonly ref: EventRef;
  /** Name of the proxy. */
  readonly proxy: string;
  /** `namespace/name`. */
  readonly service: string;
  readonly family: string;
  readonly frontends: readonly Frontend[];
}

const NO_RULES = JSON.stringify({ frontends: [] } satisfies Pick<ServiceRules, 'frontends'>);

/** The text of the rules in one object version; of no rules for -1. */
export const rulesText = (reader: TraceReader, version: number): string =>
  version < 0 ? NO_RULES : reader.versionText(version);

/** The rules that such a text says. */
export const rulesFrom = (text: string): Pick<ServiceRules, 'frontends'> => JSON.parse(text) as ServiceRules;

/** The rules in one object version; none for -1. */
export const rulesIn = (reader: TraceReader, version: number): Pick<ServiceRules, 'frontends'> =>
  rulesFrom(rulesText(reader, version));

/** All changes of the rules of a proxy, in order. */
export function rulesOf(reader: TraceReader, proxy: string): readonly RulesVersion[] {
  const subjects = reader.subjects.flatMap(({ component, object }, index) =>
    component === 'kubeProxy' && object === proxy ? [index] : [],
  );
  return subjects
    .flatMap((subject) => [...reader.rowsOf(subject)])
    .flatMap((row): RulesVersion[] => {
      const event = reader.event({ row, ordinal: 0 });
      if (event.kind !== 'rulesChanged') return [];
      const { service, family, rules } = event.payload;
      const { frontends } = rulesIn(reader, rules);
      return [{ at: event.at, ref: event.ref, proxy, service, family, frontends }];
    });
}

/** The rules of a proxy at `t`: one entry for each Service and family that has any. */
export function rulesAt(reader: TraceReader, proxy: string, t: Micros): readonly RulesVersion[] {
  const last = new Map<string, RulesVersion>();
  for (const version of rulesOf(reader, proxy)) {
    if (version.at <= t) last.set(`${version.service} ${version.family}`, version);
  }
  return [...last.values()].filter(({ frontends }) => frontends.length > 0);
}
