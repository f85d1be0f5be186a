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
