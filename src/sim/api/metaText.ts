import { rfc3339 } from '../../base/rfc3339.ts';
import type { Labels, ObjectMeta } from './objects.ts';

/** A field for labels or annotations, if there are any. */
export const given = (name: string, labels: Labels): object =>
  Object.keys(labels).length > 0 ? { [name]: labels } : {};

/** An object's metadata. */
export const metaJson = (meta: ObjectMeta): object => ({
  name: meta.name,
  ...(meta.generateName && { generateName: meta.generateName }),
  ...(meta.namespace && { namespace: meta.namespace }),
  uid: meta.uid,
  resourceVersion: String(meta.resourceVersion),
  ...(meta.generation > 0 && { generation: meta.generation }),
  creationTimestamp: rfc3339(meta.creationTimestamp),
  ...(meta.deletionTimestamp !== null && { deletionTimestamp: rfc3339(meta.deletionTimestamp) }),
  ...given('labels', meta.labels),
  ...given('annotations', meta.annotations),
  ...(meta.ownerName && { ownerReferences: [ownerJson(meta.ownerName, meta.ownerUid)] }),
});

/** The owner of an object, `kind/name`. */
export function ownerJson(ownerName: string, uid: string): object {
  const [kind, name] = ownerName.split('/');
  return { kind, name, uid, controller: true };
}
