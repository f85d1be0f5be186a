import type { Ref } from '../../trace/ref.ts';
import type { WorkloadController } from '../../workloadsInput.ts';
import { subjectOf, type WorkloadContext } from './context.ts';

/** Writes a line of a controller's log about a key; returns it as a cause of what follows. */
export function logLine(
  context: WorkloadContext,
  controller: WorkloadController,
  line: { readonly key: string; readonly message: string; readonly values?: object },
  cause: Ref,
): Ref {
  const { trace, kernel } = context;
  const payload = { message: line.message, values: JSON.stringify(line.values ?? {}) };
  return trace.event('controllerLog', kernel.now, subjectOf(context, controller, line.key), payload, [cause]);
}
