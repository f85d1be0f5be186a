import type { ClusterObservation } from '../clusterObservation.ts';
import type { Invariant } from '../invariant.ts';
import { API_INVARIANTS } from './api.ts';
import { ENDPOINTS_INVARIANTS } from './endpoints.ts';
import { MIRRORING_INVARIANTS } from './mirroring.ts';
import { PROXY_INVARIANTS } from './proxy.ts';
import { QUEUE_INVARIANTS } from './queues.ts';
import { SLICE_INVARIANTS } from './slices.ts';

/** All invariants of the control plane, by what they are about. */
export const CLUSTER_INVARIANTS: Readonly<Record<string, readonly Invariant<ClusterObservation>[]>> = {
  'API server and watches': API_INVARIANTS,
  'work queues': QUEUE_INVARIANTS,
  'endpoints controller': ENDPOINTS_INVARIANTS,
  'EndpointSlice controller': SLICE_INVARIANTS,
  'mirroring controller': MIRRORING_INVARIANTS,
  'kube-proxy': PROXY_INVARIANTS,
};
