import type { Scheduler, Task } from '../../kernel/kernel.ts';
import { TokenBucket } from '../tokenBucket.ts';

/** Tokens of a zone's bucket. */
const BURST = 1;

/**
 * Nodes of one zone that wait for their NoExecute taint, first come first served and rate limited (N-035). A node that was
 * taken stays known, so that it is not queued again until it is removed.
 * Source: pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go.
 */
export class TaintQueue {
  private readonly kernel: Scheduler;
  private readonly waiting: string[] = [];
  private readonly known = new Set<string>();
  /** Nodes a second. */
  private rate: number;
  /** Null: nothing may pass. */
  private bucket: TokenBucket | null;

  constructor(kernel: Scheduler, rate: number) {
    this.kernel = kernel;
    this.rate = rate;
    this.bucket = new TokenBucket(kernel, rate, BURST);
  }

  /** False: it is known already. */
  add(node: string): boolean {
    if (this.known.has(node)) return false;
    this.known.add(node);
    this.waiting.push(node);
    return true;
  }

  /** Whether it was known. */
  remove(node: string): boolean {
    this.dequeue(node);
    return this.known.delete(node);
  }

  /** Another rate; a bucket that is empty is replaced by an empty one. */
  setRate(rate: number): void {
    if (rate === this.rate) return;
    const isEmpty = !(this.bucket?.tryTake() ?? false);
    this.rate = rate;
    this.bucket = rate > 0 ? new TokenBucket(this.kernel, rate, BURST) : null;
    if (isEmpty) this.bucket?.tryTake();
  }

  /** Taints nodes as far as the rate allows; `taint` returns false for one that has to be tried again. */
  *pass(taint: (node: string) => Task<boolean>): Task<void> {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      if (!this.bucket?.tryTake()) return;
      const isDone = yield* taint(next);
      if (this.dequeue(next) && !isDone) this.waiting.push(next);
    }
  }

  private dequeue(node: string): boolean {
    const place = this.waiting.indexOf(node);
    if (place >= 0) this.waiting.splice(place, 1);
    return place >= 0;
  }
}
