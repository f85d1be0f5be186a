import { Gate, type Scheduler, type Task } from '../../kernel/kernel.ts';

/** Runs tasks at once and waits for all of them; their results in the same order. */
export function* inParallel<T>(kernel: Scheduler, tasks: readonly Task<T>[]): Task<readonly T[]> {
  const results: T[] = [];
  const gates = tasks.map((task, place) => {
    const gate = new Gate();
    kernel.start(
      (function* (): Task<void> {
        results[place] = yield* task;
        gate.open();
      })(),
      'controller',
    );
    return gate;
  });
  yield Gate.all(gates);
  return results;
}

/**
 * Runs tasks in batches of 1, 2, 4 …, each once all of the one before are done, until one of a batch fails; the results of
 * those that ran. Source: pkg/controller/controller_utils.go SlowStartInitialBatchSize and its users.
 */
export function* inBatches<T>(
  kernel: Scheduler,
  tasks: readonly (() => Task<T>)[],
  failed: (result: T) => boolean,
): Task<readonly T[]> {
  const results: T[] = [];
  for (let size = 1; results.length < tasks.length && !results.some(failed); size *= 2) {
    const batch = tasks.slice(results.length, results.length + size);
    results.push(
      ...(yield* inParallel(
        kernel,
        batch.map((task) => task()),
      )),
    );
  }
  return results;
}
