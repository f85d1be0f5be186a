import { later, type Micros, seconds } from '../../../base/units.ts';
import type { Task } from '../../kernel/kernel.ts';
import { detectsLocalPods } from '../context.ts';
import type { Selection } from '../endpointSelection.ts';
import { type FrontendOptions, frontendsOf } from '../frontends.ts';
import {
  INJECTED_FAILURE,
  type Mode,
  type ModeContext,
  type Outcome,
  type ProxiedService,
  type RuleWriter,
  type Snapshot,
} from '../mode.ts';
import type { ServiceRules } from '../rules.ts';
import { portKey } from '../servicePort.ts';
import { NatChains } from './natChains.ts';
import { type PortChains, portChains } from './portChains.ts';

/** More endpoints than this, over all Services, make a large cluster (P-031). */
const LARGE_CLUSTER_ENDPOINTS = 1000;

/** Kubernetes minor versions since which a sync may be partial, and a large cluster has no hourly full sync. */
const SINCE = { partialSync: 27, noHourlySyncWhenLarge: 37 } as const;

/** Chains and rules that every sync writes, whatever Services there are. */
const BASE = { filterChains: 5, filterRules: 3, natChains: 4, natRules: 5 } as const;
/** `*filter` and `*nat`, and a COMMIT for each. */
const TABLE_LINES = 4;

/** kube-proxy in iptables mode (P-030 to P-036). */
export const iptables: Mode = {
  start: (context) => new IptablesWriter(context),
  isAlwaysFull: (minor) => minor < SINCE.partialSync,
  logsRetry: true,
  maxInterval: () => seconds(3600),
};

/** What a Service takes in the restore input. */
interface ServiceLines extends Omit<PortChains, 'chains'> {
  readonly chains: number;
  readonly endpoints: number;
}

/** Source: pkg/proxy/iptables/proxier.go, syncProxyRules. */
class IptablesWriter implements RuleWriter {
  private readonly context: ModeContext;
  private readonly options: FrontendOptions;
  private readonly services = new Map<string, ServiceLines>();
  private readonly chains = new NatChains();
  /** Over all Services. */
  private sharedNatRules = 0;
  private sharedFilterRules = 0;
  private endpoints = 0;
  private lastCleanup: Micros | null = null;

  constructor(context: ModeContext) {
    this.context = context;
    this.options = { detectsLocalPods: detectsLocalPods(context), checksRangesWithoutEndpoints: false };
  }

  get skipsPeriodicFullSync(): boolean {
    return this.isLargeCluster && this.context.cluster.minor >= SINCE.noHourlySyncWhenLarge;
  }

  private get isLargeCluster(): boolean {
    return this.endpoints > LARGE_CLUSTER_ENDPOINTS;
  }

  *sync({ written }: Snapshot): Task<Outcome> {
    const rules = written.map((service) => this.take(service));
    const isCleanup = this.isCleanupDue();
    const stale = isCleanup ? this.chains.countStale() : 0;
    if (isCleanup) this.lastCleanup = this.context.cluster.kernel.now;
    const write = this.sizeOf(written, stale);
    const isApplied = yield* this.context.write(write.lines);
    if (isApplied) this.chains.applied(isCleanup);
    else this.context.error('Failed to execute iptables-restore', INJECTED_FAILURE);
    return { isApplied, write, rules: isApplied ? rules : [] };
  }

  /** Works out what a Service takes, and its rules. */
  private take(service: ProxiedService): ServiceRules {
    const chains: string[] = [];
    const lines = { sharedNatRules: 0, sharedFilterRules: 0, rules: 0, endpoints: 0 };
    const frontends = service.ports.flatMap((port) => {
      const endpoints = service.endpoints.get(portKey(port)) ?? [];
      const selection: Selection = this.context.select(port, endpoints);
      const own = portChains(port, selection, this.options.detectsLocalPods);
      chains.push(...own.chains);
      lines.sharedNatRules += own.sharedNatRules;
      lines.sharedFilterRules += own.sharedFilterRules;
      lines.rules += own.rules;
      lines.endpoints += endpoints.length;
      return frontendsOf(port, selection, this.options);
    });
    this.chains.need(service.key, chains);
    this.replace(service.key, { ...lines, chains: chains.length });
    return { service: service.key, frontends };
  }

  /** Keeps the sums over all Services. */
  private replace(key: string, lines: ServiceLines): void {
    const before = this.services.get(key);
    this.sharedNatRules += lines.sharedNatRules - (before?.sharedNatRules ?? 0);
    this.sharedFilterRules += lines.sharedFilterRules - (before?.sharedFilterRules ?? 0);
    this.endpoints += lines.endpoints - (before?.endpoints ?? 0);
    this.services.set(key, lines);
  }

  /** In a large cluster stale chains are looked for once in a syncPeriod only. */
  private isCleanupDue(): boolean {
    const { cluster, input } = this.context;
    if (!this.isLargeCluster || this.lastCleanup === null) return true;
    return cluster.kernel.now > later(this.lastCleanup, input.syncPeriod);
  }

  /** A stale chain takes two lines: one makes it empty, one deletes it. */
  private sizeOf(written: readonly ProxiedService[], stale: number) {
    let natChains: number = BASE.natChains + stale;
    let natRules: number = BASE.natRules + stale + this.sharedNatRules;
    for (const { key } of written) {
      const lines = this.services.get(key);
      natChains += lines?.chains ?? 0;
      natRules += lines?.rules ?? 0;
    }
    const filterRules = BASE.filterRules + this.sharedFilterRules;
    const { filterChains } = BASE;
    const lines = TABLE_LINES + filterChains + filterRules + natChains + natRules;
    return { lines, filterChains, filterRules, natChains, natRules };
  }
}
