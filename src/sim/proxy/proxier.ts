import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { EndpointSliceObject, ServiceObject } from '../api/objects.ts';
import type { NeighbourSync } from '../clusterInput.ts';
import type { Task } from '../kernel/kernel.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { ProxierContext } from './context.ts';
import { selectEndpoints } from './endpointSelection.ts';
import { type AfterSync, FULL_SYNC_PERIOD, type Mode, type ModeContext, type RuleWriter } from './mode.ts';
import { Mutex } from './mutex.ts';
import { OlderBoundedFrequencyRunner } from './olderRunner.ts';
import { ProxiedServices } from './proxiedServices.ts';
import type { FrontendInForce } from './rules.ts';
import { RulesInForce } from './rulesInForce.ts';
import { BoundedFrequencyRunner, type Runner } from './runner.ts';

/** Kubernetes minor version since which the minimum interval counts from the end of a run, without a burst (P-021). */
const END_TO_START_SINCE = 34;

/**
 * One family of a kube-proxy: takes what the config handlers deliver, and keeps the rules of its node in step with it.
 * Source: pkg/proxy/iptables/proxier.go, whose frame all modes share.
 */
export class Proxier {
  private readonly context: ProxierContext;
  private readonly mode: Mode;
  private readonly services: ProxiedServices;
  private readonly inForce: RulesInForce;
  private readonly writer: RuleWriter;
  private readonly afterSync: readonly AfterSync[];
  private readonly runner: Runner;
  private readonly mutex = new Mutex();
  private zone = '';
  private areServicesSynced = false;
  private areSlicesSynced = false;
  private needsFullSync = true;
  private lastFullSync: Micros | null = null;
  private isFirstWrite = true;
  /** Events since the last checkout that ask for a sync. */
  private causes: Ref[] = [];
  private lastSync: Ref = NO_REF;
  /** Neighbours' syncs: the one that comes next, and the one under way. */
  private nextNeighbour: NeighbourSync | null = null;
  private neighbour: NeighbourSync | null = null;

  /** `afterSync`: what else is kept in step, in this order. */
  constructor(context: ProxierContext, mode: Mode, afterSync: readonly ((context: ModeContext) => AfterSync)[]) {
    const { cluster, input, family, subject } = context;
    const { kernel, trace, minor, wall } = cluster;
    this.context = context;
    this.mode = mode;
    this.services = new ProxiedServices(family, minor, wall.epoch + kernel.now);
    this.inForce = new RulesInForce(context);
    const modeContext: ModeContext = {
      ...context,
      select: (port, endpoints) => selectEndpoints(port, endpoints, { node: input.node, zone: this.zone }, minor),
      write: (lines) => this.write(lines),
      apply: (rules) => this.inForce.apply(rules, this.lastSync),
      syncRef: () => this.lastSync,
      error: (message, error) => {
        trace.event('proxyError', kernel.now, subject, { message, error }, [this.lastSync]);
      },
    };
    this.writer = mode.start(modeContext);
    this.afterSync = afterSync.map((start) => start(modeContext));
    const RunnerOfVersion = minor >= END_TO_START_SINCE ? BoundedFrequencyRunner : OlderBoundedFrequencyRunner;
    this.runner = new RunnerOfVersion({
      kernel,
      minInterval: input.minSyncPeriod,
      retryInterval: input.syncPeriod,
      maxInterval: mode.maxInterval(input),
      fn: (isLate) => this.sync(isLate),
    });
  }

  /** SyncLoop. */
  start(): void {
    this.runner.start();
    const { cluster, input } = this.context;
    for (const sync of input.neighbours ?? [])
      cluster.kernel.at(sync.at, 'proxy', () => {
        this.nextNeighbour = sync;
        this.runner.run();
      });
  }

  /** A Service came, changed or went (`now` null); `ref` is the event of it. */
  onService(old: ServiceObject | null, now: ServiceObject | null, ref: Ref): void {
    if (this.services.onService(old, now)) this.requestSync(ref);
  }

  onEndpointSlice(slice: EndpointSliceObject, isRemoved: boolean, ref: Ref): void {
    if (this.services.onEndpointSlice(slice, isRemoved)) this.requestSync(ref);
  }

  /** The initial Services have been delivered. It and the like of the slices sync at once, not through the runner (P-003). */
  *onServicesSynced(): Task<void> {
    const unlock = yield* this.mutex.lock();
    this.areServicesSynced = true;
    unlock();
    yield* this.sync(false);
  }

  *onEndpointSlicesSynced(): Task<void> {
    const unlock = yield* this.mutex.lock();
    this.areSlicesSynced = true;
    unlock();
    yield* this.sync(false);
  }

