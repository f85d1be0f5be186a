import { later, type Micros } from '../../../base/units.ts';
import type { Task } from '../../kernel/kernel.ts';
import { detectsLocalPods } from '../context.ts';
import type { FrontendOptions } from '../frontends.ts';
import {
  FULL_SYNC_PERIOD,
  INJECTED_FAILURE,
  type Mode,
  type ModeContext,
  type Outcome,
  type ProxiedService,
  type RuleWriter,
  type Snapshot,
} from '../mode.ts';
import { SharedPlans } from '../sharedPlans.ts';
import { NatChains } from './natChains.ts';
import { planService, type ServicePlan } from './servicePlan.ts';

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
  maxInterval: () => FULL_SYNC_PERIOD,
};

/** Plans of Services that are the same on all nodes; where the proxy can tell its Pods' traffic, and where not. */
const SHARED = { detecting: new SharedPlans<ServicePlan>(), plain: new SharedPlans<ServicePlan>() } as const;

/** Source: pkg/proxy/iptables/proxier.go, syncProxyRules. */
class IptablesWriter implements RuleWriter {
  private readonly context: ModeContext;
  private readonly options: FrontendOptions;
  private readonly plans = new Map<string, ServicePlan>();
  private readonly chains = new NatChains();
  /** Over all Services. */
  private readonly sums = { sharedNatRules: 0, sharedFilterRules: 0, endpoints: 0 };
  private lastCleanup: Micros | null = null;

  constructor(context: ModeContext) {
    this.context = context;
    this.options = { detectsLocalPods: detectsLocalPods(context), checksRangesWithoutEndpoints: false };
  }

  get skipsPeriodicFullSync(): boolean {
    return this.isLargeCluster && this.context.cluster.minor >= SINCE.noHourlySyncWhenLarge;
  }

  private get isLargeCluster(): boolean {
    return this.sums.endpoints > LARGE_CLUSTER_ENDPOINTS;
  }

  *sync({ written }: Snapshot): Task<Outcome> {
    const plans = written.map((service) => this.take(service));
    const isCleanup = this.isCleanupDue();
    const stale = isCleanup ? this.chains.countStale() : 0;
    if (isCleanup) this.lastCleanup = this.context.cluster.kernel.now;
    const write = this.sizeOf(plans, stale);
    const isApplied = yield* this.context.write(write.lines);
    if (isApplied) this.chains.applied(isCleanup);
    else this.context.error('Failed to execute iptables-restore', INJECTED_FAILURE);
    return { isApplied, write, rules: isApplied ? plans.map(({ inForce }) => inForce) : [] };
  }

  /** Works out what a Service takes, and keeps the sums over all Services. */
  private take(service: ProxiedService): ServicePlan {
    const { key, ports } = service;
    const shared = this.options.detectsLocalPods ? SHARED.detecting : SHARED.plain;
    const plan = shared.get(service, () => planService(service, this.context.select, this.options));
    const before = this.plans.get(key);
    this.sums.sharedNatRules += plan.sharedNatRules - (before?.sharedNatRules ?? 0);
    this.sums.sharedFilterRules += plan.sharedFilterRules - (before?.sharedFilterRules ?? 0);
    this.sums.endpoints += plan.endpoints - (before?.endpoints ?? 0);
    if (ports.length > 0) this.plans.set(key, plan);
    else this.plans.delete(key);
    this.chains.need(key, plan.chains);
    return plan;
  }

  /** In a large cluster stale chains are looked for once in a syncPeriod only. */
  private isCleanupDue(): boolean {
    const { cluster, input } = this.context;
    if (!this.isLargeCluster || this.lastCleanup === null) return true;
    return cluster.kernel.now > later(this.lastCleanup, input.syncPeriod);
  }

  /** A stale chain takes two lines: one makes it empty, one deletes it. */
  private sizeOf(plans: readonly ServicePlan[], stale: number) {
    let natChains: number = BASE.natChains + stale;
    let natRules: number = BASE.natRules + stale + this.sums.sharedNatRules;
    for (const { chains, rules } of plans) {
      natChains += chains.size;
      natRules += rules;
    }
    const filterRules = BASE.filterRules + this.sums.sharedFilterRules;
    const { filterChains } = BASE;
    const lines = TABLE_LINES + filterChains + filterRules + natChains + natRules;
    return { lines, filterChains, filterRules, natChains, natRules };
  }
}
