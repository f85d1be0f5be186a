import type { ApiPod } from '../../api/apiPod.ts';
import type { ControllerRevisionObject, StatefulSetObject } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadClient } from '../workloads/client.ts';
import { createRevision, type RevisionAnswer, revisionOf } from '../workloads/revisions.ts';
import { podRevision } from './replicas.ts';

/** The revision of the set's template: the last one, an older one that gets the next number, or a new one. */
function* updateRevision(
  client: WorkloadClient,
  set: StatefulSetObject,
  sorted: readonly ControllerRevisionObject[],
  ref: Ref,
): Task<RevisionAnswer> {
  const { template } = set.spec;
  const last = sorted.at(-1);
  if (last?.template.text === template.text) return { revision: last };
  const next = (last?.revision ?? 0) + 1;
  const equal = sorted.findLast((one) => one.template.text === template.text);
  if (!equal)
    return yield* createRevision(client, revisionOf({ kind: 'StatefulSet', meta: set.meta }, template, next), ref);
  const answer = yield* client.update('controllerrevisions', { ...equal, revision: next }, ref);
  return 'error' in answer ? { error: answer.error } : { revision: { ...equal, revision: next } };
}

/**
 * The revisions between which a set moves; the update revision is stored if it is new. `sorted`: lowest number first.
 * Source: pkg/controller/statefulset/stateful_set_control.go getStatefulSetRevisions.
 */
export function* revisionsOf(
  client: WorkloadClient,
  set: StatefulSetObject,
  sorted: readonly ControllerRevisionObject[],
  ref: Ref,
): Task<
  { readonly current: ControllerRevisionObject; readonly update: ControllerRevisionObject } | { readonly error: string }
> {
  const answer = yield* updateRevision(client, set, sorted, ref);
  if ('error' in answer) return answer;
  const update = answer.revision;
  return { current: sorted.find(({ meta }) => meta.name === set.status.currentRevision) ?? update, update };
}

/** Deletes the oldest revisions beyond the limit that nothing uses any more (truncateHistory). */
export function* truncateHistory(
  client: WorkloadClient,
  set: StatefulSetObject,
  pods: readonly ApiPod[],
  sorted: readonly ControllerRevisionObject[],
  used: readonly ControllerRevisionObject[],
  ref: Ref,
): Task<string> {
  const live = new Set([...used.map(({ meta }) => meta.name), ...pods.map(podRevision)]);
  const old = sorted.filter(({ meta }) => !live.has(meta.name));
  for (const revision of old.slice(0, Math.max(0, old.length - set.spec.revisionHistoryLimit))) {
    const answer = yield* client.delete('controllerrevisions', revision, ref);
    if ('error' in answer) return answer.error;
  }
  return '';
}
