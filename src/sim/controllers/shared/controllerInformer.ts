import type { MicrosSpan } from '../../../base/units.ts';
import { Informer } from '../../api/informer.ts';
import type { Resource } from '../../api/objects.ts';
import type { ClusterLatencies, ControllerName } from '../../clusterInput.ts';
import type { ClusterContext } from '../context.ts';
import { subjectsOf } from './subjects.ts';

type WatchedBy<C extends ControllerName> = keyof ClusterLatencies['watch'][C] & Resource;

/** The informer of one resource that a controller watches, with its own latency. */
export function controllerInformer<C extends ControllerName, R extends WatchedBy<C>>(
  context: ClusterContext,
  controller: C,
  resource: R,
): Informer<R> {
  const { kernel, trace, store, input } = context;
  const { latency } = input;
  return new Informer({
    kernel,
    trace,
    store,
    resource,
    latency: (latency.watch[controller] as Readonly<Record<R, MicrosSpan>>)[resource],
    listExtra: latency.listExtra,
    to: controller,
    subject: subjectsOf(context, controller, 'object')(resource),
    phase: 'controller',
  });
}