  /** The node's zone label changed; '' without one (P-007). `labels`: as JSON. */
  *onTopologyChange(zone: string, labels: string, ref: Ref): Task<void> {
    const unlock = yield* this.mutex.lock();
    this.zone = zone;
    this.needsFullSync = true;
    unlock();
    const { cluster, subject } = this.context;
    const payload = { which: 'labels', labels };
    this.causes.push(cluster.trace.event('proxyTopology', cluster.kernel.now, subject, payload, [ref]));
    this.runner.run();
  }

  /** The rules in force for a frontend; null when there are none. */
  frontend(frontend: string): FrontendInForce | null {
    return this.inForce.get(frontend);
  }

  private get isInitialised(): boolean {
    return this.areServicesSynced && this.areSlicesSynced;
  }

  private requestSync(cause: Ref): void {
    this.causes.push(cause);
    if (this.isInitialised) this.runner.run();
  }

  /** syncProxyRules: false when it failed. */
  private *sync(isLate: boolean): Task<boolean> {
    const unlock = yield* this.mutex.lock();
    const isApplied = this.isInitialised ? yield* this.syncRules(isLate) : this.refuse();
    unlock();
    return isApplied;
  }

  /** Nothing is written before Services and slices are both known; that is no failure (P-003). */
  private refuse(): boolean {
    const { cluster, familyName, subject } = this.context;
    cluster.trace.event('proxyNotInitialised', cluster.kernel.now, subject, { family: familyName }, this.causes);
    return true;
  }

  private *syncRules(isLate: boolean): Task<boolean> {
    const { cluster, familyName, subject, input } = this.context;
    const { kernel, trace } = cluster;
    const isFull = this.isFullSyncDue();
    const { snapshot, triggerTimes } = this.services.checkout(isFull, this.inForce.services());
    const armed = isLate ? this.lastSync : NO_REF;
    const payload = { ...UNFINISHED, isFull: isFull ? 1 : 0, family: familyName };
    const sync = trace.event('proxySync', kernel.now, subject, payload, this.causes, armed, Number.NaN);
    this.causes = [];
    this.lastSync = sync;
    this.neighbour = this.nextNeighbour;
    this.nextNeighbour = null;
    const { isApplied, write, rules } = yield* this.writer.sync(snapshot);
    // What the trackers had is used up: only a full sync makes up for a failed one (P-024).
    this.needsFullSync = !isApplied;
    if (isApplied && isFull) this.lastFullSync = kernel.now;
    if (isApplied) for (const keepInStep of this.afterSync) keepInStep(snapshot, sync);
    else if (this.mode.logsRetry)
      trace.event('proxySyncFailed', kernel.now, subject, { retry: input.syncPeriod }, [sync]);
    const outcome = {
      write: JSON.stringify(write),
      networkProgramming: isApplied ? this.networkProgramming(triggerTimes) : '',
      result: isApplied ? 'applied' : 'failed',
    };
    trace.end<'proxySync'>(sync, kernel.now, outcome, false);
    this.inForce.apply(rules, sync);
    yield this.afterSyncLength();
    return isApplied;
  }

  private isFullSyncDue(): boolean {
    const { kernel, minor } = this.context.cluster;
    if (this.needsFullSync || this.lastFullSync === null || this.mode.isAlwaysFull(minor)) return true;
    return kernel.now > later(this.lastFullSync, FULL_SYNC_PERIOD) && !this.writer.skipsPeriodicFullSync;
  }

  /** JSON of the time from each trigger to now: a metric of kube-proxy. */
  private networkProgramming(triggerTimes: ReadonlyMap<string, readonly number[]>): string {
    if (triggerTimes.size === 0) return '';
    const { kernel, wall } = this.context.cluster;
    const now = wall.epoch + kernel.now;
    const elapsed = [...triggerTimes].flatMap(([service, times]) =>
      times.map((time) => ({ service, elapsedUs: now - time })),
    );
    return JSON.stringify(elapsed);
  }

  /** From the end of the write to that of the run. */
  private afterSyncLength(): MicrosSpan {
    const { cluster, input } = this.context;
    const { proxyAfterSync } = cluster.input.latency;
    return this.neighbour?.after ?? cluster.hops.next('proxyAfterSync', input.name, cluster.kernel.now, proxyAfterSync);
  }

  private *write(lines: number): Task<boolean> {
    const { cluster, input } = this.context;
    const usual = input.kernelWriteBase + Math.floor((lines * input.kernelWritePerLineNs) / NS_PER_MICRO);
    const takes =
      this.neighbour?.write ?? cluster.hops.next('ruleWrite', input.name, cluster.kernel.now, usual as MicrosSpan);
    if (!this.isFirstWrite) yield takes;
    this.isFirstWrite = false;
    const { now } = cluster.kernel;
    return !(input.fail && now >= input.fail.from && now < input.fail.until);
  }
}

const NS_PER_MICRO = 1000;

const UNFINISHED = { write: '', networkProgramming: '', result: '' };
