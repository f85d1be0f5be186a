import type { ApiPod } from '../../api/apiPod.ts';
import type { Informer } from '../../api/informer.ts';
import { type EndpointSliceObject, type IpFamily, keyOf, type ServiceObject } from '../../api/objects.ts';
import type { ControllerClient } from '../../api/requests.ts';
import { writeOrderDraw } from '../../api/sliceWrites.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { ClusterContext } from '../context.ts';
import { aggregate } from '../shared/aggregate.ts';
import type { EventRecorder } from '../shared/eventRecorder.ts';
import type { SliceTracker } from '../shared/sliceTracker.ts';
import { withTriggerTime } from '../shared/triggerTime.ts';
import {
  hasTopologyModeAuto,
  TOPOLOGY_HINTS_SINCE,
  usesTrafficDistribution,
  withoutHints,
  withTrafficDistribution,
} from './hints.ts';
import { planAddressType, reuseNames } from './plan.ts';
import { PodEndpoints } from './podEndpoints.ts';
import { addressTypesOf, reservedLabels, unchangedOf } from './slices.ts';
import type { TopologyCache } from './topologyCache.ts';
import { type Hinted, topologyHints } from './topologyHints.ts';
import { inOrder, placeIn, type SliceWrite, writeLabel, writesOf } from './writeOrder.ts';

interface ReconcilerOptions {
  readonly context: ClusterContext;
  readonly client: ControllerClient;
  readonly tracker: SliceTracker;
  readonly topology: TopologyCache;
  readonly events: EventRecorder;
  readonly nodes: Informer<'nodes'>;
  /** Writes a line about a Service to the controller's log. */
  readonly log: (service: string, message: string, values: object, cause: Ref) => void;
}

/** One sync of a Service. */
interface Sync {
  /** What it looks at: the Service, the Pods that it selects, its slices that the controller manages. */
  readonly service: ServiceObject;
  readonly pods: readonly ApiPod[];
  readonly slices: readonly EndpointSliceObject[];
  /** Whole seconds since the Unix epoch; null: none (C-150). */
  readonly triggerTime: number | null;
  /** Its event. */
  readonly ref: Ref;
}

interface FamilyPlan {
  readonly family: IpFamily;
  readonly writes: readonly SliceWrite[];
  readonly withoutNode: readonly ApiPod[];
  readonly labelled: number;
  /** What topology mode Auto came to; null when it is not asked for. */
  readonly topology: Hinted | null;
}

/**
 * Brings a Service's slices to what its Pods ask for, one address type after the other (C-220 to C-232).
 * Source: k8s.io/endpointslice reconciler.go.
 */
export class Reconciler {
  private readonly options: ReconcilerOptions;
  private readonly endpoints: PodEndpoints;

  constructor(options: ReconcilerOptions) {
    this.options = options;
    this.endpoints = new PodEndpoints(options.context.minor);
  }

  /** Returns the error of the sync, '' for none. */
  *reconcile(sync: Sync): Task<string> {
    const { service, slices } = sync;
    const families = addressTypesOf(service);
    const unsupported = slices.filter(({ addressType }) => !families.includes(addressType));
    for (const { addressType } of unsupported) this.options.topology.removeHints(keyOf(service), addressType);

    const plans = families.map((family) => this.plan(sync, family));
    const deletes = unsupported.map((slice) => ({ verb: 'delete', slice }) as const);
    const order = this.drawOrder(service, [...plans.flatMap(({ writes }) => writes), ...deletes]);
    const errors: string[] = [];
    const ordered = plans.toSorted((a, b) => placeIn(order, a.writes) - placeIn(order, b.writes));
    for (const [turn, plan] of ordered.entries()) {
      // Time has passed for the second one: nodes and hints may be others.
      errors.push(...(yield* this.carryOut(sync, turn === 0 ? plan : this.plan(sync, plan.family), order)));
    }
    for (const write of inOrder(deletes, order)) {
      const error = yield* this.send(sync, write);
      if (error)
        errors.push(`error deleting ${write.slice.meta.name} EndpointSlice for Service ${keyOf(service)}: ${error}`);
    }
    return aggregate(errors);
  }

