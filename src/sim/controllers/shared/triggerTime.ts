import { rfc3339 } from '../../../base/rfc3339.ts';
import { type ApiPod, readyConditionOf } from '../../api/apiPod.ts';
import { ANNOTATION, keyOf, type Labels, type ServiceObject } from '../../api/objects.ts';

/** What the sync before saw of a Service: times by the names of its Pods. */
interface ServiceState {
  readonly service: number;
  readonly pods: ReadonlyMap<string, number>;
}
const UNSEEN: ServiceState = { service: 0, pods: new Map() };

/**
 * Works out since when a Service's endpoints should have been what a sync makes of them (C-150). Times are whole
 * wall-clock seconds since the Unix epoch; 0 is a stamp that is not set.
 * Source: k8s.io/endpointslice/util/trigger_time_tracker.go.
 */
export class TriggerTimeTracker {
  private readonly states = new Map<string, ServiceState>();

  /**
   * The earliest Ready transition that is new since the sync before; of a Service that was never synced, its creation;
   * null when nothing is new. Remembers what it saw.
   */
  next(service: ServiceObject, pods: readonly ApiPod[]): number | null {
    const key = keyOf(service);
    const known = this.states.get(key);
    const before = known ?? UNSEEN;
    const created = service.meta.creationTimestamp;
    const times = new Map<string, number>();
    let first = created > before.service ? created : Number.POSITIVE_INFINITY;
    for (const pod of pods) {
      const time = readyConditionOf(pod)?.lastTransitionTime;
      if (!time) continue;
      const { name } = pod.input;
      times.set(name, time);
      if (time > (before.pods.get(name) ?? 0)) first = Math.min(first, time);
    }
    this.states.set(key, { service: created, pods: times });
    if (!known) return created || null;
    return first === Number.POSITIVE_INFINITY ? null : first;
  }

  /** The Service is gone. */
  forget(key: string): void {
    this.states.delete(key);
  }
}

/** `annotations` with this trigger time; without any if it is null. */
export function withTriggerTime(annotations: Labels, time: number | null): Labels {
  if (time !== null) return { ...annotations, [ANNOTATION.triggerTime]: rfc3339(time) };
  if (!(ANNOTATION.triggerTime in annotations)) return annotations;
  const { [ANNOTATION.triggerTime]: _gone, ...rest } = annotations;
  return rest;
}
