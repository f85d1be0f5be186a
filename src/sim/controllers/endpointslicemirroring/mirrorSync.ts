import type { Informer } from '../../api/informer.ts';
import { ANNOTATION, type EndpointSliceObject, type EndpointsObject, keyOf, LABEL } from '../../api/objects.ts';
import { ControllerClient } from '../../api/requests.ts';
import { writeOrderDraw } from '../../api/sliceWrites.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { ClusterContext } from '../context.ts';
import { inOrder, type SliceWrite, writeLabel, writesOf } from '../endpointslice/writeOrder.ts';
import { EventRecorder } from '../shared/eventRecorder.ts';
import type { SliceCache } from '../shared/sliceCache.ts';
import type { SliceTracker } from '../shared/sliceTracker.ts';
import { subjectsOf } from '../shared/subjects.ts';
import { DONE, failed, type SyncOutcome } from '../shared/syncQueue.ts';
import { planMirror } from './mirrorPlan.ts';

interface MirrorSyncOptions {
  readonly context: ClusterContext;
  readonly endpoints: Informer<'endpoints'>;
  readonly services: Informer<'services'>;
  readonly slices: SliceCache;
  readonly tracker: SliceTracker;
}

/** Whether an Endpoints object is one that people may want mirrored. Source: endpointslicemirroring_controller.go shouldMirror. */
export const shouldMirror = ({ meta }: EndpointsObject): boolean =>
  meta.labels[LABEL.skipMirror] !== 'true' && !(ANNOTATION.leader in meta.annotations);

/**
 * One sync of the slices that mirror an Endpoints object (C-260).
 * Source: pkg/controller/endpointslicemirroring syncEndpoints, reconciler.go finalize and deleteEndpoints.
 */
export class MirrorSync {
  private readonly options: MirrorSyncOptions;
  private readonly client: ControllerClient;
  private readonly recorder: EventRecorder;
  private readonly subjectOf: (key: string) => number;

  constructor(options: MirrorSyncOptions) {
    this.options = options;
    this.client = new ControllerClient(options.context, 'mirroring');
    this.recorder = new EventRecorder(options.context, 'mirroring');
    this.subjectOf = subjectsOf(options.context, 'mirroring', 'object');
  }

  *syncEndpoints(key: string, ref: Ref): Task<SyncOutcome> {
    const endpoints = this.options.endpoints.get(key);
    const service = this.options.services.get(key);
    if (!endpoints || !shouldMirror(endpoints) || !service || service.spec.selector)
      return yield* this.cleanUp(key, ref);
    const existing = this.options.slices.slicesOf(key);
    if (this.options.tracker.isStale(key, existing)) return failed('EndpointSlice informer cache is out of date');
    return yield* this.reconcile(endpoints, existing, ref);
  }

  /** Nothing is to be mirrored (any more). One deletion that fails does not keep the others. */
  private *cleanUp(key: string, ref: Ref): Task<SyncOutcome> {
    const { context, tracker, slices } = this.options;
    context.trace.event('mirrorCleanup', context.kernel.now, this.subjectOf(key), {}, [ref]);
    tracker.forget(key);
    const existing = slices.slicesOf(key);
    const errors: string[] = [];
    for (const { verb, slice } of this.ordered(
      key,
      existing.map((slice) => ({ verb: 'delete', slice })),
    )) {
      const answer = yield* this.client.send(verb, 'endpointslices', slice, ref);
      if ('error' in answer) errors.push(answer.error);
    }
    const [first] = errors;
    if (first === undefined) return DONE;
    const share = `${errors.length}/${existing.length}`;
    return failed(`error(s) deleting ${share} EndpointSlices for ${key} Endpoints, including: ${first}`);
  }

  private *reconcile(
    endpoints: EndpointsObject,
    existing: readonly EndpointSliceObject[],
    ref: Ref,
  ): Task<SyncOutcome> {
    const { context } = this.options;
    const key = keyOf(endpoints);
    const max = context.input.controllers.mirroring?.maxEndpointsPerSubset ?? 0;
    const plan = planMirror(endpoints, existing, max);
    if (plan.skipped > 0) this.complainOfSize(endpoints, max, plan.skipped, ref);
    const isGoing = endpoints.meta.deletionTimestamp !== null;
    const writes = writesOf(isGoing ? { ...plan, toCreate: [] } : plan);
    for (const write of this.ordered(key, writes)) {
      const error = yield* this.send(write, ref);
      if (!error) continue;
      const name = write.verb === 'create' ? '' : ` ${write.slice.meta.name}`;
      return failed(`failed to ${write.verb}${name} EndpointSlice for Endpoints ${key}: ${error}`);
    }
    return DONE;
  }

  /** Returns the error, '' for none. */
  private *send({ verb, slice }: SliceWrite, ref: Ref): Task<string> {
    const { tracker } = this.options;
    const answer = yield* this.client.send(verb, 'endpointslices', slice, ref);
    if ('error' in answer) return answer.error;
    if (answer.object) tracker.update(answer.object);
    else tracker.expectDeletion(slice);
    return '';
  }

  /** Several writes come in the order of Go's maps: creates, updates and deletes each by itself. */
  private ordered(key: string, writes: readonly SliceWrite[]): readonly SliceWrite[] {
    if (writes.length < 2) return writes;
    const { draws, kernel } = this.options.context;
    const labels = [...new Set(writes.map(writeLabel))];
    return inOrder(writes, draws.order(writeOrderDraw('endpointslicemirroring', key), kernel.now, labels));
  }

  private complainOfSize(endpoints: EndpointsObject, max: number, skipped: number, ref: Ref): void {
    const about = { key: keyOf(endpoints), kind: 'Endpoints', uid: endpoints.meta.uid, eventType: 'Warning' } as const;
    const message =
      `A max of ${max} addresses can be mirrored to EndpointSlices per Endpoints subset. ` +
      `${skipped} addresses were skipped`;
    this.recorder.record({ ...about, reason: 'TooManyAddressesToMirror', message }, ref);
  }
}
