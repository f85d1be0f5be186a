/** Pods at whose address nobody answers, for as long as that lasts. */
import { hostOf } from '../../base/ipAddress.ts';
import { memoizedWeakly } from '../../base/memoized.ts';
import type { Micros } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import { apiPodKey, podStatusOf } from '../../sim/trace/podObject.ts';
import type { TraceReader } from '../../sim/trace/reader.ts';

/** From `at` on some container of the Pod answers, or none does. */
export interface Answering {
  readonly at: Micros;
  readonly ref: EventRef;
  readonly answers: boolean;
}
export interface BackendPod {
  /** For display. */
  readonly name: string;
  readonly steps: readonly Answering[];
}

/** By address: the Pods of which the run says what connections meet there. */
export const backendPods = memoizedWeakly((reader: TraceReader): ReadonlyMap<string, BackendPod> => {
  const rows = new Map<string, number[]>();
  for (const [index, { component, pod }] of reader.subjects.entries()) {
    if (component !== 'app') continue;
    const own = [...reader.rowsOf(index)].filter((row) => reader.kindOf(row) === 'appServe');
    if (own.length > 0) rows.set(pod, [...(rows.get(pod) ?? []), ...own]);
  }
  return new Map(
    [...rows].flatMap(([pod, own]): [string, BackendPod][] => {
      const { ips, name } = lastAddresses(reader, pod);
      const backend = { name, steps: stepsOf(reader, own) };
      return ips.map((ip) => [ip, backend]);
    }),
  );
});

/** Whether connections to `10.1.0.11:8080` find nobody at `at`; false where the run does not say. */
export const isSilent = (reader: TraceReader, backend: string, at: Micros): boolean =>
  backendPods(reader)
    .get(hostOf(backend))
    ?.steps.findLast((step) => step.at <= at)?.answers === false;

function stepsOf(reader: TraceReader, rows: readonly number[]): readonly Answering[] {
  const answering = new Set<string>();
  return [...rows]
    .sort((a, b) => (reader.data.at[a] ?? 0) - (reader.data.at[b] ?? 0) || a - b)
    .map((row) => {
      const container = reader.subjects[reader.data.subject[row] as number]?.container ?? '';
      if (reader.field(row, 'state') === 'answer') answering.add(container);
      else answering.delete(container);
      return { at: reader.data.at[row] as Micros, ref: { row, ordinal: 0 }, answers: answering.size > 0 };
    })
    .filter((step, i, steps) => step.answers !== steps[i - 1]?.answers);
}

function lastAddresses(reader: TraceReader, pod: string): { readonly ips: readonly string[]; readonly name: string } {
  for (const { index } of [...reader.versionsOf(apiPodKey(pod))].reverse()) {
    const ips = (podStatusOf(reader, index).podIPs ?? []).map(({ ip }) => ip);
    if (ips.length === 0) continue;
    const { metadata } = JSON.parse(reader.versionText(index)) as { readonly metadata?: { readonly name: string } };
    return { ips, name: metadata?.name ?? pod };
  }
  return { ips: [], name: pod };
}
