import { type ApiPod, isPodReady, readyConditionOf } from '../../api/apiPod.ts';
import { type ReplicaSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import { type Candidate, compareVictims, hasTies } from './victims.ts';

/** What a choice saw of one Pod, for the log. */
interface Described {
  readonly pod: string;
  readonly phase: string;
  /** Null while nobody has said. */
  readonly ready: boolean | null;
  readonly node: string;
  readonly colocated: number;
  readonly uid: string;
  /** As the annotation has it; '' without one. */
  readonly deletionCost: string;
  /** Wall-clock seconds. */
  readonly created: number;
  readonly readySince: number | null;
}

interface Choice {
  readonly candidates: readonly Described[];
  readonly victims: readonly ApiPod[];
}

/** The `count` Pods of `active` that a ReplicaSet deletes; among equals chance decides (N-021, R-9). */
export function chooseVictims(
  { kernel, wall, draws }: WorkloadContext,
  set: ReplicaSetObject,
  active: readonly ApiPod[],
  relatives: readonly ApiPod[],
  count: number,
): Choice {
  const colocatedOn = new Map<string, number>();
  for (const { input } of relatives) colocatedOn.set(input.node, (colocatedOn.get(input.node) ?? 0) + 1);
  const byName = active.toSorted((a, b) => (a.input.name < b.input.name ? -1 : 1));
  const all = byName.map((pod): Candidate => ({ pod, colocated: colocatedOn.get(pod.input.node) ?? 0 }));
  const candidates = all.map(describe);
  if (count >= all.length) return { candidates, victims: byName };
  const now = wall.epoch + kernel.now;
  const sorted = (from: readonly Candidate[]): readonly ApiPod[] =>
    from.toSorted((a, b) => compareVictims(a, b, now)).map(({ pod }) => pod);
  if (!hasTies(all, now)) return { candidates, victims: sorted(all).slice(0, count) };
  const draw = `replicaset/victims/${set.meta.namespace}/${set.meta.name}@${kernel.now}`;
  const names = byName.map(({ input }) => input.name);
  const told = draws.told(draw, kernel.now)?.split(', ');
  const order = told ?? draws.order(`${draw}/cache`, kernel.now, names);
  const inOrder = order.flatMap((name) => all.filter(({ pod }) => pod.input.name === name));
  return { candidates, victims: told ? inOrder.map(({ pod }) => pod) : sorted(inOrder).slice(0, count) };
}

const describe = ({ pod, colocated }: Candidate): Described => ({
  pod: pod.input.name,
  phase: pod.status.phase,
  ready: readyConditionOf(pod) ? isPodReady(pod) : null,
  node: pod.input.node,
  colocated,
  uid: pod.input.uid,
  deletionCost: pod.annotations[WORKLOAD.deletionCost] ?? '',
  created: pod.creationTimestamp,
  readySince: isPodReady(pod) ? (readyConditionOf(pod)?.lastTransitionTime ?? null) : null,
});
