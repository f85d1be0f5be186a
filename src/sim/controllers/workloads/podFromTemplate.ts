import type { Labels, OwnerRef } from '../../api/objects.ts';
import type { PodTemplate } from '../../api/workloadObjects.ts';
import type { PodInput } from '../../scenario.ts';

interface Place {
  readonly namespace: string;
  /** '' when the API server makes the name. */
  readonly name: string;
  readonly node: string;
  readonly owner: OwnerRef;
  /** On top of the template's labels. */
  readonly labels?: Labels;
}

/** The Pod that a workload asks for; its identity is whole once it is named (PodNames). Source: pkg/controller/controller_utils.go GetPodFromTemplate. */
export const podFromTemplate = (
  { identity, pod, labels }: PodTemplate,
  { namespace, name, node, owner, labels: more }: Place,
): PodInput => ({
  ...pod,
  identity: identity ?? `${namespace}/${name}`,
  namespace,
  name,
  uid: '',
  node,
  labels: { ...labels, ...more },
  createdAt: NEVER,
  owner,
});

/** Pods of workloads are created by their controllers, not at an instant of the scenario. */
const NEVER = Number.NaN as PodInput['createdAt'];
