import { fnv1a64 } from '../../../base/hash.ts';
import { memoized, memoizedWeakly } from '../../../base/memoized.ts';
import type { MicrosSpan } from '../../../base/units.ts';
import type { ApiServer } from '../../api/apiServer.ts';
import { Informer } from '../../api/informer.ts';
import type { Resource } from '../../api/objects.ts';
import type { Behaviour } from '../../kubelet/behaviour.ts';
import type { TraceWriter } from '../../trace/writer.ts';
import type { WorkloadController, WorkloadsInput } from '../../workloadsInput.ts';
import type { ClusterContext } from '../context.ts';
import { subjectsOf } from '../shared/subjects.ts';
import type { PodNames } from './names.ts';

/** What the controllers of workloads and nodes share. */
export interface WorkloadContext extends ClusterContext {
  readonly api: ApiServer;
  readonly workloads: WorkloadsInput;
  readonly names: PodNames;
  readonly behaviour: Behaviour;
}

/** Length of a hop by its name, µs (`WorkloadsInput.hops`). */
export const hop = ({ workloads }: Pick<WorkloadContext, 'workloads'>, name: string): MicrosSpan =>
  workloads.hops[name] ?? (0 as MicrosSpan);

/** Requests that name one object come to the API server in a time of their own, µs. */
export function spreadOf(context: Pick<WorkloadContext, 'workloads'>, name: string): number {
  const spread = hop(context, 'request/nameSpread');
  return spread > 0 ? Number(fnv1a64(name) % BigInt(spread)) : 0;
}

const subjectsOfTrace = memoizedWeakly((trace: TraceWriter) =>
  memoized((component: WorkloadController) => subjectsOf({ trace }, component, 'object')),
);

/** The trace's subject of one object of a component: a queue key, a resource that it watches. */
export const subjectOf = ({ trace }: ClusterContext, component: WorkloadController, object: string): number =>
  subjectsOfTrace(trace)(component)(object);

/** The informer of one resource that a component watches, with its own latency. */
export function informerOf<R extends Resource>(
  context: WorkloadContext,
  component: WorkloadController,
  resource: R,
): Informer<R> {
  const { kernel, trace, store } = context;
  return new Informer({
    kernel,
    trace,
    store,
    resource,
    latency: hop(context, `watch/${component}/${resource}`),
    removalExtra: hop(context, 'watch/removal'),
    listExtra: hop(context, 'listExtra'),
    subject: subjectOf(context, component, resource),
    phase: 'controller',
    tellsUsedOnly: true,
  });
}
