import type { ApiPod } from '../../api/apiPod.ts';
import type { Informer } from '../../api/informer.ts';
import { informerOf, type WorkloadContext } from '../workloads/context.ts';

/** How many Pods the owners of Pods want. Source: pkg/controller/disruption/disruption.go getExpectedScale, finders. */
export class OwnerScales {
  private readonly deployments: Informer<'deployments'>;
  private readonly replicaSets: Informer<'replicasets'>;
  private readonly statefulSets: Informer<'statefulsets'>;

  constructor(context: WorkloadContext) {
    this.deployments = informerOf(context, 'disruption', 'deployments');
    this.replicaSets = informerOf(context, 'disruption', 'replicasets');
    this.statefulSets = informerOf(context, 'disruption', 'statefulsets');
  }

  get informers(): readonly Pick<Informer<never>, 'start'>[] {
    return [this.deployments, this.replicaSets, this.statefulSets];
  }

  /** The sum over all owners; Pods without one do not count. */
  of(pods: readonly ApiPod[]): { readonly scale: number } | { readonly error: string } {
    const scales = new Map<string, number>();
    for (const pod of pods) {
      if (!pod.input.owner) continue;
      const found = this.ownerOf(pod);
      if (!found) return { error: `found no controllers for pod "${pod.input.name}"` };
      scales.set(found.meta.uid, found.spec.replicas);
    }
    return { scale: [...scales.values()].reduce((sum, scale) => sum + scale, 0) };
  }

  /** The Deployment behind a ReplicaSet, or the set itself. */
  private ownerOf({ input }: ApiPod): Scaled | null {
    const { owner, namespace } = input;
    const named = <T extends Scaled>(
      sets: { get(key: string): T | undefined },
      name: string,
      uid: string,
    ): T | null => {
      const found = sets.get(`${namespace}/${name}`);
      return found?.meta.uid === uid ? found : null;
    };
    if (owner?.kind === 'StatefulSet') return named(this.statefulSets, owner.name, owner.uid);
    if (owner?.kind !== 'ReplicaSet') return null;
    const set = named(this.replicaSets, owner.name, owner.uid);
    const [kind, name = ''] = set?.meta.ownerName.split('/') ?? [];
    return kind === 'Deployment' && set ? named(this.deployments, name, set.meta.ownerUid) : set;
  }
}

interface Scaled {
  readonly meta: { readonly uid: string };
  readonly spec: { readonly replicas: number };
}
