import type { Micros, MicrosSpan } from '../../base/units.ts';
import type { Scheduler, Task, Timer } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import type { TraceWriter } from '../trace/writer.ts';
import { TokenBucket } from './tokenBucket.ts';

interface WorkQueueOptions {
  readonly kernel: Scheduler;
  readonly trace: TraceWriter;
  /** Subject of a key's events. */
  readonly subjectOf: (key: string) => number;
  /** How many keys are processed at once. */
  readonly workers: number;
  /** First and longest delay of `addRateLimited`, µs (C-032). */
  readonly baseDelay: MicrosSpan;
  readonly maxDelay: MicrosSpan;
  /** Processes a key; `causes` are what added it since it was last taken. */
  readonly process: (key: string, causes: readonly Ref[]) => Task<void>;
}

/** The rate limit that all keys of a queue share: tokens a second, and how many at most. */
const BUCKET_RATE = 10;
const BUCKET_BURST = 100;

/**
 * A controller's work queue with its workers: a key is never processed twice at once, and adds during its processing
 * collapse into one more (C-030 to C-032).
 * Source: client-go util/workqueue/queue.go, delaying_queue.go, default_rate_limiters.go.
 */
export class WorkQueue {
  private readonly options: WorkQueueOptions;
  /** In order; a key that is also processed is not here. */
  private readonly waiting: string[] = [];
  private readonly dirty = new Map<string, Ref[]>();
  private readonly processing = new Set<string>();
  private readonly addedAt = new Map<string, Micros>();
  private readonly delayed = new Map<string, { readonly timer: Timer; readonly refs: Ref[] }>();
  private readonly failures = new Map<string, number>();
  private readonly bucket: TokenBucket;
  private idle: number;
  private running = false;
  private dispatching = false;

  constructor(options: WorkQueueOptions) {
    this.options = options;
    this.idle = options.workers;
    this.bucket = new TokenBucket(options.kernel, BUCKET_RATE, BUCKET_BURST);
  }

  /** The workers begin. */
  run(): void {
    this.running = true;
    this.dispatch();
  }

  /** Adds a key now. */
  add(key: string, ref: Ref): void {
    const refs = this.dirty.get(key);
    if (refs) {
      refs.push(ref);
      return;
    }
    const { kernel, trace, subjectOf } = this.options;
    this.dirty.set(key, [trace.event('queueAdd', kernel.now, subjectOf(key), {}, [ref])]);
    this.addedAt.set(key, kernel.now);
    if (this.processing.has(key)) return;
    this.waiting.push(key);
    this.dispatch();
  }

  /** Adds a key in `delay` µs; while it waits already, the earlier time counts (C-031). */
  addAfter(key: string, delay: MicrosSpan, cause: Ref): void {
    const { kernel, trace, subjectOf } = this.options;
    const ref = trace.event('queueAddAfter', kernel.now, subjectOf(key), { delay }, [cause]);
    if (delay <= 0) return this.add(key, ref);
    const known = this.delayed.get(key);
    const due = kernel.now + delay;
    if (known && known.timer.at <= due) {
      known.refs.push(ref);
      return;
    }
    if (known) known.timer.cancelled = true;
    const refs = [...(known?.refs ?? []), ref];
    const timer = kernel.after(delay, 'controller', () => {
      this.delayed.delete(key);
      for (const one of refs) this.add(key, one);
    });
    this.delayed.set(key, { timer, refs });
  }

  /** Adds a key after its back-off, or later if the queue's shared limit says so. */
  addRateLimited(key: string, cause: Ref): void {
    const { baseDelay, maxDelay } = this.options;
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    const backOff = Math.min(baseDelay * 2 ** failures, maxDelay);
    this.addAfter(key, Math.max(backOff, this.bucket.take()) as MicrosSpan, cause);
  }

  /** How often the key has failed since it was forgotten. */
  requeues(key: string): number {
    return this.failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.failures.delete(key);
  }

  /** Hands keys to idle workers, once all that this instant has to deliver has been delivered. */
  private dispatch(): void {
    if (!this.running || this.dispatching || this.idle === 0 || this.waiting.length === 0) return;
    this.dispatching = true;
    const { kernel } = this.options;
    kernel.post('controller', () => {
      this.dispatching = false;
      while (this.idle > 0 && this.waiting.length > 0) {
        this.idle--;
        kernel.start(this.work(this.waiting.shift() as string), 'controller');
      }
    });
  }

  private *work(key: string): Task<void> {
    const { kernel, trace, subjectOf, process } = this.options;
    const subject = subjectOf(key);
    const refs = this.dirty.get(key) as Ref[];
    this.dirty.delete(key);
    this.processing.add(key);
    const begun = kernel.now;
    const waited = begun - (this.addedAt.get(key) as Micros);
    const got = trace.event('queueGet', begun, subject, { waited }, refs);
    yield* process(key, [got]);
    trace.event('queueDone', kernel.now, subject, { processed: kernel.now - begun }, [got]);
    this.processing.delete(key);
    this.idle++;
    if (this.dirty.has(key)) this.waiting.push(key);
    this.dispatch();
  }
}
