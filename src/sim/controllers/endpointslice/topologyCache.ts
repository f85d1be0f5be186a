import { type IpFamily, LABEL, type NodeObject } from '../../api/objects.ts';
import { type Hinted, isOverloaded, TOPOLOGY_TEXT, type ZoneRatios } from './topologyHints.ts';

/** Nodes with one of these labels do not count. */
const EXCLUDED = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/**
 * What the hints of topology mode Auto rest on: the shares of the zones, and how many endpoints each Service has for
 * each zone (C-232). Source: k8s.io/endpointslice topologycache/topologycache.go.
 */
export class TopologyCache {
  /** Null: the nodes do not say enough. */
  ratios: ZoneRatios | null = null;
  /** Service key → address type → endpoints by zone. */
  private readonly services = new Map<string, Map<IpFamily, ReadonlyMap<string, number>>>();
  private readonly populated = new Set<string>();

  /**
   * Takes the shares from the nodes: ready ones without a control-plane label, of which each has a zone and CPU, in at
   * least two zones. Returns the first node that lacks them.
   */
  setNodes(nodes: readonly NodeObject[]): NodeObject | null {
    const counted = nodes.filter(({ meta, ready }) => ready === 'True' && !EXCLUDED.some((key) => key in meta.labels));
    const lacking = counted.find(({ meta, cpuMillis }) => !meta.labels[LABEL.zone] || cpuMillis === 0);
    this.ratios = lacking ? null : ratiosOf(counted);
    return lacking ?? null;
  }

  /** Services with a zone that has fewer endpoints than it must. */
  overloadedServices(): readonly string[] {
    return [...this.services]
      .filter(([, families]) => [...families.values()].some((byZone) => isOverloaded(byZone, this.ratios)))
      .map(([service]) => service);
  }

  /**
   * Takes over what topology mode Auto came to for one address type of a Service, null when it was not asked for;
   * returns what is worth telling.
   */
  settle(service: string, family: IpFamily, hinted: Hinted | null): HintNews | null {
    const had = this.populated.has(service);
    if (hinted && hinted.problem === '') {
      this.setHints(service, family, hinted.byZone);
      return had ? null : enabled(family);
    }
    this.removeHints(service, family);
    if (hinted) return disabled(hinted.problem, LOG_LINES[hinted.problem] ?? hinted.problem, family);
    return had ? disabled(TOPOLOGY_TEXT.disabled, 'TopologyAwareHints annotation has changed', family) : null;
  }

  /** As the real one, forgets for all address types that the Service has hints. */
  removeHints(service: string, family: IpFamily): void {
    const families = this.services.get(service);
    families?.delete(family);
    if (families?.size === 0) this.services.delete(service);
    this.populated.delete(service);
  }

  private setHints(service: string, family: IpFamily, byZone: ReadonlyMap<string, number>): void {
    const families = this.services.get(service) ?? new Map<IpFamily, ReadonlyMap<string, number>>();
    this.services.set(service, families.set(family, byZone));
    this.populated.add(service);
  }
}

/** A line of the log and an Event about a Service. */
export interface HintNews {
  readonly logLine: string;
  readonly eventType: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Where the log says it in other words than the Event. */
const LOG_LINES: Readonly<Record<string, string>> = { [TOPOLOGY_TEXT.noZone]: 'Endpoint found without zone specified' };

const enabled = (family: IpFamily): HintNews => ({
  logLine: `${TOPOLOGY_TEXT.enabled}, adding hints.`,
  eventType: 'Normal',
  reason: 'TopologyAwareHintsEnabled',
  message: `${TOPOLOGY_TEXT.enabled}, addressType: ${family}`,
});

const disabled = (text: string, logLine: string, family: IpFamily): HintNews => ({
  logLine: `${logLine}, removing hints`,
  eventType: 'Warning',
  reason: 'TopologyAwareHintsDisabled',
  message: `${text}, addressType: ${family}`,
});

/** Share of each zone, in order of their names; null with fewer than two. */
function ratiosOf(nodes: readonly NodeObject[]): ZoneRatios | null {
  const byZone = new Map<string, number>();
  let total = 0;
  for (const { meta, cpuMillis } of nodes) {
    const zone = meta.labels[LABEL.zone] as string;
    byZone.set(zone, (byZone.get(zone) ?? 0) + cpuMillis);
    total += cpuMillis;
  }
  if (byZone.size < 2) return null;
  return new Map([...byZone].sort(([a], [b]) => (a < b ? -1 : 1)).map(([zone, cpu]) => [zone, cpu / total]));
}
