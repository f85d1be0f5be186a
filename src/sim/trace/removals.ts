/** When the API server lost a Pod object: versions of an object do not say so. */
import { memoized, memoizedWeakly } from '../../base/memoized.ts';
import type { Micros } from '../../base/units.ts';
import { subjectsOfPod } from './indexes.ts';
import type { EventRef } from './kinds.ts';
import { apiPodKey } from './podObject.ts';
import type { ObjectVersion, TraceReader } from './reader.ts';

export interface Removal {
  readonly at: Micros;
  /** The request or the action that removed it. */
  readonly ref: EventRef;
}

const removalsByPod = memoizedWeakly((reader: TraceReader) =>
  memoized((identity: string): readonly Removal[] =>
    [...subjectsOfPod(reader, identity)]
      .flatMap((subject) => [...reader.rowsOf(subject)])
      .sort((a, b) => a - b)
      .flatMap((row): Removal[] => {
        const at = removedAt(reader, row);
        return at === null ? [] : [{ at, ref: { row, ordinal: 0 } }];
      }),
  ),
);

/** All removals of a Pod in order. A mirror Pod may come again after one. */
export const removalsOf = (reader: TraceReader, identity: string): readonly Removal[] =>
  removalsByPod(reader)(identity);

/** The version of a Pod that the API server has at `t`; null when it has none. */
export function storedAt(reader: TraceReader, identity: string, t: Micros): ObjectVersion | null {
  const version = reader.versionAt(apiPodKey(identity), t);
  const gone = removalsOf(reader, identity).some(({ at }) => at <= t && version !== null && at >= version.since);
  return gone ? null : version;
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
