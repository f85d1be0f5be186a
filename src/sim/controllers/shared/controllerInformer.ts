import type { MicrosSpan } from '../../../base/units.ts';
import { Informer } from '../../api/informer.ts';
import type { Resource } from '../../api/objects.ts';
import type { ClusterLatencies, ControllerName } from '../../clusterInput.ts';
import type { Component } from '../../trace/kinds.ts';
import type { ClusterContext } from '../context.ts';

/** The trace's component of each controller. */
export const COMPONENT_OF = {
  endpoints: 'endpointsController',
  endpointslices: 'endpointSliceController',
  mirroring: 'mirroringController',
} as const satisfies Readonly<Record<ControllerName, Component>>;

type WatchedBy<C extends ControllerName> = keyof ClusterLatencies['watch'][C] & Resource;

/** The informer of one resource that a controller watches, with its own latency. */
export function controllerInformer<C extends ControllerName, R extends WatchedBy<C>>(
  { kernel, trace, store, input }: ClusterContext,
  controller: C,
  resource: R,
): Informer<R> {
  const { latency } = input;
  const nowhere = { node: '', pod: '', container: '', probe: '' } as const;
  return new Informer({
    kernel,
    trace,
    store,
    resource,
    latency: (latency.watch[controller] as Readonly<Record<R, MicrosSpan>>)[resource],
    listExtra: latency.listExtra,
    to: controller,
    subject: trace.subjectOf({ ...nowhere, component: COMPONENT_OF[controller], object: resource }),
    phase: 'controller',
  });
}
