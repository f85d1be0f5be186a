import { MICROS_PER_SECOND } from '../../../base/units.ts';
import { type ApiPod, isPodReady, readyConditionOf } from '../../api/apiPod.ts';
import { WORKLOAD } from '../../api/workloadObjects.ts';

/** A Pod that may be deleted. `colocated`: active Pods of all sets of its owner on its node. */
export interface Candidate {
  readonly pod: ApiPod;
  readonly colocated: number;
}

const PHASE_ORDER = { Pending: 0, Unknown: 1, Running: 2, Succeeded: 3, Failed: 3 } as const;

/** The deletion cost that an annotation gives, 0 without one. */
const deletionCostOf = ({ annotations }: ApiPod): number => Number(annotations[WORKLOAD.deletionCost] ?? 0) || 0;

const restartsOf = ({ status }: ApiPod): number =>
  Math.max(0, ...status.containerStatuses.map(({ restartCount }) => restartCount));

/**
 * Which of two Pods goes first: negative for `a` (N-021). Not a strict order: Pods that are ready since one second and
 * created in one second are equal. `now` is the wall clock, µs since the Unix epoch.
 * Source: pkg/controller/controller_utils.go ActivePodsWithRanks.Less.
 */
export function compareVictims(a: Candidate, b: Candidate, now: number): number {
  const [p, q] = [a.pod, b.pod];
  const readySince = (pod: ApiPod): number => readyConditionOf(pod)?.lastTransitionTime ?? 0;
  return (
    Number(p.input.node !== '') - Number(q.input.node !== '') ||
    PHASE_ORDER[p.status.phase] - PHASE_ORDER[q.status.phase] ||
    Number(isPodReady(p)) - Number(isPodReady(q)) ||
    deletionCostOf(p) - deletionCostOf(q) ||
    b.colocated - a.colocated ||
    (isPodReady(p) && isPodReady(q) ? compareAges(readySince(p), readySince(q), p, q, now) : 0) ||
    restartsOf(q) - restartsOf(p) ||
    compareAges(createdAt(p), createdAt(q), p, q, now)
  );
}

/** Younger first, in powers of two of the age; in one power the lower UID. Equal seconds are equal. */
function compareAges(since: number, other: number, p: ApiPod, q: ApiPod, now: number): number {
  if (since === other) return 0;
  const rank = (seconds: number): number => {
    const age = (now - seconds * MICROS_PER_SECOND) * 1000;
    return age > 0 ? Math.trunc(Math.log2(age)) : -1;
  };
  return rank(since) - rank(other) || (p.input.uid < q.input.uid ? -1 : 1);
}

const createdAt = (pod: ApiPod): number => pod.creationTimestamp;

/** Candidates of which at least two are equal in everything that is compared: the cache's order decides. */
export const hasTies = (candidates: readonly Candidate[], now: number): boolean =>
  candidates.some((a, i) => candidates.slice(i + 1).some((b) => compareVictims(a, b, now) === 0));
