import type { MicrosSpan } from '../../../base/units.ts';
import { Informer } from '../../api/informer.ts';
import type { Resource } from '../../api/objects.ts';
import type { Commit } from '../../api/store.ts';
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
  const { kernel, trace, store, input, hops } = context;
  const { latency } = input;
  const usual = (latency.watch[controller] as Readonly<Record<R, MicrosSpan>>)[resource];
  const lengthOf = (commit: Commit<R>): MicrosSpan => {
    const hop = marksDeletion(commit) && hops.varies('deletionWatch') ? 'deletionWatch' : 'controllerWatch';
    return hops.next(hop, controller, kernel.now, usual);
  };
  return new Informer({
    kernel,
    trace,
    store,
    resource,
    latency: usual,
    lengthOf: resource === 'pods' && hops.varies('controllerWatch') ? lengthOf : undefined,
    listExtra: latency.listExtra,
    subject: subjectsOf(context, controller, 'object')(resource),
    phase: 'controller',
  });
}

const isMarked = (object: object | null): boolean =>
  object !== null && 'deletionTimestamp' in object && object.deletionTimestamp !== null;
/** Whether it is the commit that sets a Pod's deletionTimestamp. */
const marksDeletion = <R extends Resource>({ before, now }: Commit<R>): boolean => isMarked(now) && !isMarked(before);
