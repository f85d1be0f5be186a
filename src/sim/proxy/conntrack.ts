import { type Micros, seconds } from '../../base/units.ts';
import type { IpFamily } from '../api/objects.ts';
import type { ConntrackEntry } from '../clusterInput.ts';
import { hostPort } from './address.ts';
import type { AfterSync, ModeContext, Snapshot } from './mode.ts';
import { portKey } from './servicePort.ts';

/** How long the kernel keeps a UDP connection after its last packet: at first, and once it has gone on for a while (P-063). */
const UDP_TIMEOUT = { first: seconds(30), stream: seconds(120), streamAfter: seconds(2) } as const;

interface Tracked {
  readonly entry: ConntrackEntry;
  readonly since: number;
  /** Infinity for an entry that the scenario keeps. */
  expires: number;
}

/** A node's connection tracking table. */
export class ConntrackTable {
  private readonly entries: Set<Tracked>;

  constructor(entries: readonly ConntrackEntry[]) {
    const since = Number.NEGATIVE_INFINITY;
    this.entries = new Set(entries.map((entry) => ({ entry, since, expires: Number.POSITIVE_INFINITY })));
  }

  /** The entries of a family at `now`, in the order in which they were made. */
  list(family: IpFamily, now: Micros): readonly ConntrackEntry[] {
    return this.alive(now).filter(({ dest }) => dest.startsWith('[') === (family === 'IPv6'));
  }

  /** A packet from `from` to `dest`: the backend that it goes to, if its connection is known. It lives on from now. */
  pass(from: string, dest: string, now: Micros): string | null {
    this.alive(now);
    const tracked = [...this.entries].find(({ entry }) => entry.from === from && entry.dest === dest);
    if (!tracked) return null;
    const { first, stream, streamAfter } = UDP_TIMEOUT;
    tracked.expires = now + (now - tracked.since >= streamAfter ? stream : first);
    return tracked.entry.backend;
  }

  /** The first packet of a connection. */
  add(entry: ConntrackEntry, now: Micros): void {
    this.entries.add({ entry, since: now, expires: now + UDP_TIMEOUT.first });
  }

  delete(entry: ConntrackEntry): void {
    for (const tracked of this.entries) if (tracked.entry === entry) this.entries.delete(tracked);
  }

  /** Forgets what has expired. */
  private alive(now: Micros): readonly ConntrackEntry[] {
    for (const tracked of this.entries) if (tracked.expires <= now) this.entries.delete(tracked);
    return [...this.entries].map(({ entry }) => entry);
  }
}

/** Serving endpoints (`ip:port`) of the UDP Services, by the address or node port that clients use. */
interface Serving {
  readonly byAddress: Map<string, ReadonlySet<string>>;
  readonly byNodePort: Map<number, ReadonlySet<string>>;
}

/**
 * Versions that leave a Service without serving endpoints alone; before these, each endpoint that went was cleaned after, and
 * since then an empty list is a list (P-062).
 */
const isEmptyLeftAlone = (minor: number): boolean => minor >= 32 && minor <= 36;

/**
 * Deletes the UDP entries of Services that lead to no serving endpoint any more, so that clients who keep their source port
 * come to another one; terminating endpoints that serve keep theirs (P-062).
 * Source: pkg/proxy/conntrack/cleanup.go, CleanStaleEntries.
 */
export function conntrackCleanup({ cluster, family, subject }: ModeContext, table: ConntrackTable): AfterSync {
  const { kernel, trace, minor } = cluster;
  return (snapshot, ref) => {
    if (!snapshot.hasUdpChange) return;
    const entries = table.list(family, kernel.now);
    trace.event('conntrackList', kernel.now, subject, { entries: entries.length }, [ref]);
    const serving = servingOf(snapshot, minor);
    for (const entry of entries) {
      if (!isStale(entry, serving)) continue;
      table.delete(entry);
      const { protocol, from, dest, backend } = entry;
      trace.event('conntrackDelete', kernel.now, subject, { protocol, from, dest, backend }, [ref]);
    }
  };
}

function isStale({ protocol, dest, backend }: ConntrackEntry, { byAddress, byNodePort }: Serving): boolean {
  if (protocol !== 'UDP') return false;
  const nodePort = Number(dest.slice(dest.lastIndexOf(':') + 1));
  const lists = [byAddress.get(dest), byNodePort.get(nodePort)];
  return lists.some((list) => list !== undefined && !list.has(backend));
}

function servingOf({ services }: Snapshot, minor: number): Serving {
  const serving: Serving = { byAddress: new Map(), byNodePort: new Map() };
  for (const { ports, endpoints } of services.values()) {
    for (const port of ports) {
      if (port.protocol !== 'UDP') continue;
      const all = endpoints.get(portKey(port)) ?? [];
      const list = new Set(all.filter((one) => one.serving).map(({ address }) => address));
      if (list.size === 0 && isEmptyLeftAlone(minor)) continue;
      for (const ip of [port.clusterIP, ...port.loadBalancerVIPs, ...port.externalIPs]) {
        serving.byAddress.set(hostPort(ip, port.port), list);
      }
      // A node port is known by its number alone, which others may use: only a Service that has endpoints claims it.
      if (port.nodePort !== 0 && list.size > 0) serving.byNodePort.set(port.nodePort, list);
    }
  }
  return serving;
}
