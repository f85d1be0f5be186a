import type { ApiPod } from '../../api/apiPod.ts';
import { isPodReady } from '../../api/apiPod.ts';
import { isTerminal } from '../../api/podStatus.ts';
import { type ControllerRevisionObject, type StatefulSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import { type AvailabilityClock, untilAvailable } from '../workloads/pods.ts';

/** One place of a StatefulSet: its Pod, or what the Pod will be. */
export interface Replica {
  readonly name: string;
  readonly ordinal: number;
  /** Null: it is not there. */
  readonly pod: ApiPod | null;
  /** The revision that its Pod has or will have. */
  readonly revision: string;
}

/** What a sync goes by: the set, its two revisions, and the instant at which Pods are judged. */
export interface Judged {
  readonly set: StatefulSetObject;
  readonly current: ControllerRevisionObject;
  readonly update: ControllerRevisionObject;
  readonly clock: AvailabilityClock;
}

/** The number behind the last dash of a Pod's name; -1 without one (getOrdinal). */
const ordinalOf = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? -1);

/** A Pod's revision; '' without one (getPodRevision). */
export const podRevision = ({ labels }: ApiPod): string => labels[WORKLOAD.controllerRevisionHash] ?? '';

export const isTerminating = ({ pod }: Replica): boolean => pod !== null && pod.deletionTimestamp !== null;
export const hasEnded = ({ pod }: Replica): boolean => pod !== null && isTerminal(pod.status.phase);
export const isRunningAndReady = ({ pod }: Replica): boolean =>
  pod !== null && pod.status.phase === 'Running' && isPodReady(pod);
export const isAvailable = ({ pod }: Replica, { set, clock }: Judged): boolean =>
  pod !== null && untilAvailable(pod, set.spec.minReadySeconds, clock) === 0;
export const isUnavailable = (replica: Replica, judged: Judged): boolean =>
  !isAvailable(replica, judged) || isTerminating(replica);

const heldBy = (pod: ApiPod): Replica => ({
  name: pod.input.name,
  ordinal: ordinalOf(pod.input.name),
  pod,
  revision: podRevision(pod),
});

/**
 * The set's places in order, and the Pods beyond them, highest first. A missing Pod below the partition will have the
 * current revision (newVersionedStatefulSetPod).
 */
export function replicasOf(
  { set, current, update }: Judged,
  pods: readonly ApiPod[],
): { readonly replicas: readonly Replica[]; readonly condemned: readonly Replica[] } {
  const { replicas: count, updateStrategy, partition } = set.spec;
  const held = pods.map(heldBy);
  const isOld = (ordinal: number): boolean => updateStrategy === 'RollingUpdate' && ordinal < partition;
  const replicas = Array.from({ length: count }, (_, ordinal): Replica => {
    const revision = (isOld(ordinal) ? current : update).meta.name;
    return (
      held.find((one) => one.ordinal === ordinal) ?? {
        name: `${set.meta.name}-${ordinal}`,
        ordinal,
        pod: null,
        revision,
      }
    );
  });
  const condemned = held.filter(({ ordinal }) => ordinal >= count).toSorted((a, b) => b.ordinal - a.ordinal);
  return { replicas, condemned };
}
