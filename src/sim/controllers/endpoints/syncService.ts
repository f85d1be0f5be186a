import { sameData } from '../../../base/equal.ts';
import type { Informer } from '../../api/informer.ts';
import { type EndpointSubset, type EndpointsObject, keyOf, type ServiceObject } from '../../api/objects.ts';
import { ControllerClient } from '../../api/requests.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { ClusterContext } from '../context.ts';
import { EventRecorder } from '../shared/eventRecorder.ts';
import type { PodIndex } from '../shared/podIndex.ts';
import { subjectsOf } from '../shared/subjects.ts';
import { BARE, DONE, failed, type SyncOutcome } from '../shared/syncQueue.ts';
import { TriggerTimeTracker, withTriggerTime } from '../shared/triggerTime.ts';
import { fitCapacity, isCapacityNoted } from './capacity.ts';
import { type Desired, desiredAddresses } from './desired.ts';
import { areLabelsRight, endpointsLabels } from './labels.ts';
import { packSubsets, repackSubsets } from './repack.ts';

interface EndpointsSyncOptions {
  readonly context: ClusterContext;
  readonly services: Informer<'services'>;
  readonly endpoints: Informer<'endpoints'>;
  readonly pods: PodIndex;
}

/**
 * One sync of a Service's Endpoints object (C-120).
 * Source: pkg/controller/endpoint/endpoints_controller.go syncService.
 */
export class EndpointsSync {
  private readonly options: EndpointsSyncOptions;
  private readonly client: ControllerClient;
  private readonly recorder: EventRecorder;
  private readonly subjectOf: (key: string) => number;
  private readonly triggers = new TriggerTimeTracker();
  /** By Service: the version that the last update replaced. A cache that still has it is out of date. */
  private readonly replaced = new Map<string, number>();

  constructor(options: EndpointsSyncOptions) {
    this.options = options;
    this.client = new ControllerClient(options.context, 'endpoints');
    this.recorder = new EventRecorder(options.context, 'endpoints');
    this.subjectOf = subjectsOf(options.context, 'endpoints', 'object');
  }

  *syncService(key: string, ref: Ref): Task<SyncOutcome> {
    const { services, endpoints, pods } = this.options;
    const service = services.get(key);
    if (!service) return yield* this.deleteEndpoints(key, ref);
    const { type, selector } = service.spec;
    if (type === 'ExternalName' || !selector) return BARE;
    const selected = pods.matching(service.meta.namespace, selector);
    const trigger = this.triggers.next(service, selected);
    const desired = desiredAddresses(service, selected);
    const subsets = packSubsets(desired.facts);
    const current = endpoints.get(key) ?? null;
    const version = current?.meta.resourceVersion;
    if (current && version === this.replaced.get(key))
      return failed(
        `endpoints informer cache is out of date, resource version ${version} already processed for endpoints ${key}`,
      );
    const isEqual = current !== null && this.isUpToDate(current, service, subsets);
    this.compared(key, isEqual, desired, ref);
    return isEqual ? DONE : yield* this.write(service, current, subsets, trigger, ref);
  }

  /** The Service is gone. */
  private *deleteEndpoints(key: string, ref: Ref): Task<SyncOutcome> {
    const [namespace = '', name = ''] = key.split('/');
    const answer = yield* this.client.send('delete', 'endpoints', newEndpoints(namespace, name), ref);
    if ('error' in answer && answer.code !== 404) return { error: answer.error, isBare: true };
    this.triggers.forget(key);
    this.replaced.delete(key);
    return BARE;
  }

  private isUpToDate(current: EndpointsObject, service: ServiceObject, subsets: readonly EndpointSubset[]): boolean {
    const { minor } = this.options.context;
    return (
      (sameData(current.subsets, subsets) || sameData(repackSubsets(current.subsets), subsets)) &&
      areLabelsRight(current.meta.labels, service, minor) &&
      isCapacityNoted(current.subsets, current.meta.annotations, minor)
    );
  }

  private compared(key: string, isEqual: boolean, { ready, notReady }: Desired, ref: Ref): void {
    const { trace, kernel } = this.options.context;
    trace.event('endpointsCompared', kernel.now, this.subjectOf(key), { isEqual: isEqual ? 1 : 0, ready, notReady }, [
      ref,
    ]);
  }

  private *write(
    service: ServiceObject,
    current: EndpointsObject | null,
    subsets: readonly EndpointSubset[],
    trigger: number | null,
    ref: Ref,
  ): Task<SyncOutcome> {
    const { minor } = this.options.context;
    const { namespace, name } = service.meta;
    const base = current ?? newEndpoints(namespace, name);
    const fitted = fitCapacity(subsets, withTriggerTime(base.meta.annotations, trigger), minor);
    const meta = { ...base.meta, labels: endpointsLabels(service, minor), annotations: fitted.annotations };
    const verb = current ? 'update' : 'create';
    const answer = yield* this.client.send(verb, 'endpoints', { meta, subsets: fitted.subsets }, ref);
    if ('error' in answer) {
      this.complain(base, verb, answer.error, answer.ref);
      return failed(answer.error);
    }
    const before = current?.meta.resourceVersion;
    // Kept since 1.32 (PRs 125675, 127417); an update that changes nothing leaves the version as it was.
    if (minor >= 32 && before !== undefined && answer.object?.meta.resourceVersion !== before)
      this.replaced.set(keyOf(service), before);
    return DONE;
  }

  /** Says that a write failed (C-122, C-123). */
  private complain(endpoints: EndpointsObject, verb: 'create' | 'update', error: string, ref: Ref): void {
    const key = keyOf(endpoints);
    const about = { key, kind: 'Endpoints', uid: endpoints.meta.uid, eventType: 'Warning' } as const;
    const what =
      verb === 'create'
        ? { reason: 'FailedToCreateEndpoint', message: `Failed to create endpoint for service ${key}: ${error}` }
        : { reason: 'FailedToUpdateEndpoint', message: `Failed to update endpoint ${key}: ${error}` };
    this.recorder.record({ ...about, ...what }, ref);
  }
}

const newEndpoints = (namespace: string, name: string): EndpointsObject => ({
  meta: {
    namespace,
    name,
    generateName: '',
    uid: '',
    resourceVersion: 0,
    generation: 0,
    labels: {},
    annotations: {},
    creationTimestamp: 0,
    deletionTimestamp: null,
    ownerUid: '',
  },
  subsets: [],
});
