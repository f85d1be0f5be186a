import { later, type Micros, type MicrosSpan, seconds } from '../../base/units.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import type { KubeletContext } from './context.ts';

/** Period of the syncLoop's sync ticker (K-008). */
const SYNC_PERIOD = seconds(1);

export interface Due {
  readonly pod: PodInput;
  readonly dueAt: Micros;
  /** The event that queued it. */
  readonly ref: Ref;
}

/** A Pod that is listed on every tick from `from` on: its active deadline is over (K-017). */
interface Standing {
  readonly pod: PodInput;
  readonly from: Micros;
  readonly ref: Ref;
}

/** Go walks maps here, in any order (D-5). */
const byCreation = (a: Due, b: Due): number => a.pod.createdAt - b.pod.createdAt;

/**
 * The pod workers' queue, looked at on the syncLoop's 1 s tick: what is due strictly before a tick is taken by it.
 * Ticks that nothing is queued for do not happen.
 *
 * Source: pkg/kubelet/util/queue/work_queue.go; pkg/kubelet/kubelet.go getPodsToSync (K-017, K-040 to K-042).
 */
export class WorkQueue {
  private readonly context: KubeletContext;
  private readonly entries = new Map<string, Due>();
  /** Entries by the number of the tick that takes them; some may have been replaced since. */
  private readonly ticks = new Map<number, Due[]>();
  private readonly standing = new Map<string, Standing>();
  private readonly onTick: (due: readonly Due[]) => void;

  constructor(context: KubeletContext, onTick: (due: readonly Due[]) => void) {
    this.context = context;
    this.onTick = onTick;
  }

  /** Queues the Pod for `delay` µs from now; a Pod has one entry, the last one counts. */
  enqueue(pod: PodInput, delay: MicrosSpan, ref: Ref): void {
    const entry = { pod, dueAt: later(this.context.kernel.now, delay), ref };
    this.entries.set(pod.identity, entry);
    this.takenAt(this.tickAfter(entry.dueAt)).push(entry);
  }

  /** Lists the Pod on every tick from the first one at or after `from`. */
  stand(pod: PodInput, from: Micros, ref: Ref): void {
    if (this.standing.has(pod.identity)) return;
    const standing = { pod, from, ref };
    this.standing.set(pod.identity, standing);
    this.awaitTickOf(standing);
  }

  /** The Pod is gone. */
  forget(pod: PodInput): void {
    this.standing.delete(pod.identity);
    this.entries.delete(pod.identity);
  }

  /** Number of the first tick strictly later than `t`. */
  private tickAfter(t: Micros): number {
    return Math.floor((t - this.context.phases.sync) / SYNC_PERIOD) + 1;
  }

  /** What a tick will take. */
  private takenAt(tick: number): Due[] {
    let taken = this.ticks.get(tick);
    if (!taken) {
      taken = [];
      this.ticks.set(tick, taken);
      const { kernel, phases } = this.context;
      kernel.at((phases.sync + tick * SYNC_PERIOD) as Micros, 'kubelet', () => this.tick(tick));
    }
    return taken;
  }

  /** Makes the next tick happen that lists the Pod. */
  private awaitTickOf({ from }: Standing): void {
    this.takenAt(this.tickAfter(Math.max(from - 1, this.context.kernel.now) as Micros));
  }

  private tick(tick: number): void {
    const { now } = this.context.kernel;
    const taken = this.takenAt(tick);
    this.ticks.delete(tick);
    const due = taken.filter((entry) => this.entries.get(entry.pod.identity) === entry);
    for (const { pod } of due) this.entries.delete(pod.identity);
    for (const standing of this.standing.values()) {
      const { pod, from, ref } = standing;
      if (from <= now && !due.some((one) => one.pod === pod)) due.push({ pod, dueAt: from, ref });
      this.awaitTickOf(standing);
    }
    if (due.length > 0) this.onTick(due.sort(byCreation));
  }
}
