import type { Informer, InformerEvent } from '../../api/informer.ts';
import { type EndpointSliceObject, LABEL } from '../../api/objects.ts';
import type { Ref } from '../../trace/ref.ts';
import { type SliceTracker, serviceKeyOf } from './sliceTracker.ts';

interface SliceCacheOptions {
  readonly slices: Informer<'endpointslices'>;
  /** Value of the managed-by label of the slices that the controller owns. */
  readonly managedBy: string;
  readonly tracker: SliceTracker;
  /** A change of a Service's slices that is not the controller's own. */
  readonly onForeignChange: (service: string, ref: Ref) => void;
}

/**
 * A controller's cached slices by their Services, and which of their changes concern it (C-213).
 * Source: the EndpointSlice handlers, alike in pkg/controller/endpointslice and endpointslicemirroring.
 */
export class SliceCache {
  private readonly options: SliceCacheOptions;
  private readonly byService = new Map<string, Set<string>>();

  constructor(options: SliceCacheOptions) {
    this.options = options;
    options.slices.onEvent((event) => {
      this.index(event);
      this.judge(event);
    });
  }

  /** The Service's slices that the controller manages. */
  slicesOf(service: string): readonly EndpointSliceObject[] {
    const { slices } = this.options;
    return [...(this.byService.get(service) ?? [])].flatMap((key) => {
      const slice = slices.get(key);
      return slice && this.isOwn(slice) ? [slice] : [];
    });
  }

  private index({ key, old, now }: InformerEvent<'endpointslices'>): void {
    const before = old && serviceKeyOf(old);
    const after = now && serviceKeyOf(now);
    if (before === after) return;
    if (before !== null) this.byService.get(before)?.delete(key);
    if (after === null) return;
    const keys = this.byService.get(after);
    if (keys) keys.add(key);
    else this.byService.set(after, new Set([key]));
  }

  private judge({ old, now, ref }: InformerEvent<'endpointslices'>): void {
    const { tracker } = this.options;
    if (!now) {
      if (old && this.isOwn(old) && tracker.has(old) && !tracker.handleDeletion(old)) this.tell(old, ref);
      return;
    }
    if (old && serviceKeyOf(old) !== serviceKeyOf(now)) {
      this.tell(now, ref);
      this.tell(old, ref);
      return;
    }
    const changesHands = old !== null && this.isOwn(old) !== this.isOwn(now);
    if (changesHands || (this.isOwn(now) && tracker.shouldSync(now))) this.tell(now, ref);
  }

  private isOwn({ meta }: EndpointSliceObject): boolean {
    return meta.labels[LABEL.sliceManagedBy] === this.options.managedBy;
  }

  private tell(slice: EndpointSliceObject, ref: Ref): void {
    if (slice.meta.labels[LABEL.serviceName]) this.options.onForeignChange(serviceKeyOf(slice), ref);
  }
}
