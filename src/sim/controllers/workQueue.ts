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

/** What a queue knows of a key. */
interface QueuedKey {
  readonly key: string;
  /** Of its events. */
  readonly subject: number;
  /** What added it since it was last taken; null: nothing. */
  dirty: Ref[] | null;
  addedAt: Micros;
  isProcessed: boolean;
  /** Its delayed add, and what asked for it. */
  delayed: { readonly timer: Timer; readonly refs: Ref[] } | null;
  failures: number;
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
  private readonly keys = new Map<string, QueuedKey>();
  /** In order; a key that is also processed is not here. */
  private readonly waiting: QueuedKey[] = [];
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
    this.addNow(this.of(key), ref);
  }

  /** Adds a key in `delay` µs; while it waits already, the earlier time counts (C-031). */
  addAfter(key: string, delay: MicrosSpan, cause: Ref): void {
    const { kernel, trace } = this.options;
    const queued = this.of(key);
    const ref = trace.event('queueAddAfter', kernel.now, queued.subject, { delay }, [cause]);
    if (delay <= 0) return this.addNow(queued, ref);
    const known = queued.delayed;
    const due = kernel.now + delay;
    if (known && known.timer.at <= due) {
      known.refs.push(ref);
      return;
    }
    if (known) known.timer.cancelled = true;
    const refs = [...(known?.refs ?? []), ref];
    const timer = kernel.after(delay, 'controller', () => {
      queued.delayed = null;
      for (const one of refs) this.addNow(queued, one);
    });
    queued.delayed = { timer, refs };
  }

  /** Adds a key after its back-off, or later if the queue's shared limit says so. */
  addRateLimited(key: string, cause: Ref): void {
    const { baseDelay, maxDelay } = this.options;
    const failures = this.of(key).failures++;
    const backOff = Math.min(baseDelay * 2 ** failures, maxDelay);
    this.addAfter(key, Math.max(backOff, this.bucket.take()) as MicrosSpan, cause);
  }

  /** How often the key has failed since it was forgotten. */
  requeues(key: string): number {
    return this.of(key).failures;
  }

  forget(key: string): void {
    this.of(key).failures = 0;
  }

  private of(key: string): QueuedKey {
    const known = this.keys.get(key);
    if (known) return known;
    const subject = this.options.subjectOf(key);
    const none = { dirty: null, addedAt: 0 as Micros, isProcessed: false, delayed: null, failures: 0 };
    const made: QueuedKey = { key, subject, ...none };
    this.keys.set(key, made);
    return made;
  }

  private addNow(queued: QueuedKey, ref: Ref): void {
    if (queued.dirty) {
      queued.dirty.push(ref);
      return;
    }
    const { kernel, trace } = this.options;
    queued.dirty = [trace.event('queueAdd', kernel.now, queued.subject, {}, [ref])];
    queued.addedAt = kernel.now;
    if (queued.isProcessed) return;
    this.waiting.push(queued);
    this.dispatch();
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
        kernel.start(this.work(this.waiting.shift() as QueuedKey), 'controller');
      }
    });
  }

  private *work(queued: QueuedKey): Task<void> {
    const { kernel, trace, process } = this.options;
    const { key, subject, addedAt } = queued;
    const causes = queued.dirty ?? [];
    queued.dirty = null;
    queued.isProcessed = true;
    const begun = kernel.now;
    const got = trace.event('queueGet', begun, subject, { waited: begun - addedAt }, causes);
    yield* process(key, [got]);
    trace.event('queueDone', kernel.now, subject, { processed: kernel.now - begun }, [got]);
    queued.isProcessed = false;
    this.idle++;
    if (queued.dirty) this.waiting.push(queued);
    this.dispatch();
  }
}
