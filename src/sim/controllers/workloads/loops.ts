import { type MicrosSpan, milliseconds } from '../../../base/units.ts';
import type { Scheduler, Task } from '../../kernel/kernel.ts';

/** How often a controller that starts asks whether its caches have synced (client-go tools/cache syncedPollPeriod). */
const SYNCED_POLL = milliseconds(100);

/** Runs `pass` again and again, `period` after the end of the one before (apimachinery wait.UntilWithContext). */
export function* forever(pass: () => Task<void>, period: MicrosSpan): Task<void> {
  for (;;) {
    yield* pass();
    yield period;
  }
}

/** Starts a controller's loops at the poll that finds its caches synced: the second, for a list takes less than that. */
export function startLoops(kernel: Scheduler, loops: () => readonly Task<void>[]): void {
  kernel.after(SYNCED_POLL, 'controller', () => {
    for (const loop of loops()) kernel.start(loop, 'controller');
  });
}
