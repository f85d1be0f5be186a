/** Wrong edits of the API server and of the EndpointSlice controller. */
import { type Edit, edit } from './edit.ts';

export const SLICE_EDITS: readonly Edit[] = [
  edit(
    'C-002',
    'an update that changes nothing gets a version of its own',
    'api/writes.ts',
    'if (isSameBeyondMeta && sameData({ ...meta, ...kept }, stored.meta))',
    'if (generation < 0 && isSameBeyondMeta && sameData({ ...meta, ...kept }, stored.meta))',
  ),
  edit(
    'C-032',
    'back-off grows by the same step each time',
    'controllers/workQueue.ts',
    'baseDelay * 2 ** failures',
    'baseDelay * (1 + failures)',
  ),
  edit(
    'C-113',
    'Pod changes do not wait for the batch period',
    'controllers/shared/podChanges.ts',
    'queue.addAfter(key, delay, ref)',
    'queue.addAfter(key, 0, ref)',
  ),
  edit(
    'C-202',
    'a terminating Pod that serves is ready',
    'controllers/endpointslice/podEndpoints.ts',
    '(serving && !terminating)',
    'serving',
  ),
  edit(
    'C-211',
    'slices are written from a cache that is out of date',
    'controllers/shared/sliceTracker.ts',
    '(generation ?? 0) > meta.generation)',
    '(generation ?? 0) > meta.generation + 1)',
  ),
  edit(
    'C-221',
    'new endpoints go into the emptiest slice with room',
    'controllers/endpointslice/packing.ts',
    'b.endpoints.length - a.endpoints.length',
    'a.endpoints.length - b.endpoints.length',
  ),
  edit(
    'C-225',
    'a slice that is replaced does not leave its name to the next',
    'controllers/endpointslice/plan.ts',
    'const last = created.at(-1);',
    'const last = created.at(created.length);',
  ),
  edit(
    'C-203',
    'Pods of a cluster with both families have one address',
    'kubelet/generateStatus.ts',
    'podIPs: [ip, ipv6]',
    'podIPs: [ip]',
  ),
  edit(
    'C-231',
    'trafficDistribution counts where its gate is off by default',
    'controllers/endpointslice/hints.ts',
    'TRAFFIC_DISTRIBUTION_SINCE = 31',
    'TRAFFIC_DISTRIBUTION_SINCE = 30',
  ),
];
