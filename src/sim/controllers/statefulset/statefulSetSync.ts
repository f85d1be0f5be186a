import type { ApiPod } from '../../api/apiPod.ts';
import type { Scheduler, Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { inBatches } from '../workloads/parallel.ts';
import {
  hasEnded,
  isAvailable,
  isRunningAndReady,
  isTerminating,
  isUnavailable,
  type Judged,
  type Replica,
  replicasOf,
} from './replicas.ts';
import { rollForward } from './rollForward.ts';
import type { StatefulPods } from './statefulPods.ts';

/** What a sync of a StatefulSet works with. */
export interface SyncTools {
  readonly kernel: Scheduler;
  readonly pods: StatefulPods;
  readonly log: (message: string, values: object) => void;
  readonly ref: Ref;
}

/** What came of a step: whether the sync stops there, and the error, '' without one. */
interface Step {
  readonly stops: boolean;
  readonly error: string;
}
const GO: Step = { stops: false, error: '' };
const STOP: Step = { stops: true, error: '' };
const after = (error: string): Step => ({ stops: true, error });

/** What a sync did: how many Pods of the old revision it deleted for the update, and the error, '' without one. */
export interface Synced {
  readonly replaced: number;
  readonly error: string;
}

/**
 * Moves a set's Pods towards what its spec wants: one at a time in order (OrderedReady), or all at once (Parallel); then
 * the surplus ones from the highest down; then the update (N-022).
 * Source: pkg/controller/statefulset/stateful_set_control.go updateStatefulSet.
 */
export function* syncReplicas(judged: Judged, held: readonly ApiPod[], tools: SyncTools): Task<Synced> {
  const { set } = judged;
  const { replicas, condemned } = replicasOf(judged, held);
  const unavailable = [...replicas, ...condemned.toReversed()].filter((one) => isUnavailable(one, judged));
  const [first] = unavailable;
  if (first) tools.log('unavailable', { pod: first.name, unavailableReplicas: unavailable.length });
  if (set.meta.deletionTimestamp !== null) return { replaced: 0, error: '' };
  const ordered = set.spec.podManagementPolicy === 'OrderedReady';
  const steps = [
    replicas.map((one) => () => keep(one, judged, ordered, tools)),
    condemned.map((one) => () => condemn(one, first, judged, ordered, tools)),
  ];
  for (const list of steps) {
    const { stops, error } = ordered ? yield* oneByOne(list) : yield* atOnce(list, tools.kernel);
    if (stops) return { replaced: 0, error };
  }
  if (set.spec.updateStrategy === 'OnDelete') return { replaced: 0, error: '' };
  return yield* rollForward(judged, replicas, tools);
}

function* oneByOne(steps: readonly (() => Task<Step>)[]): Task<Step> {
  for (const step of steps) {
    const done = yield* step();
    if (done.stops) return done;
  }
  return GO;
}

/** Only an error stops what comes next. */
function* atOnce(steps: readonly (() => Task<Step>)[], kernel: Scheduler): Task<Step> {
  const done = yield* inBatches(kernel, steps, ({ error }) => error !== '');
  const failed = done.find(({ error }) => error !== '');
  return failed ?? GO;
}

/** Sees that a replica is there, and in order also that it is ready and available (processReplica). */
function* keep(replica: Replica, judged: Judged, ordered: boolean, tools: SyncTools): Task<Step> {
  const { set, current, update } = judged;
  const { pods, ref, log } = tools;
  const { pod, name } = replica;
  if (pod && hasEnded(replica)) return pod.deletionTimestamp === null ? after(yield* pods.delete(set, pod, ref)) : STOP;
  if (!pod) {
    const { template } = replica.revision === update.meta.name ? update : current;
    const error = yield* pods.create(set, replica, template, ref);
    return error !== '' || ordered ? after(error) : GO;
  }
  if (!ordered) return GO;
  const waits = isTerminating(replica)
    ? 'waitTerminate'
    : !isRunningAndReady(replica)
      ? 'waitReady'
      : isAvailable(replica, judged)
        ? null
        : 'waitAvailable';
  if (waits === null) return GO;
  log(waits, { pod: name });
  return STOP;
}

/** Deletes a surplus Pod; in order only once those above it are gone and, but for the first that is not, all are healthy (processCondemned). */
function* condemn(
  one: Replica,
  firstUnavailable: Replica | undefined,
  judged: Judged,
  ordered: boolean,
  { pods, ref, log }: SyncTools,
): Task<Step> {
  if (isTerminating(one)) {
    if (ordered) log('waitTerminateScaleDown', { pod: one.name });
    return ordered ? STOP : GO;
  }
  if (ordered && one !== firstUnavailable) {
    const waits = !isRunningAndReady(one)
      ? 'waitReadyScaleDown'
      : isAvailable(one, judged)
        ? null
        : 'waitAvailableScaleDown';
    if (waits !== null) {
      log(waits, { pod: firstUnavailable?.name ?? '' });
      return STOP;
    }
  }
  log('scaleDown', { pod: one.name });
  return one.pod ? after(yield* pods.delete(judged.set, one.pod, ref)) : STOP;
}
