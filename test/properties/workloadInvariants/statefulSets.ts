/** What holds of StatefulSets (N-022). */
import type { Invariant } from '../invariant.ts';
import { place } from '../observation.ts';
import {
  isGoing,
  isOwnedBy,
  isReady,
  type SetJson,
  type Stored,
  type WorkloadObservation,
  type WorkloadPod,
} from '../workloadObservation.ts';

/** So long after a change of the spec the controller may still go by the one before, µs. */
const SPEC_LAG = 200_000;

const podsOf = (stored: Stored): readonly WorkloadPod[] =>
  [...stored.of<WorkloadPod>('pods').values()].filter((pod) => isOwnedBy(pod, 'StatefulSet'));
const ordinalOf = ({ metadata }: WorkloadPod): number => Number(metadata.name.split('-').at(-1));
const setOf = (stored: Stored): SetJson | undefined => stored.of<SetJson>('statefulsets').get('db');
const maxUnavailableOf = ({ spec }: SetJson): number => {
  const { maxUnavailable } = spec.updateStrategy.rollingUpdate;
  if (typeof maxUnavailable === 'number') return maxUnavailable;
  return Math.max(1, Math.floor((Number.parseInt(maxUnavailable, 10) * spec.replicas) / 100));
};
const isOrdered = (set: SetJson): boolean => set.spec.podManagementPolicy === 'OrderedReady';

export const STATEFUL_SET_INVARIANTS: readonly Invariant<WorkloadObservation>[] = [
  {
    name: 'OrderedReady left alone, one at a time, never scaled: never two Pods that are not ready (N-022)',
    check: (run, find) => {
      const sizes = new Set<number>();
      run.walk(({ event, resource }, stored) => {
        const set = setOf(stored);
        if (set) sizes.add(set.spec.replicas);
        if (resource !== 'pods' || !set || !run.isCalm || sizes.size > 1) return;
        if (!isOrdered(set) || maxUnavailableOf(set) > 1) return;
        const unready = podsOf(stored).filter((pod) => !isReady(pod));
        find.that(unready.length <= 1, () => `${place(event)}: ${unready.map(({ metadata }) => metadata.name)}`);
      });
    },
  },
  {
    name: 'OrderedReady left alone: a Pod is created when all below it are there and ready (N-022)',
    check: (run, find) => {
      run.walk(({ event, resource, actor, verb, now }, stored) => {
        const set = setOf(stored);
        if (resource !== 'pods' || actor !== 'statefulset' || verb !== 'create' || !set) return;
        if (!run.isCalm || !isOrdered(set) || maxUnavailableOf(set) > 1) return;
        const ordinal = ordinalOf(now as WorkloadPod);
        const below = podsOf(stored).filter((pod) => ordinalOf(pod) < ordinal && isReady(pod));
        find.that(below.length === ordinal, () => `${place(event)}: ${below.length} below ${ordinal}`);
      });
    },
  },
  {
    name: 'OrderedReady scales down from the highest Pod, when the one above it is gone (N-022)',
    check: (run, find) => {
      run.walk(({ event, resource, actor, verb, now }, stored) => {
        const set = setOf(stored);
        if (resource !== 'pods' || actor !== 'statefulset' || verb !== 'delete' || !now || !set || !isOrdered(set))
          return;
        const ordinal = ordinalOf(now as WorkloadPod);
        if (!run.isCalm || ordinal < set.spec.replicas) return;
        const above = podsOf(stored).filter((pod) => ordinalOf(pod) > ordinal);
        find.that(above.length === 0, () => `${place(event)}: ${above.map(({ metadata }) => metadata.name)}`);
      });
    },
  },
  {
    name: 'left alone, an update takes a ready Pod only while fewer than maxUnavailable are missing (N-022)',
    check: (run, find) => {
      let changedAt = Number.NEGATIVE_INFINITY;
      run.walk(({ event, resource, actor, verb, before, now }, stored) => {
        if (resource === 'statefulsets' && actor !== 'statefulset') changedAt = event.at;
        const set = setOf(stored);
        if (resource !== 'pods' || actor !== 'statefulset' || verb !== 'delete' || !now || !set || !run.isCalm) return;
        const pod = before as WorkloadPod;
        if (event.at - changedAt < SPEC_LAG || ordinalOf(pod) >= set.spec.replicas) return;
        if (!isReady(pod) || isGoing(pod)) return;
        const others = podsOf(stored).filter(
          (one) => ordinalOf(one) < set.spec.replicas && isReady(one) && !isGoing(one),
        );
        const missing = set.spec.replicas - 1 - others.length;
        find.that(missing < maxUnavailableOf(set), () => `${place(event)}: ${missing} missing beside it`);
      });
    },
  },
  {
    name: 'once nothing has happened for a while the status says what is there (N-022)',
    check: (run, find) => {
      let lastAt = 0;
      let ready = 0;
      let status: SetJson['status'] = {};
      run.walk(({ event, resource }, stored) => {
        if (resource === 'pods' || resource === 'statefulsets') lastAt = event.at;
        ready = podsOf(stored).filter((pod) => isReady(pod) && pod.status.phase === 'Running').length;
        status = setOf(stored)?.status ?? {};
      });
      if (run.horizon - lastAt < 10_000_000) return;
      find.that((status.readyReplicas ?? 0) === ready, () => `${status.readyReplicas} ready, and there are ${ready}`);
    },
  },
];
