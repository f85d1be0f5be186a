import type { MicrosSpan } from '../../../base/units.ts';
import type { ControllerName } from '../../clusterInput.ts';
import type { Task } from '../../kernel/kernel.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import type { ClusterContext } from '../context.ts';
import { WorkQueue } from '../workQueue.ts';
import { subjectsOf } from './subjects.ts';

/** What a sync came to. `error`: '' when it went well. `isBare`: it ended before it had looked at any Pod. */
export interface SyncOutcome {
  readonly error: string;
  readonly isBare: boolean;
}
export const DONE: SyncOutcome = { error: '', isBare: false };
export const BARE: SyncOutcome = { error: '', isBare: true };
export const failed = (error: string): SyncOutcome => ({ error, isBare: false });

interface SyncQueueOptions {
  readonly context: ClusterContext;
  readonly controller: ControllerName;
  /** First and longest back-off of a key that fails, µs (C-032). */
  readonly baseDelay: MicrosSpan;
  readonly maxDelay: MicrosSpan;
  /** One sync; `ref` is its event, which causes all that it does. */
  readonly sync: (key: string, ref: Ref) => Task<SyncOutcome>;
}

/** So often a key is tried again before it is dropped until its next event (C-032). */
const MAX_RETRIES = 15;

/**
 * A controller's work queue and what its workers do with each key: sync, then forget, try again later, or drop.
 * Source: processNextWorkItem and handleErr, alike in pkg/controller/endpoint, endpointslice and endpointslicemirroring.
 */
export class SyncQueue {
  readonly queue: WorkQueue;
  /** The trace's subject of a key's events. */
  readonly subjectOf: (key: string) => number;
  private readonly options: SyncQueueOptions;

  constructor(options: SyncQueueOptions) {
    this.options = options;
    const { context, controller, baseDelay, maxDelay } = options;
    this.subjectOf = subjectsOf(context, controller, 'object');
    this.queue = new WorkQueue({
      kernel: context.kernel,
      trace: context.trace,
      subjectOf: this.subjectOf,
      workers: context.input.controllers[controller]?.workers ?? 0,
      baseDelay,
      maxDelay,
      process: (key, causes) => this.process(key, causes),
    });
  }

  private *process(key: string, causes: readonly Ref[]): Task<void> {
    const { context, sync } = this.options;
    const { trace, kernel } = context;
    const subject = this.subjectOf(key);
    const open = { isBare: 0, error: '' };
    const ref = trace.event('controllerSync', kernel.now, subject, open, causes, NO_REF, Number.NaN);
    const { error, isBare } = yield* sync(key, ref);
    trace.end<'controllerSync'>(ref, kernel.now, { isBare: isBare ? 1 : 0, error }, false);
    if (error === '') return this.queue.forget(key);
    if (this.queue.requeues(key) < MAX_RETRIES) {
      this.queue.addRateLimited(key, trace.event('queueRetry', kernel.now, subject, { error }, [ref]));
      return;
    }
    trace.event('queueDropped', kernel.now, subject, { error }, [ref]);
    this.queue.forget(key);
    yield context.errors.handle();
  }
}
