import { type MicrosSpan, milliseconds } from '../../../base/units.ts';
import type { Scheduler, Task } from '../../kernel/kernel.ts';
import type { WorkloadController } from '../../workloadsInput.ts';
import type { WorkloadContext } from './context.ts';

/** How often a controller that starts asks whether its caches have synced (client-go tools/cache syncedPollPeriod). */
const SYNCED_POLL = milliseconds(100);

/**
 * Runs `pass` again and again, first after `phase`, then `period` after the end of the one before (apimachinery
 * wait.UntilWithContext).
 */
export function* forever(pass: () => Task<void>, period: MicrosSpan, phase: MicrosSpan): Task<void> {
  if (phase > 0) yield phase;
  for (;;) {
    yield* pass();
    yield period;
  }
}

/** Where in its period a loop is when the run begins: a draw for controllers that have run for long; a recording's begin with it. */
export const phaseOf = (
  { draws, kernel, workloads }: WorkloadContext,
  controller: WorkloadController,
  period: MicrosSpan,
): MicrosSpan =>
  workloads.agents
    ? (0 as MicrosSpan)
    : (draws.number(`${controller}/phase`, kernel.now, (u) => Math.floor(u * period)) as MicrosSpan);

/** Starts a controller's loops at the poll that finds its caches synced: the second, for a list takes less than that. */
export function startLoops(kernel: Scheduler, loops: () => readonly Task<void>[]): void {
  kernel.after(SYNCED_POLL, 'controller', () => {
    for (const loop of loops()) kernel.start(loop, 'controller');
  });
}
