import { LABEL, type NodeObject } from '../../api/objects.ts';
import type { NodeLifecycleInput } from '../../workloadsInput.ts';

export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

/** A zone is partially disrupted only from more than so many nodes that are not ready (N-035). */
const UNHEALTHY_NODES = 2;

const REGION = 'topology.kubernetes.io/region';
const EXCLUDED = 'node.kubernetes.io/exclude-disruption';

/** Region and zone of a node (component-helpers node/topology GetZoneKey). */
export const zoneOf = ({ meta: { labels } }: NodeObject): string =>
  labels[REGION] || labels[LABEL.zone] ? `${labels[REGION] ?? ''}:\u0000:${labels[LABEL.zone] ?? ''}` : '';

export const countsForZone = ({ meta }: NodeObject): boolean => !(EXCLUDED in meta.labels);

/** State of a zone by its nodes' readiness. Source: node_lifecycle_controller.go ComputeZoneState. */
export function zoneStateOf(
  ready: readonly boolean[],
  { unhealthyShare }: Pick<NodeLifecycleInput, 'unhealthyShare'>,
): ZoneState {
  const notReady = ready.filter((one) => !one).length;
  if (notReady > 0 && notReady === ready.length) return 'FullDisruption';
  return notReady > UNHEALTHY_NODES && notReady / ready.length >= unhealthyShare ? 'PartialDisruption' : 'Normal';
}

/** Nodes a second that get their NoExecute taint in a zone of `size` nodes in a state (setLimiterInZone). */
export const rateIn = (
  state: ZoneState,
  size: number,
  { evictionRate, secondaryEvictionRate, largeZone }: NodeLifecycleInput,
): number => (state === 'PartialDisruption' ? (size > largeZone ? secondaryEvictionRate : 0) : evictionRate);
