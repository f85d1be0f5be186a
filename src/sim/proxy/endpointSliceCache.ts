import { parseRfc3339 } from '../../base/rfc3339.ts';
import { ANNOTATION, type EndpointSliceObject, LABEL } from '../api/objects.ts';
import { type EndpointsByPort, endpointsOf } from './endpoints.ts';

/** Slices of one Service by name: as the last sync took them, and what came since; null is a removal. */
interface ServiceSlices {
  readonly applied: Map<string, EndpointSliceObject>;
  readonly pending: Map<string, EndpointSliceObject | null>;
  /** Of the applied ones. */
  endpoints: EndpointsByPort;
}

/** What changed since the last checkout. */
export interface EndpointChanges {
  /** The endpoints of the Services that had a change, by `namespace/name`. */
  readonly endpoints: ReadonlyMap<string, EndpointsByPort>;
  /** Trigger times of the slices that came, µs since the Unix epoch, by Service, in order of arrival. */
  readonly triggerTimes: ReadonlyMap<string, readonly number[]>;
  /** Whether one of these Services has, or had, endpoints of a UDP port (P-062). */
  readonly hasUdpChange: boolean;
}

/**
 * EndpointSlices as applied and as pending (P-005).
 * Source: pkg/proxy/endpointslicecache.go, endpointschangetracker.go.
 */
export class EndpointSliceCache {
  /** Trigger times before this instant are from before the proxy's start and not counted, µs since the Unix epoch. */
  private readonly startTime: number;
  private readonly services = new Map<string, ServiceSlices>();
  private dirty = new Set<string>();
  private triggerTimes = new Map<string, number[]>();

  constructor(startTime: number) {
    this.startTime = startTime;
  }

  /** Takes an event of a slice. True when it is a change that a sync has to take. */
  update(slice: EndpointSliceObject, isRemoved: boolean): boolean {
    const service = serviceOf(slice);
    if (service === null) return false;
    const slices = this.slicesOf(service);
    if (!isChange(slices, slice, isRemoved)) return false;
    slices.pending.set(slice.meta.name, isRemoved ? null : slice);
    this.dirty.add(service);
    this.noteTrigger(service, slice, isRemoved);
    return true;
  }

  /** Makes all that is pending applied. */
  checkout(): EndpointChanges {
    const endpoints = new Map<string, EndpointsByPort>();
    let hasUdpChange = false;
    for (const service of this.dirty) {
      const slices = this.slicesOf(service);
      const before = slices.endpoints;
      for (const [name, slice] of slices.pending) {
        if (slice) slices.applied.set(name, slice);
        else slices.applied.delete(name);
      }
      slices.pending.clear();
      const now = endpointsOf([...slices.applied.values()]);
      slices.endpoints = now;
      if (slices.applied.size === 0) this.services.delete(service);
      endpoints.set(service, now);
      hasUdpChange ||= hasUdp(before) || hasUdp(now);
    }
    const { triggerTimes } = this;
    this.dirty = new Set();
    this.triggerTimes = new Map();
    return { endpoints, triggerTimes, hasUdpChange };
  }

  private slicesOf(service: string): ServiceSlices {
    const known = this.services.get(service);
    if (known) return known;
    const slices = { applied: new Map(), pending: new Map(), endpoints: endpointsOf([]) };
    this.services.set(service, slices);
    return slices;
  }

  /** A removal forgets what the Service's slices said: its annotation is that of the last update. */
  private noteTrigger(service: string, slice: EndpointSliceObject, isRemoved: boolean): void {
    if (isRemoved) {
      this.triggerTimes.delete(service);
      return;
    }
    const time = triggerTimeOf(slice);
    if (time === null || time <= this.startTime) return;
    const times = this.triggerTimes.get(service);
    if (times) times.push(time);
    else this.triggerTimes.set(service, [time]);
  }
}

const triggers = new WeakMap<EndpointSliceObject, number | null>();

/** µs since the Unix epoch; null without the annotation. */
function triggerTimeOf(slice: EndpointSliceObject): number | null {
  let time = triggers.get(slice);
  if (time === undefined) {
    time = parseRfc3339(slice.meta.annotations[ANNOTATION.triggerTime] ?? '');
    triggers.set(slice, time);
  }
  return time;
}

/** The Service that a slice names, as `namespace/name`. */
function serviceOf({ meta }: EndpointSliceObject): string | null {
  const name = meta.labels[LABEL.serviceName];
  return name ? `${meta.namespace}/${name}` : null;
}

/** Objects are immutable, one for each version: the same one is no change, another one is, metadata included. */
function isChange({ applied, pending }: ServiceSlices, slice: EndpointSliceObject, isRemoved: boolean): boolean {
  const { name } = slice.meta;
  const latest = pending.has(name) ? pending.get(name) : applied.get(name);
  if (isRemoved) return latest !== null && latest !== undefined;
  return latest !== slice;
}

function hasUdp(endpoints: EndpointsByPort): boolean {
  for (const port of endpoints.keys()) if (port.endsWith('/UDP')) return true;
  return false;
}
