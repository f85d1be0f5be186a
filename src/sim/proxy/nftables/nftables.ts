import { MICROS_PER_SECOND, type Micros } from '../../../base/units.ts';
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
import { hairpins, planService, type ServicePlan } from './servicePlan.ts';
import { type Content, NftTable } from './table.ts';

/** Minor version since which a sync leaves out what did not change (PR 126013). */
const PARTIAL_SINCE = 32;

/** kube-proxy in nftables mode: one table, one transaction for each sync (P-040). */
export const nftables: Mode = {
  start: (context) => new NftablesWriter(context),
  isAlwaysFull: (minor) => minor < PARTIAL_SINCE,
  logsRetry: true,
  maxInterval: () => FULL_SYNC_PERIOD,
};

/**
 * Operations of a full sync that set the table up: base chains, the chains that they jump to, their rules, and maps and
 * sets, whose elements stay. The first sync also takes away each base chain of an earlier kube-proxy.
 * Source: pkg/proxy/nftables/proxier.go, setupNFTables; the sums are what recordings show.
 */
const SETUP_OPERATIONS = 74;
const FIRST_SETUP_OPERATIONS = 16;
/** Masquerades what comes to cluster IPs from outside, where the proxy can tell. */
const DETECT_LOCAL_OPERATIONS = 1;

/** Plans of Services that are the same on all nodes; where the proxy can tell its Pods' traffic, and where not. */
const SHARED = { true: new SharedPlans<ServicePlan>(), false: new SharedPlans<ServicePlan>() } as const;

class NftablesWriter implements RuleWriter {
  readonly skipsPeriodicFullSync = false;
  private readonly context: ModeContext;
  private readonly options: FrontendOptions;
  private readonly table = new NftTable();
  private hasFlushed = false;
  private hasTable = false;

  constructor(context: ModeContext) {
    this.context = context;
    this.options = { detectsLocalPods: detectsLocalPods(context), checksRangesWithoutEndpoints: true };
  }

  *sync({ isFull, written }: Snapshot): Task<Outcome> {
    const { cluster } = this.context;
    const start = cluster.kernel.now;
    const deleted = yield* this.deleteStaleChains(start);
    const plans = written.map((service) => this.plan(service));
    const wanted = new Map(plans.map((plan) => [plan.inForce.service, this.contentOf(plan)]));
    const { operations, commit } = this.table.change(wanted);
    const size = operations + (isFull ? this.setup() : 0);
    const isApplied = yield* this.context.write(size);
    if (isApplied) {
      commit(start);
      this.hasTable = true;
    } else {
      this.table.forgetStale();
      this.context.error('nftables sync failed', INJECTED_FAILURE);
    }
    const write = { operations: deleted + size, ...(deleted > 0 && { transactions: 2 }) };
    return { isApplied, write, rules: isApplied ? plans.map(({ inForce }) => inForce) : [] };
  }

  private plan(service: ProxiedService): ServicePlan {
    return SHARED[`${this.options.detectsLocalPods}`].get(service, () =>
      planService(service, this.context.select, this.options),
    );
  }

  private contentOf(plan: ServicePlan): Content {
    return { ports: plan.ports.map(({ rules }) => rules), hairpins: hairpins(plan, this.context.input.node) };
  }

  /** Deletes, in a transaction of its own, the chains that are stale for more than a second; their number (P-040). */
  private *deleteStaleChains(start: Micros): Task<number> {
    const { cluster, subject, write, error } = this.context;
    const stale = this.table.takeStale((start - MICROS_PER_SECOND) as Micros);
    if (stale.length === 0) return 0;
    cluster.trace.event('deleteStaleChains', start, subject, { chains: stale.length }, [this.context.syncRef()]);
    if (yield* write(stale.length)) this.table.deleted(stale);
    else error('Unable to delete stale chains; will retry later', INJECTED_FAILURE);
    return stale.length;
  }

  private setup(): number {
    for (const what of this.hasTable ? [] : ['chains', 'sets']) {
      this.context.error(`Failed to list existing ${what}`, 'no such table "kube-proxy"');
    }
    const first = this.hasFlushed ? 0 : FIRST_SETUP_OPERATIONS;
    this.hasFlushed = true;
    return SETUP_OPERATIONS + first + (this.options.detectsLocalPods ? DETECT_LOCAL_OPERATIONS : 0);
  }
}
