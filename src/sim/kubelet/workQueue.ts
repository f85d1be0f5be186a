import { type Micros, type MicrosSpan, seconds } from '../../base/units.ts';
import type { Timer } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import type { NodeContext } from './context.ts';

/** Period of the syncLoop's sync ticker (K-008). */
const SYNC_PERIOD = seconds(1);

export interface Due {
  readonly pod: PodInput;
  readonly dueAt: Micros;
  /** The event that queued it. */
  readonly ref: Ref;
}

/**
 * The pod workers' queue, looked at on the syncLoop's 1 s tick: what is due strictly before a tick is taken by it.
 * Ticks that find nothing are not queued.
 *
 * Source: pkg/kubelet/util/queue/work_queue.go; pkg/kubelet/kubelet.go getPodsToSync (K-017, K-040 to K-042).
 */
export class WorkQueue {
  private readonly context: NodeContext;
  private readonly entries = new Map<string, Due>();
  private readonly onTick: (due: readonly Due[]) => void;
  private timer: Timer | null = null;

  constructor(context: NodeContext, onTick: (due: readonly Due[]) => void) {
    this.context = context;
    this.onTick = onTick;
  }

  /** Queues the Pod for `delay` µs from now; a Pod has one entry, the last one counts. */
  enqueue(pod: PodInput, delay: MicrosSpan, ref: Ref): void {
    const dueAt = (this.context.kernel.now + delay) as Micros;
    this.entries.set(pod.identity, { pod, dueAt, ref });
    const tick = this.tickAfter(dueAt);
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
    if (next < Infinity) this.arm(this.tickAfter(next as Micros));
    if (due.length > 0) this.onTick(due);
  }
}
