import type { Informer } from '../../api/informer.ts';
import type { ObjectMeta } from '../../api/objects.ts';
import type { Stored } from '../../api/store.ts';

/** What one owner has. `list` is made when it is asked for. */
interface Owned<T> {
  readonly byKey: Map<string, T>;
  list: readonly T[] | null;
}

/** The cached objects of each owner, by the owner's UID, in order of their first delivery. */
export class OwnedObjects<R extends 'pods' | 'replicasets'> {
  private readonly byUid = new Map<string, Owned<Stored[R]>>();
  private readonly ownerUid: (object: Stored[R]) => string | undefined;

  /** Follows `informer`; goes before the handlers that read this. `ownerUid`: of the controller of an object, '' or undefined without one. */
  constructor(informer: Informer<R>, ownerUid: (object: Stored[R]) => string | undefined) {
    this.ownerUid = ownerUid;
    informer.onEvent(({ key, old, now }) => {
      const before = old && this.ownerUid(old);
      const after = now && this.ownerUid(now);
      if (before && before !== after) this.ownedBy(before).byKey.delete(key);
      if (before) this.ownedBy(before).list = null;
      if (!after || !now) return;
      const owned = this.ownedBy(after);
      owned.byKey.set(key, now);
      owned.list = null;
    });
  }

  of({ uid }: Pick<ObjectMeta, 'uid'>): readonly Stored[R][] {
    const owned = this.ownedBy(uid);
    owned.list ??= [...owned.byKey.values()];
    return owned.list;
  }

  private ownedBy(uid: string): Owned<Stored[R]> {
    const known = this.byUid.get(uid);
    if (known) return known;
    const made: Owned<Stored[R]> = { byKey: new Map(), list: null };
    this.byUid.set(uid, made);
    return made;
  }
}

/** UID of the controller of a Pod. */
export const podOwnerUid = ({ input }: Stored['pods']): string | undefined => input.owner?.uid;
