import type { CompareRules } from '../compare.ts';
import type { RecordedEvent } from '../event.ts';

/**
 * Each probe worker is a goroutine of its own: two that leave, or that report a failure, at one instant do so in any
 * order, and the two kinds of event name no container that would tell them apart.
 */
const hasNoOrder = ({ lane, type, ...event }: RecordedEvent): boolean =>
  (lane === 'results' && type === 'remove') ||
  (lane === 'events' && (event as { readonly reason?: unknown }).reason === 'Unhealthy');

function objectOf(event: RecordedEvent): string {
  const { lane, type, pod, pods, name, container, probe, source } = event as Readonly<Record<string, unknown>> &
    RecordedEvent;
  const object = pod ?? name ?? (Array.isArray(pods) ? pods.join(',') : '');
  if (hasNoOrder(event)) return [lane, type, object, probe, 'in any order'].filter((part) => part).join(' ');
  return [lane, object, container, probe, source].filter((part) => typeof part === 'string').join(' ');
}

/**
 * How recordings of `traces/kubelet` compare: within one instant a sequence for each (lane, object, container, probe),
 * and no order where goroutines write that do not know each other.
 */
export const KUBELET_ORDER: CompareRules = {
  objectOf,
  hasNoOrder,
  generated: new Set(['id', 'sandbox', 'ip', 'podIP']),
};
