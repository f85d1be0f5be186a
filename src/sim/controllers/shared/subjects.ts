import { memoized } from '../../../base/memoized.ts';
import type { ControllerName } from '../../clusterInput.ts';
import type { Component } from '../../trace/kinds.ts';
import type { ClusterContext } from '../context.ts';

/** The trace's component of each controller. */
const COMPONENT_OF = {
  endpoints: 'endpointsController',
  endpointslices: 'endpointSliceController',
  mirroring: 'mirroringController',
} as const satisfies Readonly<Record<ControllerName, Component>>;

/** The trace's subjects of a controller's events: one for each Pod, or for each other object, by name. */
export function subjectsOf(
  { trace }: Pick<ClusterContext, 'trace'>,
  controller: ControllerName,
  part: 'pod' | 'object',
): (name: string) => number {
  const component = COMPONENT_OF[controller];
  const nobody = { component, node: '', pod: '', container: '', probe: '', object: '' } as const;
  return memoized((name) => trace.subjectOf({ ...nobody, [part]: name }));
}
