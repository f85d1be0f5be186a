import { type NodeObject, type Taint, type TaintEffect, type Toleration, tolerates } from '../../api/objects.ts';
import type { DaemonSetObject } from '../../api/workloadObjects.ts';

/** Taints that no Pod of a DaemonSet minds. */
const TOLERATED: readonly (readonly [string, TaintEffect])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];
const OWN = TOLERATED.map(
  ([key, effect]): Toleration => ({ key, operator: 'Exists', value: '', effect, tolerationSeconds: null }),
);

/** The template's tolerations and those of every DaemonSet, which take the place of like ones (AddOrUpdateDaemonPodTolerations). */
export function daemonTolerations({ spec }: DaemonSetObject): readonly Toleration[] {
  const isOwn = ({ key, operator, effect }: Toleration): boolean =>
    OWN.some((one) => one.key === key && one.operator === operator && one.effect === effect);
  return [...spec.template.pod.tolerations.filter((one) => !isOwn(one)), ...OWN];
}

/**
 * Whether a DaemonSet wants a Pod on a node, and whether one that is there may stay: a NoSchedule taint does not drive it
 * away. Source: pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod.
 */
export function placementOn(
  { taints }: NodeObject,
  tolerations: readonly Toleration[],
): { readonly runs: boolean; readonly stays: boolean } {
  const isFree = (counts: (taint: Taint) => boolean): boolean =>
    taints.every((taint) => !counts(taint) || tolerates(tolerations, taint));
  return {
    runs: isFree(({ effect }) => effect !== 'PreferNoSchedule'),
    stays: isFree(({ effect }) => effect === 'NoExecute'),
  };
}
