import { memoizedWeakly } from '../../base/memoized.ts';
import { rfc3339 } from '../../base/rfc3339.ts';
import { furtherFields } from './jsonPieces.ts';
import type { Labels, ObjectMeta } from './objects.ts';

/** A field for labels or annotations, after others; '' for none. Versions share what a write left alone. */
export const labelsText = memoizedWeakly((labels: Labels) => fieldOf('labels', labels));
export const annotationsText = memoizedWeakly((annotations: Labels) => fieldOf('annotations', annotations));
const fieldOf = (name: string, labels: Labels): string =>
  Object.keys(labels).length > 0 ? furtherFields({ [name]: labels }) : '';

const text = (value: string): string => JSON.stringify(value);

/** An object up to its metadata's end, where `rest` goes on; its resource version, which each write changes, is a piece of its own. */
export function headPieces(apiVersion: string, kind: string, meta: ObjectMeta, rest: string): readonly string[] {
  const { name, generateName, namespace, uid, generation, creationTimestamp, deletionTimestamp } = meta;
  const named = `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":${text(name)}`;
  const generated = generateName && `,"generateName":${text(generateName)}`;
  const placed = namespace && `,"namespace":${text(namespace)}`;
  const known = `${generation > 0 ? `,"generation":${generation}` : ''},"creationTimestamp":"${rfc3339(creationTimestamp)}"`;
  const deleted = deletionTimestamp === null ? '' : `,"deletionTimestamp":"${rfc3339(deletionTimestamp)}"`;
  return [
    `${named}${generated}${placed},"uid":${text(uid)},"resourceVersion":"`,
    String(meta.resourceVersion),
    `"${known}${deleted}`,
    labelsText(meta.labels),
    annotationsText(meta.annotations),
    `${ownersText(meta)}}${rest}`,
  ];
}

const ownersText = ({ ownerName, ownerUid }: ObjectMeta): string =>
  ownerName && furtherFields({ ownerReferences: [ownerJson(ownerName, ownerUid)] });

/** The owner of an object, `kind/name`. */
export function ownerJson(ownerName: string, uid: string): object {
  const [kind, name] = ownerName.split('/');
  return { kind, name, uid, controller: true };
}
