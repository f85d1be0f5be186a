import { MICROS_PER_SECOND, type MicrosSpan, milliseconds } from '../../../base/units.ts';
import type { Task } from '../../kernel/kernel.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import type { WorkloadController } from '../../workloadsInput.ts';
import { subjectsOf } from '../shared/subjects.ts';
import { WorkQueue } from '../workQueue.ts';
import type { WorkloadContext } from './context.ts';

/**
 * How a failed sync is told: a `retry` of a queue that gives up after so many, or a `syncError` of one that does not and
 * hands the error in (ErrorHandler).
 */
export interface Failures {
  readonly told: 'retry' | 'syncError';
  readonly most: number;
}

interface Options {
  readonly context: WorkloadContext;
  readonly controller: WorkloadController;
  readonly workers: number;
  readonly failures: Failures;
  /** One sync; its result is the error, '' when it went well. */
  readonly sync: (key: string, ref: Ref) => Task<string>;
}

const BASE_DELAY = milliseconds(5);
const MAX_DELAY = (1000 * MICROS_PER_SECOND) as MicrosSpan;

/** A cache that does not show the controller's own last write: retried like an error, told in its own words. */
export const STALE_CACHE = 'stale cache';

/** A workload controller's work queue and what its workers do with each key. */
export class WorkloadQueue {
  readonly queue: WorkQueue;
  private readonly options: Options;
  /** The trace's subject of a key's events. */
  private readonly subjectOf: (key: string) => number;

  constructor(options: Options) {
    this.options = options;
    const { context, controller, workers } = options;
    this.subjectOf = subjectsOf(context, controller, 'object');
    this.queue = new WorkQueue({
      kernel: context.kernel,
      trace: context.trace,
      subjectOf: this.subjectOf,
      workers,
      baseDelay: BASE_DELAY,
      maxDelay: MAX_DELAY,
      process: (key, causes) => this.process(key, causes),
    });
  }

  /** A line of the controller's log about a key. */
  log(key: string, message: string, values: object, cause: Ref): void {
    const { trace, kernel } = this.options.context;
    const payload = { message, values: JSON.stringify(values) };
    trace.event('controllerLog', kernel.now, this.subjectOf(key), payload, [cause]);
  }

  private *process(key: string, causes: readonly Ref[]): Task<void> {
    const { context, failures, sync } = this.options;
    const { trace, kernel } = context;
    const subject = this.subjectOf(key);
    const open = { isBare: 0, error: '' };
    const ref = trace.event('controllerSync', kernel.now, subject, open, causes, NO_REF, Number.NaN);
    const error = yield* sync(key, ref);
    trace.end<'controllerSync'>(ref, kernel.now, { error }, false);
    if (error === '') return this.queue.forget(key);
    if (this.queue.requeues(key) >= failures.most) {
      trace.event('queueDropped', kernel.now, subject, { error }, [ref]);
      return this.queue.forget(key);
    }
    if (error !== STALE_CACHE) this.log(key, failures.told, { error }, ref);
    if (failures.told === 'syncError') yield context.errors.handle();
    this.queue.addRateLimited(key, trace.event('queueRetry', kernel.now, subject, { error }, [ref]));
  }
}
