import { memoizedWeakly } from '../../base/memoized.ts';
import { parseRfc3339 } from '../../base/rfc3339.ts';
import { ANNOTATION, type EndpointSliceObject, LABEL } from '../api/objects.ts';
import { type EndpointsByPort, endpointsOf } from './endpoints.ts';

/** Slices of one Service. */
interface ServiceSlices {
  /** By name, with what came since the last checkout. */
  readonly slices: Map<string, EndpointSliceObject>;
  /** As of the last checkout. */
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
 * EndpointSlices as they came, and their endpoints as the last sync took them (P-005).
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

  /**
   * Takes an event of a slice. True when it is a change that a sync has to take. Objects are immutable, one for each version:
   * the same one is no change, another one is, metadata included.
   */
  update(slice: EndpointSliceObject, isRemoved: boolean): boolean {
    const { service, triggerTime } = labelled(slice);
    if (service === null) return false;
    const { name } = slice.meta;
    const { slices } = this.slicesOf(service);
    if (isRemoved ? !slices.delete(name) : slices.get(name) === slice) return false;
    if (!isRemoved) slices.set(name, slice);
    this.dirty.add(service);
    // A removal forgets what the Service's slices said: its annotation is that of the last update.
    if (isRemoved) this.triggerTimes.delete(service);
    else if (triggerTime > this.startTime) this.noteTrigger(service, triggerTime);
    return true;
  }

  /** What came since the last checkout. */
  checkout(): EndpointChanges {
    const endpoints = new Map<string, EndpointsByPort>();
    let hasUdpChange = false;
    for (const service of this.dirty) {
      const held = this.slicesOf(service);
      const before = held.endpoints;
      const now = endpointsOf([...held.slices.values()]);
      held.endpoints = now;
      if (held.slices.size === 0) this.services.delete(service);
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
    const made = { slices: new Map(), endpoints: endpointsOf([]) };
    this.services.set(service, made);
    return made;
  }

  private noteTrigger(service: string, time: number): void {
    const times = this.triggerTimes.get(service);
    if (times) times.push(time);
    else this.triggerTimes.set(service, [time]);
  }
}

/**
 * The Service that a slice names, as `namespace/name`, null without one; and its trigger time, µs since the Unix epoch,
 * -Infinity without one. Every proxy asks for the same.
 */
const labelled = memoizedWeakly(({ meta }: EndpointSliceObject) => {
  const name = meta.labels[LABEL.serviceName];
  return {
    service: name ? `${meta.namespace}/${name}` : null,
    triggerTime: parseRfc3339(meta.annotations[ANNOTATION.triggerTime] ?? '') ?? Number.NEGATIVE_INFINITY,
  };
});

function hasUdp(endpoints: EndpointsByPort): boolean {
  for (const port of endpoints.keys()) if (port.endsWith('/UDP')) return true;
  return false;
}
