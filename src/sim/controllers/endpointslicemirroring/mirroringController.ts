import type { MicrosSpan } from '../../../base/units.ts';
import { seconds } from '../../../base/units.ts';
import { type Informer, startAll } from '../../api/informer.ts';
import { type EndpointsObject, MANAGED_BY } from '../../api/objects.ts';
import type { ClusterContext } from '../context.ts';
import { controllerInformer } from '../shared/controllerInformer.ts';
import { SliceCache } from '../shared/sliceCache.ts';
import { SliceTracker } from '../shared/sliceTracker.ts';
import { SyncQueue } from '../shared/syncQueue.ts';
import { MirrorSync, shouldMirror } from './mirrorSync.ts';

/** Back-off of a key that fails (C-032). */
const BASE_DELAY = seconds(1);
const MAX_DELAY = seconds(100);

/**
 * Copies Endpoints that people write for Services without a selector into slices (C-260).
 * Source: pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go.
 */
export class MirroringController {
  private readonly endpoints: Informer<'endpoints'>;
  private readonly slices: Informer<'endpointslices'>;
  private readonly services: Informer<'services'>;
  private readonly syncs: SyncQueue;

  constructor(context: ClusterContext) {
    this.endpoints = controllerInformer(context, 'mirroring', 'endpoints');
    this.slices = controllerInformer(context, 'mirroring', 'endpointslices');
    this.services = controllerInformer(context, 'mirroring', 'services');
    const batchPeriod = context.input.controllers.mirroring?.batchPeriod ?? (0 as MicrosSpan);
    const tracker = new SliceTracker();
    const cache = new SliceCache({
      slices: this.slices,
      managedBy: MANAGED_BY.mirroringController,
      tracker,
      onForeignChange: (key, ref) => this.syncs.queue.addAfter(key, batchPeriod, ref),
    });
    const { endpoints, services } = this;
    const sync = new MirrorSync({ context, endpoints, services, slices: cache, tracker });
    this.syncs = new SyncQueue({
      context,
      controller: 'mirroring',
      baseDelay: BASE_DELAY,
      maxDelay: MAX_DELAY,
      sync: (key, ref) => sync.syncEndpoints(key, ref),
    });
    this.handleEvents();
  }

  /** Its caches begin to fill now. */
  start(): void {
    startAll([this.endpoints, this.slices, this.services], () => this.syncs.queue.run());
  }

  private handleEvents(): void {
    const { queue } = this.syncs;
    this.services.onEvent(({ key, old, now, ref }) => {
      const lacks = [old, now].map((service) => service !== null && service.spec.selector === null);
      const counts = old && now ? lacks[0] !== lacks[1] : lacks.includes(true);
      if (counts) queue.add(key, ref);
    });
    this.endpoints.onEvent(({ key, old, now, ref }) => {
      const mirrored = (object: EndpointsObject | null): boolean => object !== null && shouldMirror(object);
      if (mirrored(old) || mirrored(now)) queue.add(key, ref);
    });
  }
}
