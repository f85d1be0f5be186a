/** Which ReplicaSets belong to a Deployment. */
import type { TraceReader } from '../../sim/trace/reader.ts';
import { historyOf, storedKeys } from '../../sim/trace/storedObjects.ts';

const known = new WeakMap<TraceReader, ReadonlyMap<string, readonly string[]>>();

/** Keys of the ReplicaSets of a Deployment (`namespace/name`), in the order in which they were made. */
export function replicaSetsOf(reader: TraceReader, deployment: string): readonly string[] {
  let byOwner = known.get(reader);
  if (byOwner === undefined) {
    byOwner = indexOwners(reader);
    known.set(reader, byOwner);
  }
  return byOwner.get(deployment) ?? [];
}

function indexOwners(reader: TraceReader): ReadonlyMap<string, readonly string[]> {
  const byOwner = new Map<string, string[]>();
  for (const key of storedKeys(reader, 'replicasets')) {
    const owner = deploymentOf(reader, key);
    if (owner !== null) byOwner.set(owner, [...(byOwner.get(owner) ?? []), key]);
  }
  return byOwner;
}

/** The Deployment that made a ReplicaSet; null for one that nobody owns. */
export function deploymentOf(reader: TraceReader, replicaSet: string): string | null {
  const [first] = historyOf(reader, 'replicasets', replicaSet);
  const owner = first?.object?.metadata.ownerReferences?.find(({ kind }) => kind === 'Deployment');
  return owner === undefined ? null : `${replicaSet.slice(0, replicaSet.indexOf('/'))}/${owner.name}`;
}
