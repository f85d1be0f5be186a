import { memoized } from '../../../base/memoized.ts';
import type { ControllerName } from '../../clusterInput.ts';
import type { Component, Subject } from '../../trace/kinds.ts';
import type { WorkloadController } from '../../workloadsInput.ts';
import type { ClusterContext } from '../context.ts';

/** The trace's component of each endpoint controller; the others are their own. */
const COMPONENT_OF = {
  endpoints: 'endpointsController',
  endpointslices: 'endpointSliceController',
  mirroring: 'mirroringController',
} as const satisfies Readonly<Record<ControllerName, Component>>;

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

/** Who the deliveries of a watch are for, by the subject of its events: a controller, a proxy, a client. */
export function watcherOf({ component, object }: Subject): string {
  const found = Object.entries(COMPONENT_OF).find(([, itsComponent]) => itsComponent === component);
  return found?.[0] ?? object;
}
