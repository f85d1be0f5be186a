/** When the API server lost a Pod object: versions of an object do not say so. */
import type { Micros } from '../../base/units.ts';
import type { EventRef } from './kinds.ts';
import { apiPodKey } from './podObject.ts';
import type { ObjectVersion, TraceReader } from './reader.ts';

export interface Removal {
  readonly at: Micros;
  /** The request or the action that removed it. */
  readonly ref: EventRef;
}

const known = new WeakMap<TraceReader, ReadonlyMap<string, readonly Removal[]>>();

/** All removals of a Pod in order. A mirror Pod may come again after one. */
export function removalsOf(reader: TraceReader, identity: string): readonly Removal[] {
  let removals = known.get(reader);
  if (removals === undefined) {
    removals = findRemovals(reader);
    known.set(reader, removals);
  }
  return removals.get(identity) ?? [];
}

/** The version of a Pod that the API server has at `t`; null when it has none. */
export function storedAt(reader: TraceReader, identity: string, t: Micros): ObjectVersion | null {
  const version = reader.versionAt(apiPodKey(identity), t);
  const gone = removalsOf(reader, identity).some(({ at }) => at <= t && version !== null && at >= version.since);
  return gone ? null : version;
}

function findRemovals(reader: TraceReader): ReadonlyMap<string, readonly Removal[]> {
  const found = new Map<string, Removal[]>();
  for (let row = 0; row < reader.data.rows; row++) {
    const at = removedAt(reader, row);
    if (at === null) continue;
    const { pod } = reader.event({ row, ordinal: 0 }).subject;
    found.set(pod, [...(found.get(pod) ?? []), { at, ref: { row, ordinal: 0 } }]);
  }
  return found;
}

/** A deletion with grace 0: the kubelet's last request, or somebody who did not want to wait. */
function removedAt(reader: TraceReader, row: number): Micros | null {
  const kind = reader.kindOf(row);
  if (kind !== 'apiRequest' && kind !== 'action') return null;
  const event = reader.event({ row, ordinal: 0 });
  if (event.kind === 'action') {
    const { action, detail } = event.payload;
    return action === 'deletePod' && detail === '0' ? event.at : null;
  }
  if (event.kind !== 'apiRequest') return null;
  const { verb, error, committedAt } = event.payload;
  return verb === 'delete' && error === '' && committedAt <= reader.data.horizon ? (committedAt as Micros) : null;
}
