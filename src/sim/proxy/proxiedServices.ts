import type { EndpointSliceObject, IpFamily, ServiceObject } from '../api/objects.ts';
import { EndpointSliceCache } from './endpointSliceCache.ts';
import type { EndpointsByPort } from './endpoints.ts';
import type { ProxiedService, Snapshot } from './mode.ts';
import { ServiceChangeTracker } from './serviceChangeTracker.ts';

const NO_ENDPOINTS: EndpointsByPort = new Map();

/** What a checkout yields. */
interface Checkout {
  readonly snapshot: Snapshot;
  /** Trigger times of the slices that it took, µs since the Unix epoch, by Service. */
  readonly triggerTimes: ReadonlyMap<string, readonly number[]>;
}

/** The Services and endpoints of a proxier: as its last sync took them, and what came since. */
export class ProxiedServices {
  private readonly changes: ServiceChangeTracker;
  private readonly slices: EndpointSliceCache;
  private readonly services = new Map<string, ProxiedService>();

  /** `startTime`: of the proxy, µs since the Unix epoch. */
  constructor(family: IpFamily, minor: number, startTime: number) {
    this.changes = new ServiceChangeTracker(family, minor);
    this.slices = new EndpointSliceCache(startTime);
  }

  /** True when a sync has something to take. */
  onService(old: ServiceObject | null, now: ServiceObject | null): boolean {
    return this.changes.update(old, now);
  }

  onEndpointSlice(slice: EndpointSliceObject, isRemoved: boolean): boolean {
    return this.slices.update(slice, isRemoved);
  }

  /** Takes what came (P-022, P-030). `inForce`: Services that have rules in force. */
  checkout(isFull: boolean, inForce: Iterable<string>): Checkout {
    const ports = this.changes.checkout();
    const { endpoints, triggerTimes, hasUdpChange } = this.slices.checkout();
    const changed = new Set([...ports.keys(), ...endpoints.keys()]);
    for (const key of changed) {
      const before = this.services.get(key) ?? emptyService(key);
      const now = {
        key,
        ports: ports.get(key) ?? before.ports,
        endpoints: endpoints.get(key) ?? before.endpoints,
      };
      if (now.ports.length > 0 || now.endpoints.size > 0) this.services.set(key, now);
      else this.services.delete(key);
    }
    const keys = isFull ? new Set([...this.services.keys(), ...changed, ...inForce]) : changed;
    const written = Array.from(keys, (key) => this.services.get(key) ?? emptyService(key));
    return { snapshot: { isFull, services: this.services, written, hasUdpChange }, triggerTimes };
  }
}

const emptyService = (key: string): ProxiedService => ({ key, ports: [], endpoints: NO_ENDPOINTS });
