import { MICROS_PER_SECOND, type Micros, seconds } from '../../../base/units.ts';
import type { Task } from '../../kernel/kernel.ts';
import { detectsLocalPods } from '../context.ts';
import { type FrontendOptions, frontendsOf } from '../frontends.ts';
import {
  INJECTED_FAILURE,
  type Mode,
  type ModeContext,
  type Outcome,
  type RuleWriter,
  type Snapshot,
} from '../mode.ts';
import type { Frontend, ServiceRules } from '../rules.ts';
import { portKey } from '../servicePort.ts';
import { type Here, type PortRules, portRules } from './portRules.ts';
import { NftTable } from './table.ts';

/** Minor version since which a sync leaves out what did not change. */
const PARTIAL_SINCE = 32;

/** kube-proxy in nftables mode: one table, one transaction for each sync (P-040). */
export const nftables: Mode = {
  start: (context) => new NftablesWriter(context),
  isAlwaysFull: (minor) => minor < PARTIAL_SINCE,
  logsRetry: true,
  maxInterval: () => seconds(3600),
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

class NftablesWriter implements RuleWriter {
  readonly skipsPeriodicFullSync = false;
  private readonly context: ModeContext;
  private readonly here: Here & FrontendOptions;
  private readonly table = new NftTable();
  private hasFlushed = false;
  private hasTable = false;

  constructor(context: ModeContext) {
    this.context = context;
    const { node } = context.input;
    this.here = { node, detectsLocalPods: detectsLocalPods(context), checksRangesWithoutEndpoints: true };
  }

  *sync({ isFull, written }: Snapshot): Task<Outcome> {
    const { cluster } = this.context;
    const start = cluster.kernel.now;
    const deleted = yield* this.deleteStaleChains(start);
    const rules: ServiceRules[] = [];
    const wanted = new Map<string, readonly PortRules[]>();
    for (const service of written) {
      const ports: PortRules[] = [];
      const frontends: Frontend[] = [];
      for (const port of service.ports) {
        const selection = this.context.select(port, service.endpoints.get(portKey(port)) ?? []);
        ports.push(portRules(port, selection, this.here));
        frontends.push(...frontendsOf(port, selection, this.here));
      }
      wanted.set(service.key, ports);
      rules.push({ service: service.key, frontends });
    }
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
    return { isApplied, write, rules: isApplied ? rules : [] };
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
    return SETUP_OPERATIONS + first + (this.here.detectsLocalPods ? DETECT_LOCAL_OPERATIONS : 0);
  }
}
