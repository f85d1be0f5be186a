/** What holds of the mirroring controller. */
import type { ClusterObservation } from '../clusterObservation.ts';
import type { Invariant } from '../invariant.ts';
import { place } from '../observation.ts';

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MIRRORING = 'endpointslicemirroring-controller.k8s.io';

export const MIRRORING_INVARIANTS: readonly Invariant<ClusterObservation>[] = [
  {
    name: 'slices are written only for Endpoints that want it, of Services without a selector (C-260)',
    check: (run, find) => {
      for (const write of run.writes('mirroring')) {
        const sync = run.ancestor(write, 'controllerSync');
        if (!sync || write.payload.verb === 'delete') continue;
        const key = sync.subject.object;
        const service = run.cache('mirroring', 'services', sync).get(key)?.object;
        const endpoints = run.cache('mirroring', 'endpoints', sync).get(key)?.object;
        const skips = endpoints?.metadata.labels?.['endpointslice.kubernetes.io/skip-mirror'] === 'true';
        find.that(Boolean(service && endpoints && !service.spec.selector && !skips), () => place(write));
      }
    },
  },
  {
    name: 'a mirrored slice says only whether its addresses are ready, and holds no more than may be mirrored (C-260)',
    check: (run, find) => {
      const max = run.cluster.controllers.mirroring?.maxEndpointsPerSubset ?? 0;
      for (const { event, object } of run.stored('endpointslices')) {
        if (object?.metadata.labels?.[MANAGED_BY] !== MIRRORING) continue;
        const isPlain = object.endpoints.every(
          ({ conditions: { ready, serving, terminating } }) =>
            ready !== undefined && serving === undefined && terminating === undefined,
        );
        find.that(isPlain && object.endpoints.length <= max, () => place(event));
      }
    },
  },
  {
    name: 'a mirrored slice has the addresses and ports that the Endpoints had when the sync began (C-260)',
    check: (run, find) => {
      for (const version of run.stored('endpointslices')) {
        const { object, event } = version;
        const sync = run.ancestor(event, 'controllerSync');
        if (!object || sync?.subject.component !== 'mirroringController') continue;
        const source = run.cache('mirroring', 'endpoints', sync).get(sync.subject.object)?.object;
        const listed = (source?.subsets ?? []).flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) =>
          ports.flatMap(({ port }) => [
            ...addresses.map(({ ip }) => `${ip}:${port} true`),
            ...notReadyAddresses.map(({ ip }) => `${ip}:${port} false`),
          ]),
        );
        // Not ready beats ready.
        const known = new Set(
          listed.filter((one) => !listed.includes(one.replace('true', 'false')) || one.endsWith('false')),
        );
        for (const { addresses, conditions } of object.endpoints) {
          for (const { port } of object.ports)
            find.that(known.has(`${addresses[0]}:${port} ${conditions.ready}`), () => `${place(event)}: ${addresses}`);
        }
      }
    },
  },
];
