import { rfc3339 } from '../../../base/rfc3339.ts';
import { type ApiPod, readyConditionOf } from '../../api/apiPod.ts';
import { ANNOTATION, keyOf, type Labels, type ServiceObject } from '../../api/objects.ts';

/** What the last sync saw of a Service: its creation, and times by the names of its Pods. */
interface ServiceState {
  service: number;
  readonly pods: Map<string, number>;
}

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
    const state = known ?? { service: 0, pods: new Map() };
    this.states.set(key, state);
    const created = service.meta.creationTimestamp;
    const first = Math.min(
      earliestNewOf(state.pods, pods),
      created > state.service ? created : Number.POSITIVE_INFINITY,
    );
    state.service = created;
    if (!known) return created || null;
    return first === Number.POSITIVE_INFINITY ? null : first;
  }

  /** The Service is gone. */
  forget(key: string): void {
    this.states.delete(key);
  }
}

/** The earliest time of a Pod that is later than the one seen; brings `seen` up to date. Infinity: none is. */
function earliestNewOf(seen: Map<string, number>, pods: readonly ApiPod[]): number {
  let first = Number.POSITIVE_INFINITY;
  let count = 0;
  for (const pod of pods) {
    const time = readyConditionOf(pod)?.lastTransitionTime;
    if (!time) continue;
    const { name } = pod.input;
    const before = seen.get(name) ?? 0;
    if (time > before) first = Math.min(first, time);
    if (time !== before) seen.set(name, time);
    count++;
  }
  if (seen.size > count) keepOnly(seen, pods);
  return first;
}

/** Forgets Pods that are gone, or have no time any more. */
function keepOnly(seen: Map<string, number>, pods: readonly ApiPod[]): void {
  const names = new Set(pods.filter((pod) => readyConditionOf(pod)?.lastTransitionTime).map(({ input }) => input.name));
  for (const name of seen.keys()) if (!names.has(name)) seen.delete(name);
}

/** `annotations` with this trigger time; without any if it is null. */
export function withTriggerTime(annotations: Labels, time: number | null): Labels {
  if (time !== null) return { ...annotations, [ANNOTATION.triggerTime]: rfc3339(time) };
  if (!(ANNOTATION.triggerTime in annotations)) return annotations;
  const { [ANNOTATION.triggerTime]: _gone, ...rest } = annotations;
  return rest;
}
