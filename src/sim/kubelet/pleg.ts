import { later, type Micros, type MicrosSpan, seconds } from '../../base/units.ts';
import type { Timer } from '../kernel/kernel.ts';
import type { KnownRelist, PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { KubeletContext } from './context.ts';
import type { ContainerRuntime } from './runtime/containerRuntime.ts';
import type { RuntimePod } from './runtime/records.ts';
import type { SettledStatuses } from './status/settledStatuses.ts';

export type PlegEventType = 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'ContainerChanged';
export interface PlegEvent {
  readonly type: PlegEventType;
  readonly pod: PodInput;
  /** Container or sandbox. */
  readonly id: string;
}

/** From the end of one global relist to the begin of the next (K-090, G-4). */
const RELIST_PERIOD = seconds(1);

interface CacheEntry {
  readonly view: RuntimePod;
  /** Timestamp of the last listing that made the entry, or looked at this Pod on demand. */
  observed: Micros;
}
/** Called with the view; `ref` is the last event that the relist sent, if it sent one. */
type Resume = (view: RuntimePod, ref: Ref) => void;

interface Waiter {
  readonly pod: PodInput;
  readonly newerThan: Micros;
  readonly resume: Resume;
}
interface Request {
  readonly pod: PodInput;
  readonly at: Micros;
  readonly ref: Ref;
}

/**
 * The generic PLEG and the Pod cache behind it.
 *
 * One goroutine relists everything, 1 s after the last time it was done, and single Pods on demand in between. A global
 * relist that finds nothing and that nobody waits for leaves no trace, so it is not queued either: the grid of
 * relists is arithmetic.
 *
 *     begin ──plegRelist──▶ view ──1 s──▶ begin …          timestamp of a listing = its view [measured]
 *
 * Source: pkg/kubelet/pleg/generic.go Relist; pkg/kubelet/container/cache.go (K-090 to K-101).
 */
export class Pleg {
  private readonly context: KubeletContext;
  private readonly runtime: ContainerRuntime;
  private readonly settled: SettledStatuses;
  private readonly emit: (events: readonly PlegEvent[], causes: readonly Ref[]) => Ref;
  private readonly entries = new Map<string, CacheEntry>();
  private readonly changed = new Map<string, { readonly pod: PodInput; readonly causes: Ref[] }>();
  private readonly requests: Request[] = [];
  private waiters: Waiter[] = [];
  private serving = false;
  /** View of one global relist; the others follow from it. */
  private anchor: Micros;
  private readonly cycle: MicrosSpan;
  /** A relist that is known to come, or to have come last. */
  private expected: KnownRelist | null = null;
  private globalTimer: Timer | null = null;

  constructor(
    context: KubeletContext,
    runtime: ContainerRuntime,
    settled: SettledStatuses,
    emit: (events: readonly PlegEvent[], causes: readonly Ref[]) => Ref,
  ) {
    this.context = context;
    this.runtime = runtime;
    this.settled = settled;
    this.emit = emit;
    this.anchor = later(context.phases.relist, context.latency.plegRelist);
    this.cycle = (RELIST_PERIOD + context.latency.plegRelist) as MicrosSpan;
    for (const relist of context.config.relists ?? []) this.expect(relist);
  }

  /** A global relist is known to come. */
  private expect(relist: KnownRelist): void {
    const { kernel } = this.context;
    if (relist.view <= kernel.now) return;
    kernel.at(Math.max(relist.after, kernel.now) as Micros, 'runtime', () => {
      this.expected = { after: kernel.now, view: relist.view };
      this.anchor = relist.view;
      this.armGlobal();
    });
  }

  /** The runtime changed in a way that a relist sees. */
  podChanged(pod: PodInput, ref: Ref): void {
    const known = this.changed.get(pod.identity);
    if (known) known.causes.push(ref);
    else this.changed.set(pod.identity, { pod, causes: [ref] });
    this.armGlobal();
  }

  /** Asks for an on-demand relist of one Pod (K-096). */
  request(pod: PodInput, ref: Ref): void {
    this.requests.push({ pod, at: this.context.kernel.now, ref });
    this.serve();
  }

  /** The cached view without any condition. */
  cached(pod: PodInput): RuntimePod {
    return this.entries.get(pod.identity)?.view ?? { sandboxes: [], containers: [] };
  }

  /** The runtime's own word, past the cache; the known address stays without a ready sandbox (K-048 step 5, K-095). */
  readNow(pod: PodInput): RuntimePod {
    return keepAddress(this.cached(pod), this.runtime.view(pod));
  }

  /**
   * The cached view if it is newer than `newerThan`; null asks for no more than that there ever was a relist (K-098, K-099).
   * `known`: the cached view, of a caller who has it.
   */
  newerThan(pod: PodInput, newerThan: Micros | null, known: RuntimePod | null): RuntimePod | null {
    const global = this.lastGlobal();
    if (global !== null && (newerThan === null || global > newerThan)) return known ?? this.cached(pod);
    const entry = this.entries.get(pod.identity);
    return newerThan !== null && entry !== undefined && entry.observed > newerThan ? entry.view : null;
  }

  /** Calls `resume` with the first view that is newer than `newerThan`, which the cached one is not. */
  awaitNewer(pod: PodInput, newerThan: Micros | null, resume: Resume): void {
    this.waiters.push({ pod, newerThan: newerThan ?? (-Infinity as Micros), resume });
    this.armGlobal();
  }

  /** Timestamp of the last finished global relist; null before the first. */
  private lastGlobal(): Micros | null {
    const { now } = this.context.kernel;
    if (this.expected && now < this.expected.view) return this.expected.after;
    const turns = Math.floor((now - this.anchor) / this.cycle);
    const view = (this.anchor + turns * this.cycle) as Micros;
    return view < this.firstView ? null : view;
  }

  /** View of the first global relist at or after `t`. */
  private viewFrom(t: Micros): Micros {
    if (this.expected && t > this.expected.after && t <= this.expected.view) return this.expected.view;
    const turns = Math.ceil((t - this.anchor) / this.cycle);
    return Math.max(this.anchor + turns * this.cycle, this.firstView) as Micros;
  }

  private get firstView(): Micros {
    return later(this.context.startedAt, this.context.latency.plegRelist);
  }

  /** Queues the next global relist that can see a change or serve a waiter. */
  private armGlobal(): void {
    const { kernel } = this.context;
    const wanted: Micros[] = this.waiters.map(({ newerThan }) => later(newerThan, 1 as MicrosSpan));
    if (this.changed.size > 0) wanted.push(kernel.now);
    if (wanted.length === 0) return;
    const viewAt = this.viewFrom(Math.max(Math.min(...wanted), kernel.now) as Micros);
    if (this.globalTimer && !this.globalTimer.cancelled && this.globalTimer.at === viewAt) return;
    if (this.globalTimer) this.globalTimer.cancelled = true;
    this.globalTimer = kernel.at(viewAt, 'runtime', () => {
      this.globalTimer = null;
      this.globalView();
    });
  }

  private globalView(): void {
    const timestamp = this.context.kernel.now;
    const events: PlegEvent[] = [];
    const causes: Ref[] = [];
    for (const { pod, causes: why } of [...this.changed.values()]) {
      const found = this.relistPod(pod);
      if (found.length > 0) causes.push(...why);
      events.push(...found);
    }
    const isServed = (waiter: Waiter): boolean => timestamp >= waiter.newerThan;
    // The worker of a Pod that has gone whole is told last, and begins before the syncLoop does (see inStartOrder).
    this.wake((waiter) => isServed(waiter) && isEmpty(this.cached(waiter.pod)), NO_REF);
    this.wake(isServed, this.send(events, causes));
    this.armGlobal();
  }

  /** Compares one Pod with its cached view; stores the new one if anything happened. */
  private relistPod(pod: PodInput): PlegEvent[] {
    this.changed.delete(pod.identity);
    const before = this.cached(pod);
    const now = this.runtime.view(pod);
    const events = [
      ...differences(pod, before.containers, now.containers, (record) => record.state),
      ...differences(pod, before.sandboxes, now.sandboxes, (sandbox) => (sandbox.ready ? 'running' : 'exited')),
    ];
    if (events.length > 0) {
      this.entries.set(pod.identity, { view: keepAddress(before, now), observed: this.context.kernel.now });
      this.settled.outdate(pod);
    }
    return events;
  }

  /** Takes on-demand requests one after another; a global relist that is due goes first, and makes older ones pointless. */
  private serve(): void {
    if (this.serving) return;
    const request = this.requests[0];
    if (!request) return;
    const { kernel, latency, hops } = this.context;
    const view = this.viewFrom(later(kernel.now, 1 as MicrosSpan));
    if (view - latency.plegRelist <= kernel.now) {
      this.serving = true;
      kernel.at(view, 'runtime', () => {
        this.serving = false;
        this.serve();
      });
      return;
    }
    this.requests.shift();
    const last = this.lastGlobal();
    if (last !== null && request.at < last) return this.serve();
    this.serving = true;
    const begin = kernel.now;
    const length = hops.next('plegRelistPod', request.pod.identity, begin, latency.plegRelistPod);
    kernel.after(length, 'runtime', () => this.onDemandView(request, begin));
  }

  private onDemandView({ pod, ref }: Request, begin: Micros): void {
    const { kernel, latency } = this.context;
    const causes = [...(this.changed.get(pod.identity)?.causes ?? []), ref];
    const events = this.relistPod(pod);
    const entry = this.entries.get(pod.identity);
    if (entry) entry.observed = kernel.now;
    const sent = this.send(events, causes);
    this.wake((waiter) => waiter.pod === pod && kernel.now >= waiter.newerThan, sent);
    // A global relist that fell due meanwhile begins only now, and the grid moves with it.
    const due = this.viewFrom(later(begin, latency.plegRelist)) - latency.plegRelist;
    if (due <= kernel.now) this.anchor = later(kernel.now, latency.plegRelist);
    this.serving = false;
    this.armGlobal();
    this.serve();
  }

  /** ContainerChanged is noted in the cache but never sent (K-092). */
  private send(events: readonly PlegEvent[], causes: readonly Ref[]): Ref {
    const sent = events.filter(({ type }) => type !== 'ContainerChanged');
    return sent.length > 0 ? this.emit(sent, causes) : NO_REF;
  }

  private wake(served: (waiter: Waiter) => boolean, ref: Ref): void {
    const ready = this.waiters.filter(served);
    if (ready.length === 0) return;
    this.waiters = this.waiters.filter((waiter) => !served(waiter));
    for (const { pod, resume } of ready) resume(this.cached(pod), ref);
  }
}

const isEmpty = ({ sandboxes, containers }: RuntimePod): boolean => sandboxes.length + containers.length === 0;

interface Listed {
  readonly id: string;
}

/** Events of one relist for containers or sandboxes (K-092); created counts as unknown. */
function differences<T extends Listed>(
  pod: PodInput,
  before: readonly T[],
  now: readonly T[],
  state: (item: T) => string,
): PlegEvent[] {
  const events: PlegEvent[] = [];
  const stateIn = (list: readonly T[], id: string): string => {
    const item = list.find((candidate) => candidate.id === id);
    return item ? state(item) : 'absent';
  };
  // The runtime lists the newest first, and what was known comes before what is new.
  const ids = new Set([...before.toReversed(), ...now.toReversed()].map(({ id }) => id));
  for (const id of ids) {
    const was = stateIn(before, id);
    const is = stateIn(now, id);
    if (was === is) continue;
    if (is === 'running') events.push({ type: 'ContainerStarted', pod, id });
    else if (is === 'exited') events.push({ type: 'ContainerDied', pod, id });
    else if (is === 'created') events.push({ type: 'ContainerChanged', pod, id });
    else if (is === 'absent') {
      if (was !== 'exited') events.push({ type: 'ContainerDied', pod, id });
      events.push({ type: 'ContainerRemoved', pod, id });
    }
  }
  return events;
}

/** K-095: without a ready sandbox in the new view the old addresses stay. */
function keepAddress(before: RuntimePod, now: RuntimePod): RuntimePod {
  if (now.sandboxes.some(({ ready }) => ready)) return now;
  const { ip = '', ipv6 = '' } = before.sandboxes.findLast((sandbox) => sandbox.ip !== '') ?? {};
  return {
    ...now,
    sandboxes: now.sandboxes.map((sandbox, i) => (i === now.sandboxes.length - 1 ? { ...sandbox, ip, ipv6 } : sandbox)),
  };
}
