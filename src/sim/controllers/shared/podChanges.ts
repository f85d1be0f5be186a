import { sameData } from '../../../base/equal.ts';
import { type ApiPod, isPodReady } from '../../api/apiPod.ts';
import type { Informer, InformerEvent } from '../../api/informer.ts';
import type { ControllerName } from '../../clusterInput.ts';
import type { ClusterContext } from '../context.ts';
import type { WorkQueue } from '../workQueue.ts';
import type { ServiceIndex } from './serviceIndex.ts';
import { subjectsOf } from './subjects.ts';

/** What of a Pod's update may concern its Services. */
export interface PodChange {
  readonly labels: boolean;
  readonly pod: boolean;
}

/**
 * What an update of a Pod changes, as far as endpoints go (C-110, C-111).
 * Source: k8s.io/endpointslice/util/controller_utils.go GetPodUpdateProjectionKey, podEndpointsChanged.
 */
export function podChangeOf(old: ApiPod, now: ApiPod): PodChange {
  if (old.resourceVersion === now.resourceVersion) return { labels: false, pod: false };
  const labels =
    !sameData(old.labels, now.labels) ||
    old.input.hostname !== now.input.hostname ||
    old.input.subdomain !== now.input.subdomain;
  // Go compares the timestamps as pointers: once one is set, each update has another.
  const deletion = old.deletionTimestamp !== null || now.deletionTimestamp !== null;
  const pod = deletion || isPodReady(old) !== isPodReady(now) || !sameData(old.status.podIPs, now.status.podIPs);
  return { labels, pod };
}

/**
 * Services that a Pod's event concerns, by name; null when nobody needs to look (C-112).
 * Source: controller_utils.go GetServicesToUpdate, determineNeededServiceUpdates.
 */
export function servicesToSync(
  index: ServiceIndex,
  { old, now }: Pick<InformerEvent<'pods'>, 'old' | 'now'>,
): readonly string[] | null {
  const pod = now ?? old;
  if (!pod) return null;
  const { namespace } = pod.input;
  const services = index.selecting(namespace, pod.labels);
  if (!old || !now) return [...services].sort();
  const change = podChangeOf(old, now);
  if (!change.labels) return change.pod ? [...services].sort() : null;
  const before = index.selecting(namespace, old.labels);
  const either = [...new Set([...services, ...before])];
  return either.filter((key) => change.pod || services.has(key) !== before.has(key)).sort();
}

interface PodChangesOptions {
  readonly context: ClusterContext;
  readonly controller: ControllerName;
  readonly pods: Informer<'pods'>;
  readonly services: ServiceIndex;
  readonly queue: WorkQueue;
}

/** Queues the Services that Pods' events concern, each after the batch period (C-102, C-113). */
export function queuePodChanges({ context, controller, pods, services, queue }: PodChangesOptions): void {
  const { trace, kernel, input } = context;
  const delay = input.controllers[controller]?.batchPeriod;
  if (delay === undefined) return;
  const subjectOf = subjectsOf(context, controller, 'pod');
  pods.onEvent((event) => {
    const keys = servicesToSync(services, event);
    if (!keys) return;
    const ref = trace.event('podSynced', kernel.now, subjectOf(event.key), {}, [event.ref]);
    for (const key of keys) queue.addAfter(key, delay, ref);
  });
}
