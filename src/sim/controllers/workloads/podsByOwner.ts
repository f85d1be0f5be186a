import type { ApiPod } from '../../api/apiPod.ts';
import type { Informer } from '../../api/informer.ts';
import type { ObjectMeta } from '../../api/objects.ts';

/** The cached Pods of each owner, by the owner's UID, in order of their first delivery. */
export class PodsByOwner {
  private readonly byUid = new Map<string, Map<string, ApiPod>>();

  /** Follows `pods`; goes before the handlers that read this. */
  constructor(pods: Informer<'pods'>) {
    pods.onEvent(({ key, old, now }) => {
      const before = old?.input.owner?.uid;
      const after = now?.input.owner?.uid;
      if (before && (before !== after || !now)) this.byUid.get(before)?.delete(key);
      if (!after || !now) return;
      const known = this.byUid.get(after) ?? new Map<string, ApiPod>();
      this.byUid.set(after, known);
      known.set(key, now);
    });
  }

  of({ uid }: Pick<ObjectMeta, 'uid'>): readonly ApiPod[] {
    return [...(this.byUid.get(uid)?.values() ?? [])];
  }
}
