import { memoized } from '../../../base/memoized.ts';
import type { ControllerName } from '../../clusterInput.ts';
import { COMPONENT_OF } from '../../trace/watchers.ts';
import type { WorkloadController } from '../../workloadsInput.ts';
import type { ClusterContext } from '../context.ts';

/** The trace's subjects of a controller's events: one for each Pod, or for each other object, by name. */
export function subjectsOf(
  { trace }: Pick<ClusterContext, 'trace'>,
  controller: ControllerName | WorkloadController,
  part: 'pod' | 'object',
): (name: string) => number {
  const component =
    controller in COMPONENT_OF ? COMPONENT_OF[controller as ControllerName] : (controller as WorkloadController);
  const nobody = { component, node: '', pod: '', container: '', probe: '', object: '' } as const;
  return memoized((name) => trace.subjectOf({ ...nobody, [part]: name }));
}
