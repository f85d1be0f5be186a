/** What became of a version of the status: whether the kubelet sent it to the API server (K-185). */
import type { Micros } from '../base/units.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import { asKind, subjectsOfPod } from './lookUp.ts';

export type Sending =
  | { readonly kind: 'patched'; readonly at: Micros; readonly committedAt: Micros; readonly ref: EventRef }
  /** The GET showed that the API has it all already. */
  | { readonly kind: 'getOnly'; readonly at: Micros; readonly ref: EventRef }
  | { readonly kind: 'failed'; readonly at: Micros; readonly error: string; readonly ref: EventRef }
  /** A newer version was there before this one could go. */
  | { readonly kind: 'skipped'; readonly by: number; readonly at: Micros; readonly ref: EventRef }
  /** Not before the run ends. */
  | { readonly kind: 'notSent' };

export function sendingOf(reader: TraceReader, set: TraceEvent<'statusSet'>): Sending {
  const { version } = set.payload;
  const requests = requestsAfter(reader, set);
  const own = requests.filter(({ payload }) => payload.version === version);
  const patch = own.find(({ payload }) => payload.verb === 'patch' && payload.error === '');
  if (patch !== undefined) {
    const committedAt = patch.payload.committedAt as Micros;
    return { kind: 'patched', at: patch.at, committedAt, ref: patch.ref };
  }
  const failed = own.findLast(({ payload }) => payload.error !== '');
  if (failed !== undefined) return { kind: 'failed', at: failed.at, error: failed.payload.error, ref: failed.ref };
  const get = own.find(({ payload, end }) => payload.verb === 'get' && end < reader.data.horizon);
  if (get !== undefined) return { kind: 'getOnly', at: get.at, ref: get.ref };
  const newer = requests.find(({ payload }) => payload.version > version);
  if (newer === undefined) return { kind: 'notSent' };
  return { kind: 'skipped', by: newer.payload.version, at: newer.at, ref: newer.ref };
}

/** Requests of the status manager from `set` on, in order; a kubelet that starts anew counts its versions anew. */
function requestsAfter(reader: TraceReader, set: TraceEvent<'statusSet'>): readonly TraceEvent<'apiRequest'>[] {
  const { pod } = set.subject;
  const events = subjectsOfPod(reader, pod)
    .flatMap((subject) => [...reader.rowsOf(subject)])
    .filter((row) => row > set.ref.row && ['apiRequest', 'statusSet'].includes(reader.kindOf(row)))
    .sort((a, b) => a - b)
    .map((row) => reader.event({ row, ordinal: 0 }));
  const anew = events.findIndex(
    (event) => (asKind(event, 'statusSet')?.payload.version ?? Infinity) <= set.payload.version,
  );
  return (anew < 0 ? events : events.slice(0, anew))
    .flatMap((event) => asKind(event, 'apiRequest') ?? [])
    .filter(({ payload }) => payload.version > 0);
}
