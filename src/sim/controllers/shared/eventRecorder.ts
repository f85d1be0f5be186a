import { MICROS_PER_SECOND, type Micros } from '../../../base/units.ts';
import type { ControllerName } from '../../clusterInput.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadController } from '../../workloadsInput.ts';
import type { ClusterContext } from '../context.ts';
import { TokenBucket } from '../tokenBucket.ts';
import { subjectsOf } from './subjects.ts';

/** An Event that a controller wants to be seen. */
export interface ControllerEvent {
  /** The object that it is about: its key (`namespace/name`), kind and UID ('' before its first commit). */
  readonly key: string;
  readonly kind: string;
  readonly uid: string;
  /** Where the key does not end with it: a Pod's is its identity. */
  readonly name?: string;
  readonly eventType: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Events that differ in nothing but their messages: so many within so long are told as one. */
const AGGREGATE_FROM = 10;
const AGGREGATE_WITHIN = 600 * MICROS_PER_SECOND;
/** Events about one object: so many at once, then one in five minutes. */
const SPAM_BURST = 25;
const SPAM_PER_SECOND = 1 / 300;

interface Aggregate {
  readonly messages: Set<string>;
  readonly last: Micros;
}

/**
 * A controller's Events as the API server gets them: the first of its kind creates an object, each further one patches
 * its count; a storm is aggregated and then cut.
 * Source: client-go tools/record/events_cache.go EventCorrelator.
 */
export class EventRecorder {
  private readonly context: ClusterContext;
  private readonly actor: ControllerName | WorkloadController;
  private readonly subjectOf: (key: string) => number;
  private readonly counts = new Map<string, number>();
  private readonly aggregates = new Map<string, Aggregate>();
  private readonly buckets = new Map<string, TokenBucket>();

  /** `actor`: as events name it. */
  constructor(context: ClusterContext, actor: ControllerName | WorkloadController) {
    this.context = context;
    this.actor = actor;
    this.subjectOf = subjectsOf(context, actor, 'object');
  }

  record(event: ControllerEvent, cause: Ref): void {
    const { trace, kernel } = this.context;
    const { key, kind, uid, name = key.slice(key.indexOf('/') + 1), eventType, reason } = event;
    const object = `${kind}|${key}|${uid}`;
    const similar = `${object}|${eventType}|${reason}`;
    const isAggregate = this.aggregate(similar, event.message);
    const message = isAggregate ? `(combined from similar events): ${event.message}` : event.message;
    const identity = isAggregate ? similar : `${similar}|${message}`;
    const count = (this.counts.get(identity) ?? 0) + 1;
    this.counts.set(identity, count);
    if (!this.bucketOf(object).tryTake()) return;
    const about = `${kind}/${name}`;
    const op = count === 1 ? 'create' : 'patch';
    const payload = { actor: this.actor, op, about, eventType, reason, message, count };
    trace.event('controllerEvent', kernel.now, this.subjectOf(key), payload, [cause]);
  }

  /** Whether an event is told together with those that were like it. */
  private aggregate(similar: string, message: string): boolean {
    const { now } = this.context.kernel;
    const known = this.aggregates.get(similar);
    const messages = known && now - known.last <= AGGREGATE_WITHIN ? known.messages : new Set<string>();
    messages.add(message);
    this.aggregates.set(similar, { messages, last: now });
    if (messages.size < AGGREGATE_FROM) return false;
    // Go drops any one of the set.
    messages.delete([...messages][0] as string);
    return true;
  }

  private bucketOf(object: string): TokenBucket {
    const known = this.buckets.get(object);
    if (known) return known;
    const bucket = new TokenBucket(this.context.kernel, SPAM_PER_SECOND, SPAM_BURST);
    this.buckets.set(object, bucket);
    return bucket;
  }
}