  private plan({ service, pods, slices }: Sync, family: IpFamily): FamilyPlan {
    const { context, nodes } = this.options;
    const { minor, input } = context;
    const { maxEndpointsPerSlice } = input.controllers.endpointslices;
    const nodeOf = (name: string) => nodes.get(name);
    const seen = { service, pods, slices, nodeOf, maxEndpointsPerSlice, endpoints: this.endpoints };
    const { changes, withoutNode, labelled } = planAddressType(seen, family);
    const unchanged = unchangedOf(
      slices.filter(({ addressType }) => addressType === family),
      changes,
    );
    const isAuto = minor >= TOPOLOGY_HINTS_SINCE && hasTopologyModeAuto(service);
    const topology = isAuto ? topologyHints(this.options.topology.ratios, changes, unchanged) : null;
    const hinted = topology
      ? topology.changes
      : usesTrafficDistribution(service, minor)
        ? withTrafficDistribution(service, changes, unchanged)
        : withoutHints(changes, unchanged);
    return { family, withoutNode, labelled, topology, writes: writesOf(reuseNames(hinted, service)) };
  }

  /** The order in which Go's maps give several writes. */
  private drawOrder(service: ServiceObject, writes: readonly SliceWrite[]): readonly string[] {
    const labels = [...new Set(writes.map(writeLabel))];
    if (writes.length <= 1) return labels;
    const { draws, kernel } = this.options.context;
    return draws.order(writeOrderDraw('endpointslice', keyOf(service)), kernel.now, labels);
  }

  /** Writes one address type's slices up to the first error; returns the errors. */
  private *carryOut(sync: Sync, plan: FamilyPlan, order: readonly string[]): Task<readonly string[]> {
    const { service } = sync;
    const key = keyOf(service);
    const { log } = this.options;
    const errors = plan.withoutNode.map(({ input }) => {
      log(key, 'skipping Pod for Service, Node not found', { node: input.node, pod: input.name }, sync.ref);
      return `skipping Pod ${input.name} for Service ${key}: Node ${input.node} Not Found`;
    });
    for (const [skipping, label] of reservedLabels(service))
      for (let i = 0; i < plan.labelled; i++)
        log(key, 'Service using reserved endpoint slices label', { skipping, label }, sync.ref);
    const news = this.options.topology.settle(key, plan.family, plan.topology);
    if (news) log(key, news.logLine, { addressType: plan.family }, sync.ref);
    for (const write of inOrder(plan.writes, order)) {
      const error = yield* this.send(sync, write);
      if (!error) continue;
      const name = write.verb === 'create' ? '' : ` ${write.slice.meta.name}`;
      errors.push(`failed to ${write.verb}${name} EndpointSlice for Service ${key}: ${error}`);
      break;
    }
    if (news) {
      const { eventType, reason, message } = news;
      this.options.events.record({ key, kind: 'Service', uid: service.meta.uid, eventType, reason, message }, sync.ref);
    }
    return errors;
  }

  /** Sends one write and tells the tracker what came back; returns the error, '' for none. */
  private *send({ triggerTime, ref }: Sync, { verb, slice }: SliceWrite): Task<string> {
    const { client, tracker } = this.options;
    const annotations =
      verb === 'delete' ? slice.meta.annotations : withTriggerTime(slice.meta.annotations, triggerTime);
    const object = { ...slice, meta: { ...slice.meta, annotations } };
    const answer = yield* client.send(verb, 'endpointslices', object, ref);
    if ('error' in answer) return answer.error;
    if (answer.object) tracker.update(answer.object);
    else tracker.expectDeletion(slice);
    return '';
  }
}
