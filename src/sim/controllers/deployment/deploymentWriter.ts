import type { Answer } from '../../api/client.ts';
import { keyOf } from '../../api/objects.ts';
import type { DeploymentObject, DeploymentStatus, ReplicaSetObject } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { WorkloadClient } from '../workloads/client.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import { type About, WorkloadEvents } from '../workloads/events.ts';
import { sameLabels, sizeAnnotations } from './revisions.ts';
import { availableSize, maxSurge, maxUnavailable, specSize } from './sizes.ts';

/** What the Deployment controller writes: sets, and the status. */
export class DeploymentWriter {
  private readonly client: WorkloadClient;
  private readonly events: WorkloadEvents;

  constructor(context: WorkloadContext) {
    this.client = new WorkloadClient(context, 'deployment');
    this.events = new WorkloadEvents(context, 'deployment');
  }

  updateStatus(deployment: DeploymentObject, status: DeploymentStatus, ref: Ref): Task<Answer<DeploymentObject>> {
    return this.client.updateStatus('deployments', { ...deployment, status }, ref);
  }

  *createSet(
    deployment: DeploymentObject,
    set: ReplicaSetObject,
    cached: Cached,
    ref: Ref,
  ): Task<Answer<ReplicaSetObject>> {
    const { replicas } = set.spec;
    const basis = basisOf(deployment, set, cached(), replicas);
    const answer = yield* this.client.create('replicasets', set, ref, { basis });
    if (!('error' in answer) && replicas > 0) this.tellScaled(deployment, set, 0, replicas, answer.ref);
    return answer;
  }

  updateSet(set: ReplicaSetObject, ref: Ref): Task<Answer<ReplicaSetObject>> {
    return this.client.update('replicasets', set, ref);
  }

  deleteSet(set: ReplicaSetObject, ref: Ref): Task<Answer<ReplicaSetObject>> {
    return this.client.delete('replicasets', set, ref);
  }

  /** Gives a set a size, and the annotations that go with the Deployment's (scaleReplicaSet). */
  *scale(
    deployment: DeploymentObject,
    set: ReplicaSetObject,
    replicas: number,
    cached: Cached,
    ref: Ref,
  ): Task<{ readonly scaled: boolean; readonly set: ReplicaSetObject; readonly error: string }> {
    const annotations = { ...set.meta.annotations, ...sizeAnnotations(deployment) };
    const resizes = set.spec.replicas !== replicas;
    if (!resizes && sameLabels(annotations, set.meta.annotations)) return { scaled: false, set, error: '' };
    const next = { ...set, meta: { ...set.meta, annotations }, spec: { ...set.spec, replicas } };
    const basis = resizes ? { basis: basisOf(deployment, set, cached(), replicas) } : {};
    const answer = yield* this.client.update('replicasets', next, ref, basis);
    if ('error' in answer) return { scaled: false, set, error: answer.error };
    if (resizes) this.tellScaled(deployment, set, set.spec.replicas, replicas, answer.ref);
    return { scaled: resizes, set: answer.object ?? set, error: '' };
  }

  /** An Event about something that went wrong. */
  tellFailure(deployment: DeploymentObject, reason: string, message: string, ref: Ref): void {
    this.events.warn(aboutOf(deployment), reason, message, ref);
  }

  private tellScaled(deployment: DeploymentObject, set: ReplicaSetObject, from: number, to: number, ref: Ref): void {
    const way = from < to ? 'up' : 'down';
    const message = `Scaled ${way} replica set ${set.meta.name} from ${from} to ${to}`;
    this.events.tell(aboutOf(deployment), 'ScalingReplicaSet', message, ref);
  }
}

const aboutOf = (deployment: DeploymentObject): About => ({
  kind: 'Deployment',
  key: keyOf(deployment),
  uid: deployment.meta.uid,
});

/** The Deployment's sets as the controller's cache has them now. */
export type Cached = () => readonly ReplicaSetObject[];

/** The arithmetic behind a write of a set, as the cache has it at the call. */
function basisOf(
  deployment: DeploymentObject,
  { meta: written }: ReplicaSetObject,
  sets: readonly ReplicaSetObject[],
  to: number,
): object {
  const from = sets.find(({ meta }) => meta.name === written.name)?.spec.replicas;
  return {
    desired: deployment.spec.replicas,
    ...(deployment.spec.strategy === 'RollingUpdate' && {
      maxSurge: maxSurge(deployment),
      maxUnavailable: maxUnavailable(deployment),
    }),
    total: specSize(sets),
    available: availableSize(sets),
    sets: sets
      .filter(({ spec, status }) => spec.replicas > 0 || status.replicas > 0)
      .toSorted((a, b) => (a.meta.name < b.meta.name ? -1 : 1))
      .map(({ meta, spec, status }) => ({
        name: meta.name,
        size: spec.replicas,
        ready: status.readyReplicas,
        available: status.availableReplicas,
      })),
    ...(from !== undefined && { from }),
    to,
  };
}
