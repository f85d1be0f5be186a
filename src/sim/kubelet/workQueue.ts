import { later, type Micros, type MicrosSpan, seconds } from '../../base/units.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { KubeletContext } from './context.ts';

/** Period of the syncLoop's sync ticker (K-008). */
const SYNC_PERIOD = seconds(1);

/** A Pod that a tick takes. `W`: the worker of a Pod. */
export interface Due<W> {
  readonly pod: PodInput;
  /** The event that queued it. */
  readonly ref: Ref;
  /** Whose turn it is, if that is known. */
  readonly worker: W | null;
}

/** The place of a Pod in the queue: its one entry, if it has one. */
export interface QueuePlace<W> extends Due<W> {
  pod: PodInput;
  ref: Ref;
  worker: W | null;
  /** Number of the tick that takes it; NOT_QUEUED. */
  tick: number;
}
const NOT_QUEUED = Number.MIN_SAFE_INTEGER;

/** A Pod that is listed on every tick from `from` on: its active deadline is over (K-017). */
interface Standing {
  readonly pod: PodInput;
  readonly from: Micros;
  readonly ref: Ref;
}

/** Sorts by creation, as Go walks maps here in any order (D-5). The lists are short, and most of them are in order. */
function sortByCreation<W>(due: Due<W>[]): void {
  for (let i = 1; i < due.length; i++) {
    const one = due[i] as Due<W>;
    let place = i;
    for (; place > 0 && (due[place - 1] as Due<W>).pod.createdAt > one.pod.createdAt; place--)
      due[place] = due[place - 1] as Due<W>;
    due[place] = one;
  }
}

/** The last one that was queued for a tick stands last, once. */
function moveToEnd<T>(place: T, taken: T[]): void {
  const before = taken.indexOf(place);
  if (before >= 0) taken.splice(before, 1);
  taken.push(place);
}

/**
 * The pod workers' queue, looked at on the syncLoop's 1 s tick: what is due strictly before a tick is taken by it.
 * Ticks that nothing is queued for do not happen.
 *
 * Source: pkg/kubelet/util/queue/work_queue.go; pkg/kubelet/kubelet.go getPodsToSync (K-017, K-040 to K-042).
 */
export class WorkQueue<W> {
  private readonly context: KubeletContext;
  private readonly places = new Map<string, QueuePlace<W>>();
  /** By the number of a tick those that were queued for it, the last one last; some may be queued for another one since. */
  private readonly ticks = new Map<number, QueuePlace<W>[]>();
  private readonly standing = new Map<string, Standing>();
  /** The tick of this instant. */
  private readonly tickNow: () => void;
  private readonly onTick: (due: readonly Due<W>[]) => void;

  constructor(context: KubeletContext, onTick: (due: readonly Due<W>[]) => void) {
    this.context = context;
    this.onTick = onTick;
    this.tickNow = () => this.tick(this.tickAfter(context.kernel.now) - 1);
  }

  /** The place of the Pod, for `enqueue`. The same one for each call. */
  placeOf(pod: PodInput): QueuePlace<W> {
    let place = this.places.get(pod.identity);
    if (!place) {
      place = { pod, ref: NO_REF, worker: null, tick: NOT_QUEUED };
      this.places.set(pod.identity, place);
    }
    return place;
  }

  /** Queues the Pod for `delay` µs from now; a Pod has one entry, the last one counts. */
  enqueue(place: QueuePlace<W>, pod: PodInput, delay: MicrosSpan, ref: Ref): void {
    const dueAt = later(this.context.kernel.now, delay);
    place.pod = pod;
    place.ref = ref;
    place.tick = this.tickAfter(dueAt);
    const taken = this.ticks.get(place.tick);
    if (taken) moveToEnd(place, taken);
    else this.await(place.tick, [place]);
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
    this.placeOf(pod).tick = NOT_QUEUED;
  }

  /** Number of the first tick strictly later than `t`. */
  private tickAfter(t: Micros): number {
    return Math.floor((t - this.context.phases.sync) / SYNC_PERIOD) + 1;
  }

  /** Makes a tick happen, which takes `taken`. */
  private await(tick: number, taken: QueuePlace<W>[]): void {
    this.ticks.set(tick, taken);
    const { kernel, phases } = this.context;
    kernel.at((phases.sync + tick * SYNC_PERIOD) as Micros, 'kubelet', this.tickNow);
  }

  /** Makes the next tick happen that lists the Pod. */
  private awaitTickOf({ from }: Standing): void {
    const tick = this.tickAfter(Math.max(from - 1, this.context.kernel.now) as Micros);
    if (!this.ticks.has(tick)) this.await(tick, []);
  }

  private tick(tick: number): void {
    const due: Due<W>[] = this.stillQueued(tick);
    if (this.standing.size > 0) this.addStanding(due);
    sortByCreation(due);
    if (due.length > 0) this.onTick(due);
  }

  /** Those whose entry the tick takes; the list that was kept for it is used for that. */
  private stillQueued(tick: number): QueuePlace<W>[] {
    const taken = this.ticks.get(tick) ?? [];
    this.ticks.delete(tick);
    let count = 0;
    for (const place of taken) {
      if (place.tick !== tick) continue;
      place.tick = NOT_QUEUED;
      taken[count++] = place;
    }
    taken.length = count;
    return taken;
  }

  /** Standing Pods whose time has come are due too, and stay so. */
  private addStanding(due: Due<W>[]): void {
    const { now } = this.context.kernel;
    for (const standing of this.standing.values()) {
      const { pod, from, ref } = standing;
      if (from <= now && !due.some((one) => one.pod === pod)) due.push({ pod, ref, worker: null });
      this.awaitTickOf(standing);
    }
  }
}
