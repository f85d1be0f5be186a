import { memoizedWeakly } from '../../base/memoized.ts';
import { type IpFamily, keyOf, type ServiceObject } from '../api/objects.ts';
import { portKey, type ServicePortInfo, servicePortsOf } from './servicePort.ts';

/** A Service's ports at the last checkout, and now. */
interface Change {
  readonly before: readonly ServicePortInfo[];
  readonly now: readonly ServicePortInfo[];
}

/**
 * The Services that differ from what the last sync saw (P-004). A change that is taken back before the sync disappears.
 * Source: pkg/proxy/servicechangetracker.go.
 */
export class ServiceChangeTracker {
  private readonly family: IpFamily;
  private readonly minor: number;
  private changes = new Map<string, Change>();

  constructor(family: IpFamily, minor: number) {
    this.family = family;
    this.minor = minor;
  }

  /** Takes an event of a Service; `now` null: it is gone. True when any Service has a net change, this one or another. */
  update(old: ServiceObject | null, now: ServiceObject | null): boolean {
    const service = now ?? old;
    if (service) {
      const key = keyOf(service);
      const before = this.changes.get(key)?.before ?? this.portsOf(old);
      const ports = this.portsOf(now);
      if (textOf(before) === textOf(ports)) this.changes.delete(key);
      else this.changes.set(key, { before, now: ports });
    }
    return this.changes.size > 0;
  }

  /** The new ports of all Services that changed since the last checkout, by key; none of one that is gone. */
  checkout(): ReadonlyMap<string, readonly ServicePortInfo[]> {
    const ports = new Map<string, readonly ServicePortInfo[]>();
    for (const [key, { now }] of this.changes) ports.set(key, now);
    this.changes = new Map();
    return ports;
  }

  private portsOf(service: ServiceObject | null): readonly ServicePortInfo[] {
    return service ? servicePortsOf(service, this.family, this.minor) : [];
  }
}

/** What is compared: the order of the ports does not matter. Proxies share their lists. */
const textOf = memoizedWeakly((ports: readonly ServicePortInfo[]): string =>
  JSON.stringify([...ports].sort((a, b) => (portKey(a) < portKey(b) ? -1 : 1))),
);
