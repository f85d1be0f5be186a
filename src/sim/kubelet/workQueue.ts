import { type Micros, type MicrosSpan, seconds } from '../../base/units.ts';
import type { Timer } from '../kernel/kernel.ts';
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

/**
 * The pod workers' queue, looked at on the syncLoop's 1 s tick: what is due strictly before a tick is taken by it.
 * Ticks that find nothing are not queued.
 *
 * Source: pkg/kubelet/util/queue/work_queue.go; pkg/kubelet/kubelet.go getPodsToSync (K-017, K-040 to K-042).
 */
export class WorkQueue {
  private readonly context: KubeletContext;
  private readonly entries = new Map<string, Due>();
  private readonly onTick: (due: readonly Due[]) => void;
  private readonly standing = new Map<string, Standing>();
  private timer: Timer | null = null;

  constructor(context: KubeletContext, onTick: (due: readonly Due[]) => void) {
    this.context = context;
    this.onTick = onTick;
  }

  /** Queues the Pod for `delay` µs from now; a Pod has one entry, the last one counts. */
  enqueue(pod: PodInput, delay: MicrosSpan, ref: Ref): void {
    const dueAt = (this.context.kernel.now + delay) as Micros;
    this.entries.set(pod.identity, { pod, dueAt, ref });
    this.armBy(this.tickAfter(dueAt));
  }

  /** Lists the Pod on every tick from the first one at or after `from`. */
  stand(pod: PodInput, from: Micros, ref: Ref): void {
    if (this.standing.has(pod.identity)) return;
    this.standing.set(pod.identity, { pod, from, ref });
    this.armBy(this.tickAfter((Math.max(from, this.context.kernel.now + 1) - 1) as Micros));
  }

  /** The Pod is gone. */
  forget(pod: PodInput): void {
    this.standing.delete(pod.identity);
    this.entries.delete(pod.identity);
  }

  private armBy(tick: Micros): void {
    if (this.timer && !this.timer.cancelled && this.timer.at <= tick) return;
    this.arm(tick);
  }

  /** The first tick strictly later than `t`. */
  private tickAfter(t: Micros): Micros {
    const phase = this.context.phases.sync;
    return (phase + (Math.floor((t - phase) / SYNC_PERIOD) + 1) * SYNC_PERIOD) as Micros;
  }

  private arm(at: Micros): void {
    if (this.timer) this.timer.cancelled = true;
    this.timer = this.context.kernel.at(at, 'kubelet', () => {
      this.timer = null;
      this.tick();
    });
  }

  private tick(): void {
    const { now } = this.context.kernel;
    const due: Due[] = [];
    let next = Infinity;
    for (const entry of this.entries.values()) {
      if (entry.dueAt < now) due.push(entry);
      else next = Math.min(next, entry.dueAt);
    }
    for (const { pod } of due) this.entries.delete(pod.identity);
    for (const { pod, from, ref } of this.standing.values()) {
      next = Math.min(next, Math.max(from - 1, now));
      if (from <= now && !due.some((one) => one.pod === pod)) due.push({ pod, dueAt: from, ref });
    }
    if (next < Infinity) this.arm(this.tickAfter(next as Micros));
    if (due.length > 0) this.onTick(due);
  }
}
