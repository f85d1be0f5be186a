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

/** Go walks maps here, in any order (D-5). Most lists are in order, and sorting takes memory. */
function inCreationOrder(due: Due[]): readonly Due[] {
  const byCreation = (a: Due, b: Due): number => a.pod.createdAt - b.pod.createdAt;
  const isOrdered = due.every((one, i) => i === 0 || byCreation(due[i - 1] as Due, one) <= 0);
  return isOrdered ? due : due.sort(byCreation);
}

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
  /** The tick of this instant. */
  private readonly tickNow: () => void;
  private readonly onTick: (due: readonly Due[]) => void;

  constructor(context: KubeletContext, onTick: (due: readonly Due[]) => void) {
    this.context = context;
    this.onTick = onTick;
    this.tickNow = () => this.tick(this.tickAfter(context.kernel.now) - 1);
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
      kernel.at((phases.sync + tick * SYNC_PERIOD) as Micros, 'kubelet', this.tickNow);
    }
    return taken;
  }

  /** Makes the next tick happen that lists the Pod. */
  private awaitTickOf({ from }: Standing): void {
    this.takenAt(this.tickAfter(Math.max(from - 1, this.context.kernel.now) as Micros));
  }

  private tick(tick: number): void {
    const due: Due[] = [];
    for (const entry of this.takenAt(tick)) {
      const { identity } = entry.pod;
      if (this.entries.get(identity) !== entry) continue;
      this.entries.delete(identity);
      due.push(entry);
    }
    this.ticks.delete(tick);
    if (this.standing.size > 0) this.addStanding(due);
    if (due.length > 0) this.onTick(inCreationOrder(due));
  }

  /** Standing Pods whose time has come are due too, and stay so. */
  private addStanding(due: Due[]): void {
    const { now } = this.context.kernel;
    for (const standing of this.standing.values()) {
      const { pod, from, ref } = standing;
      if (from <= now && !due.some((one) => one.pod === pod)) due.push({ pod, dueAt: from, ref });
      this.awaitTickOf(standing);
    }
  }
}
