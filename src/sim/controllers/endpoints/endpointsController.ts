import { milliseconds, seconds } from '../../../base/units.ts';
import { type Informer, startAll } from '../../api/informer.ts';
import { ANNOTATION, keyOf } from '../../api/objects.ts';
import type { Ref } from '../../trace/ref.ts';
import type { ClusterContext } from '../context.ts';
import { controllerInformer } from '../shared/controllerInformer.ts';
import { queuePodChanges } from '../shared/podChanges.ts';
import { PodIndex } from '../shared/podIndex.ts';
import { ServiceIndex } from '../shared/serviceIndex.ts';
import { SyncQueue } from '../shared/syncQueue.ts';
import { EndpointsSync } from './syncService.ts';

/** workqueue.DefaultTypedControllerRateLimiter (C-032). */
const BASE_DELAY = milliseconds(5);
const MAX_DELAY = seconds(1000);

/**
 * Keeps the Endpoints object of each Service with a selector (C-100 to C-102).
 * Source: pkg/controller/endpoint/endpoints_controller.go.
 */
export class EndpointsController {
  private readonly pods: Informer<'pods'>;
  private readonly services: Informer<'services'>;
  private readonly endpoints: Informer<'endpoints'>;
  private readonly syncs: SyncQueue;

  constructor(context: ClusterContext) {
    this.pods = controllerInformer(context, 'endpoints', 'pods');
    this.services = controllerInformer(context, 'endpoints', 'services');
    this.endpoints = controllerInformer(context, 'endpoints', 'endpoints');
    const podIndex = new PodIndex(this.pods);
    const { pods, services, endpoints } = this;
    const sync = new EndpointsSync({ context, services, endpoints, pods: podIndex });
    this.syncs = new SyncQueue({
      context,
      controller: 'endpoints',
      baseDelay: BASE_DELAY,
      maxDelay: MAX_DELAY,
      sync: (key, ref) => sync.syncService(key, ref),
    });
    const { queue } = this.syncs;
    const serviceIndex = new ServiceIndex(services);
    services.onEvent(({ key, ref }) => queue.add(key, ref));
    queuePodChanges({ context, controller: 'endpoints', pods, services: serviceIndex, queue });
    endpoints.onEvent(({ key, now, ref }) => {
      if (!now) queue.add(key, ref);
    });
  }

  /** Its caches begin to fill now. */
  start(): void {
    startAll([this.pods, this.services, this.endpoints], (ref) => {
      this.syncs.queue.run();
      this.checkLeftovers(ref);
    });
  }

  /** Endpoints whose Service went while no controller ran are found once, at the start; those of a leader election are no Service's. */
  private checkLeftovers(ref: Ref): void {
    for (const object of this.endpoints.values()) {
      if (!(ANNOTATION.leader in object.meta.annotations)) this.syncs.queue.add(keyOf(object), ref);
    }
  }
}
