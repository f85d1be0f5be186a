import type { Labels } from '../../api/objects.ts';
import { type DeploymentObject, type ReplicaSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import { maxSurge } from './sizes.ts';

export const revisionOf = ({ meta }: { readonly meta: { readonly annotations: Labels } }): number =>
  Number(meta.annotations[WORKLOAD.revision] ?? 0) || 0;

/** Older first. */
export const byCreation = (sets: readonly ReplicaSetObject[]): readonly ReplicaSetObject[] =>
  sets.toSorted((a, b) => a.meta.creationTimestamp - b.meta.creationTimestamp || (a.meta.name < b.meta.name ? -1 : 1));

/** The set of the Deployment's present template; the oldest if there are several (FindNewReplicaSet). */
export const findNewSet = ({ spec }: DeploymentObject, sets: readonly ReplicaSetObject[]): ReplicaSetObject | null =>
  byCreation(sets).find((set) => set.spec.template.text === spec.template.text) ?? null;

/** Sizes that a set's annotations should say. */
export const sizeAnnotations = (deployment: DeploymentObject): Labels => ({
  [WORKLOAD.desiredReplicas]: String(deployment.spec.replicas),
  [WORKLOAD.maxReplicas]: String(deployment.spec.replicas + maxSurge(deployment)),
});

/** Annotations of a Deployment that its sets do not get. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  WORKLOAD.revision,
  WORKLOAD.revisionHistory,
  WORKLOAD.desiredReplicas,
  WORKLOAD.maxReplicas,
  'deprecated.deployment.rollback.to',
]);

/** Longest list of former revisions. */
const LONGEST_HISTORY = 2000;

/** The new set's annotations (SetNewReplicaSetAnnotations): the Deployment's, its revision, and its former revisions. */
export function annotationsOf(
  deployment: DeploymentObject,
  annotations: Labels,
  revision: number,
  exists: boolean,
): Labels {
  const copied = Object.entries(deployment.meta.annotations).filter(([key]) => !NOT_COPIED.has(key));
  const next: Record<string, string> = { ...annotations, ...Object.fromEntries(copied) };
  const old = annotations[WORKLOAD.revision];
  if ((Number(old ?? 0) || 0) < revision) {
    next[WORKLOAD.revision] = String(revision);
    if (old !== undefined) {
      const history = annotations[WORKLOAD.revisionHistory];
      next[WORKLOAD.revisionHistory] = (history ? `${history},${old}` : old).slice(-LONGEST_HISTORY);
    }
  }
  return exists ? next : { ...next, ...sizeAnnotations(deployment) };
}

export const sameLabels = (a: Labels, b: Labels): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([key, value]) => b[key] === value);
