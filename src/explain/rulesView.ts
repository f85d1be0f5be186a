/** The rules of one kube-proxy at an instant, as a list to read, and what waits to change them. */
import { hostOf } from '../base/ipAddress.ts';
import type { Micros } from '../base/units.ts';
import type { Frontend, Target } from '../sim/proxy/rules.ts';
import type { TraceReader } from '../sim/trace/reader.ts';
import { rulesAt } from '../sim/trace/rulesInForce.ts';
import { historyOf, storedKeys } from '../sim/trace/storedObjects.ts';

export interface RuleLine extends TargetLine {
  /** `namespace/name` of the Service. */
  readonly service: string;
  readonly frontend: string;
  readonly kind: Frontend['kind'];
  readonly affinitySeconds: number | null;
  /** Connections from elsewhere are dropped; empty: from everywhere. */
  readonly sourceRanges: readonly string[];
  /** What the node itself gets instead, and its Pods where these can be told (P-054); null: the same as all others. */
  readonly fromNode: (TargetLine & { readonly andItsPods: boolean }) | null;
}
interface TargetLine {
  readonly verdict: Target['verdict'];
  /** All equally likely for a new connection, unless `weight` says otherwise. */
  readonly backends: readonly BackendLine[];
}
export interface BackendLine {
  readonly address: string;
  /** Name of the Pod; '' where no slice says. */
  readonly pod: string;
  /** Of a new connection, 0 to 1. */
  readonly chance: number;
}

/** What a kube-proxy has in force at `t`, Service by Service. */
export function ruleLines(reader: TraceReader, proxy: string, t: Micros): readonly RuleLine[] {
  const names = podNames(reader, t);
  return rulesAt(reader, proxy, t).flatMap(({ service, frontends }) =>
    frontends.map((one): RuleLine => {
      const { frontend, kind, weights, affinitySeconds, sourceRanges = [], fromNode, fromLocalPods } = one;
      const sum = weights?.reduce((total, weight) => total + weight, 0) ?? 0;
      const targetLine = ({ verdict, backends }: Target): TargetLine => ({
        verdict,
        backends: backends.map((address, i) => ({
          address,
          pod: names.get(hostOf(address)) ?? '',
          chance: sum > 0 ? (weights?.[i] ?? 0) / sum : 1 / backends.length,
        })),
      });
      return {
        ...targetLine(one),
        service,
        frontend,
        kind,
        affinitySeconds: affinitySeconds ?? null,
        sourceRanges,
        fromNode: fromNode ? { ...targetLine(fromNode), andItsPods: fromLocalPods !== undefined } : null,
      };
    }),
  );
}

/** Names of the Pods behind addresses, as the slices say at `t`. */
function podNames(reader: TraceReader, t: Micros): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const key of storedKeys(reader, 'endpointslices')) {
    for (const { at, object } of historyOf(reader, 'endpointslices', key)) {
      if (at > t) break;
      for (const { addresses, targetRef } of object?.endpoints ?? []) {
        for (const address of addresses) if (targetRef !== undefined) names.set(address, targetRef.name);
      }
    }
  }
  return names;
}

/** A change that waits at `t` for the next sync of a proxy: since when, and until when; null when none does. */
export function pendingChange(
  reader: TraceReader,
  proxy: string,
  t: Micros,
): { readonly since: Micros; readonly until: Micros } | null {
  const subject = reader.subjects.findIndex(({ component, object }) => component === 'kubeProxy' && object === proxy);
  if (subject < 0) return null;
  const rows = reader.rowsOf(subject);
  const next = rows.find((row) => reader.kindOf(row) === 'proxySync' && (reader.data.at[row] ?? 0) > t);
  if (next === undefined) return null;
  const ref = { row: next, ordinal: 0 };
  const changes = reader.causesOf(ref).filter((cause) => reader.kindOf(cause.row) === 'proxyChange');
  const since = Math.min(...changes.map((cause) => reader.startOf(cause))) as Micros;
  return since <= t ? { since, until: reader.startOf(ref) } : null;
}
