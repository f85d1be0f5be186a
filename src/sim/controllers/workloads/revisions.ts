import type { ObjectMeta } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import type { ControllerRevisionObject, PodTemplate } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadClient } from './client.ts';

/** A revision, or why there is none. */
export type RevisionAnswer = { readonly revision: ControllerRevisionObject } | { readonly error: string };

/** What a revision belongs to. */
export interface RevisionOwner {
  readonly kind: 'StatefulSet' | 'DaemonSet';
  readonly meta: ObjectMeta;
}

/** The revision that keeps a template; its name is the owner's with the template's hash. */
export const revisionOf = (
  { kind, meta }: RevisionOwner,
  template: PodTemplate,
  revision: number,
): ControllerRevisionObject => ({
  meta: {
    ...meta,
    name: `${meta.name}-${template.hash}`,
    uid: '',
    resourceVersion: 0,
    generation: 0,
    labels: template.labels,
    creationTimestamp: 0,
    deletionTimestamp: null,
    ownerUid: meta.uid,
    ownerName: `${kind}/${meta.name}`,
  },
  revision,
  template,
});

/** Lowest number first, then the older one, then by name. Source: pkg/controller/history SortControllerRevisions. */
export const byRevision = (revisions: readonly ControllerRevisionObject[]): readonly ControllerRevisionObject[] =>
  revisions.toSorted(
    (a, b) =>
      a.revision - b.revision ||
      a.meta.creationTimestamp - b.meta.creationTimestamp ||
      (a.meta.name < b.meta.name ? -1 : 1),
  );

/** Stores a new revision; one of that name that says the same is taken as it is. */
export function* createRevision(
  client: WorkloadClient,
  revision: ControllerRevisionObject,
  ref: Ref,
): Task<RevisionAnswer> {
  const { name } = revision.meta;
  const answer = yield* client.create('controllerrevisions', revision, ref);
  if (!('error' in answer)) return { revision: answer.object ?? revision };
  if (answer.code !== 409) return { error: answer.error };
  const live = yield* client.get('controllerrevisions', keyOf(revision), name);
  return live?.template.text === revision.template.text ? { revision: live } : { error: answer.error };
}
