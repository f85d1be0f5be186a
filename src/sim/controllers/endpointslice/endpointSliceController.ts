import { MICROS_PER_SECOND, type MicrosSpan } from '../../../base/units.ts';
import { type Informer, type InformerEvent, startAll } from '../../api/informer.ts';
import { LABEL, MANAGED_BY } from '../../api/objects.ts';
import { ControllerClient } from '../../api/requests.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { ClusterContext } from '../context.ts';
import { controllerInformer } from '../shared/controllerInformer.ts';
import { EventRecorder } from '../shared/eventRecorder.ts';
import { queuePodChanges } from '../shared/podChanges.ts';
import { PodIndex } from '../shared/podIndex.ts';
import { ServiceIndex } from '../shared/serviceIndex.ts';
import { SliceCache } from '../shared/sliceCache.ts';
import { SliceTracker } from '../shared/sliceTracker.ts';
import { BARE, DONE, failed, type SyncOutcome, SyncQueue } from '../shared/syncQueue.ts';
import { TriggerTimeTracker } from '../shared/triggerTime.ts';
import { Reconciler } from './reconciler.ts';
import { TopologyCache } from './topologyCache.ts';

/** Back-off of a Service that fails, and the least wait after somebody else changed a slice (C-032, C-213). */
const BASE_DELAY = MICROS_PER_SECOND as MicrosSpan;
const MAX_DELAY = (1000 * MICROS_PER_SECOND) as MicrosSpan;
const SLICE_CHANGE_DELAY = MICROS_PER_SECOND as MicrosSpan;

/**
 * Keeps the EndpointSlices of Services with a selector (C-200 to C-232).
 * Source: pkg/controller/endpointslice/endpointslice_controller.go.
 */
export class EndpointSliceController {
  private readonly context: ClusterContext;
  private readonly pods: Informer<'pods'>;
  private readonly services: Informer<'services'>;
  private readonly slices: Informer<'endpointslices'>;
  private readonly nodes: Informer<'nodes'>;
  private readonly podIndex: PodIndex;
  private readonly sliceCache: SliceCache;
  private readonly work: SyncQueue;
  private readonly tracker = new SliceTracker();
  private readonly triggerTimes = new TriggerTimeTracker();
  private readonly topology = new TopologyCache();
  private readonly events: EventRecorder;
  private readonly reconciler: Reconciler;
  /** What changed of the nodes since the zones' shares were taken. */
  private nodeChanges: Ref[] = [];
  private isRunning = false;

  constructor(context: ClusterContext) {
    this.context = context;
    this.pods = controllerInformer(context, 'endpointslices', 'pods');
    this.services = controllerInformer(context, 'endpointslices', 'services');
    this.slices = controllerInformer(context, 'endpointslices', 'endpointslices');
    this.nodes = controllerInformer(context, 'endpointslices', 'nodes');
    this.podIndex = new PodIndex(this.pods);
    this.events = new EventRecorder(context, 'endpointslices');
    this.work = new SyncQueue({
      context,
      controller: 'endpointslices',
      baseDelay: BASE_DELAY,
      maxDelay: MAX_DELAY,
      sync: (key, ref) => this.sync(key, ref),
    });
    this.reconciler = new Reconciler({
      context,
      client: new ControllerClient(context, 'endpointslices'),
      tracker: this.tracker,
      topology: this.topology,
      events: this.events,
      nodes: this.nodes,
      log: (service, message, values, cause) => this.log(service, message, values, [cause]),
    });
    this.sliceCache = this.listen();
  }

  /** Its caches begin to fill now. */
  start(): void {
    startAll([this.pods, this.services, this.slices, this.nodes], () => {
      this.isRunning = true;
      this.checkNodes();
      this.work.queue.run();
    });
  }

  /** Handlers; indexes come before those that ask them. */
  private listen(): SliceCache {
    const { queue } = this.work;
    const { context, pods, slices, tracker } = this;
    const services = new ServiceIndex(this.services);
    this.services.onEvent(({ key, ref }) => queue.add(key, ref));
    queuePodChanges({ context, controller: 'endpointslices', pods, services, queue });
    this.nodes.onEvent((event) => this.onNode(event));
    const { batchPeriod } = context.input.controllers.endpointslices;
    const delay = Math.max(SLICE_CHANGE_DELAY, batchPeriod) as MicrosSpan;
    return new SliceCache({
      slices,
      managedBy: MANAGED_BY.endpointSliceController,
      tracker,
      onForeignChange: (service, ref) => queue.addAfter(service, delay, ref),
    });
  }

  /** C-210. */
  private *sync(key: string, ref: Ref): Task<SyncOutcome> {
    const service = this.services.get(key);
    if (!service) {
      this.triggerTimes.forget(key);
      this.tracker.forget(key);
      return BARE;
    }
    const { selector, type } = service.spec;
    if (type === 'ExternalName' || !selector) return BARE;
    const pods = this.podIndex.matching(service.meta.namespace, selector);
    const slices = this.sliceCache.slicesOf(key).filter(({ meta }) => meta.deletionTimestamp === null);
    if (this.tracker.isStale(key, slices)) return failed('EndpointSlice informer cache is out of date');
    const triggerTime = this.triggerTimes.next(service, pods);
    const error = yield* this.reconciler.reconcile({ service, pods, slices, triggerTime, ref });
    if (error === '') return DONE;
    const message = `Error updating Endpoint Slices for Service ${key}: ${error}`;
    const about = { key, kind: 'Service', uid: service.meta.uid } as const;
    this.events.record({ ...about, eventType: 'Warning', reason: 'FailedToUpdateEndpointSlices', message }, ref);
    return failed(error);
  }

  /** Nodes matter to hints only: when they come, go, turn ready or not ready, or change their zone. */
  private onNode({ old, now, ref }: InformerEvent<'nodes'>): void {
    const isSame = old && now && (old.ready === 'True') === (now.ready === 'True') && zoneOf(old) === zoneOf(now);
    if (isSame) return;
    this.nodeChanges.push(ref);
    if (this.nodeChanges.length === 1 && this.isRunning)
      this.context.kernel.post('controller', () => this.checkNodes());
  }

  /** Takes the zones' shares anew, and syncs the Services that have too few endpoints in one (C-232). */
  private checkNodes(): void {
    const causes = this.nodeChanges;
    if (causes.length === 0) return;
    this.nodeChanges = [];
    const lacking = this.topology.setNodes([...this.nodes.values()]);
    if (lacking) this.log('', "Can't get CPU or zone information for node", { node: lacking.meta.name }, causes);
    for (const key of this.topology.overloadedServices())
      this.work.queue.add(key, this.log(key, 'Queuing Service after Node change due to overloading', {}, causes));
  }

  private log(service: string, message: string, values: object, causes: readonly Ref[]): Ref {
    const { trace, kernel } = this.context;
    const payload = { message, values: JSON.stringify(values) };
    return trace.event('controllerLog', kernel.now, this.work.subjectOf(service), payload, causes);
  }
}

const zoneOf = ({ meta }: { readonly meta: { readonly labels: Readonly<Record<string, string>> } }): string =>
  meta.labels[LABEL.zone] ?? '';
