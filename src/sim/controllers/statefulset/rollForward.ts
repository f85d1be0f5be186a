import { type StatefulSetObject, scaledValue } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import { isAvailable, isTerminating, isUnavailable, type Judged, type Replica } from './replicas.ts';
import type { Synced, SyncTools } from './statefulSetSync.ts';

/** How many replicas may be unavailable: at least one, also where the percentage comes to none (getStatefulSetMaxUnavailable). */
const maxUnavailable = ({ spec }: StatefulSetObject): number =>
  Math.max(1, scaledValue(spec.maxUnavailable, spec.replicas, 'down'));

/**
 * Deletes Pods of the old revision, highest first and not below the partition, as far as maxUnavailable allows. Parallel
 * also takes unavailable ones, whose replacement costs nothing (N-022).
 * Source: pkg/controller/statefulset/stateful_set_control.go updateStatefulSetAfterInvariantEstablished.
 */
export function* rollForward(judged: Judged, replicas: readonly Replica[], tools: SyncTools): Task<Synced> {
  const { set, update } = judged;
  const most = maxUnavailable(set);
  const isOld = (one: Replica): boolean => one.revision !== update.meta.name;
  const unavailable = replicas.filter((one) => isUnavailable(one, judged));
  const isParallel = set.spec.podManagementPolicy === 'Parallel';
  const inNeed = isParallel ? unavailable.filter((one) => isOld(one) && !isTerminating(one)) : [];
  if (unavailable.length >= most && inNeed.length === 0) {
    const values = { unavailablePods: unavailable.length, maxUnavailable: most };
    if (unavailable.length > most) tools.log('overMaxUnavailable', values);
    return { replaced: 0, error: '' };
  }
  const old = replicas
    .filter((one) => one.ordinal >= set.spec.partition && isOld(one) && !isTerminating(one))
    .reverse();
  const budget = Math.max(0, most - unavailable.length);
  if (!isParallel) return yield* replace(judged, old.slice(0, budget), 'update', tools);
  const broken = old.filter((one) => !isAvailable(one, judged));
  const first = yield* replace(judged, broken, 'updateUnavailable', tools);
  if (first.error) return first;
  const sound = old.filter((one) => isAvailable(one, judged)).slice(0, budget);
  const second = yield* replace(judged, sound, 'update', tools);
  return { ...second, replaced: first.replaced + second.replaced };
}

/** Deletes Pods one after the other, so that they come back with the new revision; stops at the first error. */
function* replace(
  { set }: Judged,
  old: readonly Replica[],
  message: 'update' | 'updateUnavailable',
  { pods, log, ref }: SyncTools,
): Task<Synced> {
  let replaced = 0;
  for (const { name, pod } of old) {
    log(message, { pod: name });
    const error = pod ? yield* pods.delete(set, pod, ref) : '';
    if (error) return { replaced, error };
    replaced++;
  }
  return { replaced, error: '' };
}
