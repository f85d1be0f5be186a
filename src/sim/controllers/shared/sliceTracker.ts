import { type EndpointSliceObject, LABEL } from '../../api/objects.ts';

/** Stands for a generation: this slice should be gone. */
const DELETION_EXPECTED = -1;

/** `namespace/name` of the Service that a slice says it belongs to. */
export const serviceKeyOf = ({ meta }: EndpointSliceObject): string =>
  `${meta.namespace}/${meta.labels[LABEL.serviceName] ?? ''}`;

/**
 * What a controller has written of each Service's slices, so that it can tell an old cache, and somebody else's change
 * from its own (C-211, C-213).
 * Source: k8s.io/endpointslice/util/endpointslice_tracker.go.
 */
export class SliceTracker {
  /** By Service: generation by the slice's UID. */
  private readonly services = new Map<string, Map<string, number>>();

  /** Whether this slice was written by the controller. */
  has(slice: EndpointSliceObject): boolean {
    return this.services.get(serviceKeyOf(slice))?.has(slice.meta.uid) ?? false;
  }

  /** Whether this version of a slice is news. */
  shouldSync(slice: EndpointSliceObject): boolean {
    const generation = this.services.get(serviceKeyOf(slice))?.get(slice.meta.uid);
    return generation === undefined || slice.meta.generation > generation;
  }

  /** Whether the cached slices of a Service are older than what was written. */
  isStale(service: string, slices: readonly EndpointSliceObject[]): boolean {
    const generations = this.services.get(service);
    if (!generations) return false;
    const listed = new Set<string>();
    for (const { meta } of slices) {
      listed.add(meta.uid);
      const generation = generations.get(meta.uid);
      if (generation === DELETION_EXPECTED || (generation ?? 0) > meta.generation) return true;
    }
    for (const [uid, generation] of generations) {
      if (generation !== DELETION_EXPECTED && !listed.has(uid)) return true;
    }
    return false;
  }

  /** The controller has written this version. */
  update(slice: EndpointSliceObject): void {
    this.set(slice, slice.meta.generation);
  }

  /** The controller has deleted this slice. */
  expectDeletion(slice: EndpointSliceObject): void {
    this.set(slice, DELETION_EXPECTED);
  }

  /** A slice is gone; false if the controller knew it and had not deleted it. */
  handleDeletion(slice: EndpointSliceObject): boolean {
    const generations = this.services.get(serviceKeyOf(slice));
    const generation = generations?.get(slice.meta.uid);
    generations?.delete(slice.meta.uid);
    return generation === undefined || generation === DELETION_EXPECTED;
  }

  /** The Service is gone. */
  forget(service: string): void {
    this.services.delete(service);
  }

  private set(slice: EndpointSliceObject, generation: number): void {
    const key = serviceKeyOf(slice);
    const generations = this.services.get(key);
    if (generations) generations.set(slice.meta.uid, generation);
    else this.services.set(key, new Map([[slice.meta.uid, generation]]));
  }
}
