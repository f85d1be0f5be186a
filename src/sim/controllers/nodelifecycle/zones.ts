import { LABEL, type NodeObject } from '../../api/objects.ts';

export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

/** Nodes a second that get their NoExecute taint: in general, and in a large zone most of which is down (N-035). */
export const EVICTION_RATE = 0.1;
const SECONDARY_EVICTION_RATE = 0.01;
/** A zone is large from one node more than this. */
const LARGE_ZONE = 50;
/** A zone is partially disrupted from this share of nodes that are not ready, and more than so many. */
const UNHEALTHY_SHARE = 0.55;
const UNHEALTHY_NODES = 2;

const REGION = 'topology.kubernetes.io/region';
const EXCLUDED = 'node.kubernetes.io/exclude-disruption';

/** Region and zone of a node (component-helpers node/topology GetZoneKey). */
export const zoneOf = ({ meta: { labels } }: NodeObject): string =>
  labels[REGION] || labels[LABEL.zone] ? `${labels[REGION] ?? ''}:\u0000:${labels[LABEL.zone] ?? ''}` : '';

export const countsForZone = ({ meta }: NodeObject): boolean => !(EXCLUDED in meta.labels);

/** State of a zone by its nodes' readiness. Source: node_lifecycle_controller.go ComputeZoneState. */
export function zoneStateOf(ready: readonly boolean[]): ZoneState {
  const notReady = ready.filter((one) => !one).length;
  if (notReady > 0 && notReady === ready.length) return 'FullDisruption';
  return notReady > UNHEALTHY_NODES && notReady / ready.length >= UNHEALTHY_SHARE ? 'PartialDisruption' : 'Normal';
}

/** The rate of a zone of `size` nodes in a state (setLimiterInZone). */
export const rateIn = (state: ZoneState, size: number): number =>
  state === 'PartialDisruption' ? (size > LARGE_ZONE ? SECONDARY_EVICTION_RATE : 0) : EVICTION_RATE;
