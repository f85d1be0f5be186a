import type { ApiPod } from '../../api/apiPod.ts';
import { type ControllerRevisionObject, type DaemonSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadClient } from '../workloads/client.ts';
import { byRevision, createRevision, revisionOf } from '../workloads/revisions.ts';

/** The revision of the present template, and those of others. */
export interface History {
  readonly current: ControllerRevisionObject;
  readonly old: readonly ControllerRevisionObject[];
}

/**
 * Sees that the present template has the revision with the highest number. `known`: the set's revisions.
 * Source: pkg/controller/daemon/update.go constructHistory.
 */
export function* historyOf(
  client: WorkloadClient,
  { meta, spec: { template } }: DaemonSetObject,
  known: readonly ControllerRevisionObject[],
  ref: Ref,
): Task<History | { readonly error: string }> {
  const sorted = byRevision(known);
  const old = sorted.filter((one) => one.template.text !== template.text);
  const number = (old.at(-1)?.revision ?? 0) + 1;
  const current = sorted.findLast((one) => one.template.text === template.text);
  if (!current) {
    const answer = yield* createRevision(client, revisionOf({ kind: 'DaemonSet', meta }, template, number), ref);
    return 'error' in answer ? answer : { current: answer.revision, old };
  }
  if (current.revision < number) {
    const answer = yield* client.update('controllerrevisions', { ...current, revision: number }, ref);
    if ('error' in answer) return { error: answer.error };
  }
  return { current, old };
}

/** Deletes the oldest revisions beyond the limit that no Pod has any more (cleanupHistory). */
export function* cleanUpHistory(
  client: WorkloadClient,
  { spec }: DaemonSetObject,
  pods: readonly ApiPod[],
  old: readonly ControllerRevisionObject[],
  ref: Ref,
): Task<string> {
  const live = new Set(pods.map(({ labels }) => labels[WORKLOAD.controllerRevisionHash]));
  const unused = old.filter(({ template }) => !live.has(template.hash));
  for (const revision of unused.slice(0, Math.max(0, old.length - spec.revisionHistoryLimit))) {
    const answer = yield* client.delete('controllerrevisions', revision, ref);
    if ('error' in answer) return answer.error;
  }
  return '';
}
