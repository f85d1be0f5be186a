import type { EndpointSliceObject } from '../../api/objects.ts';
import { sliceWriteLabel } from '../../api/sliceWrites.ts';
import type { SliceChanges } from './slices.ts';

/** A request that a sync is going to send. */
export interface SliceWrite {
  readonly verb: 'create' | 'update' | 'delete';
  readonly slice: EndpointSliceObject;
}

/** Creates, then updates, then deletes. */
export const writesOf = ({ toCreate, toUpdate, toDelete }: SliceChanges): readonly SliceWrite[] => [
  ...toCreate.map((slice) => ({ verb: 'create', slice }) as const),
  ...toUpdate.map((slice) => ({ verb: 'update', slice }) as const),
  ...toDelete.map((slice) => ({ verb: 'delete', slice }) as const),
];

/** What a drawn order calls a write; writes with one label are alike. */
export const writeLabel = ({ verb, slice }: SliceWrite): string => sliceWriteLabel(verb, slice);

/** `writes` with those of one verb in the order in which `order` has their labels. */
export function inOrder(writes: readonly SliceWrite[], order: readonly string[]): readonly SliceWrite[] {
  const verbs = ['create', 'update', 'delete'] as const;
  return verbs.flatMap((verb) =>
    writes.filter((write) => write.verb === verb).sort((a, b) => placeIn(order, [a]) - placeIn(order, [b])),
  );
}

/** Where `order` first has one of these writes; its length when it has none. */
export function placeIn(order: readonly string[], writes: readonly SliceWrite[]): number {
  const places = writes.map((write) => order.indexOf(writeLabel(write))).filter((place) => place >= 0);
  return Math.min(order.length, ...places);
}
