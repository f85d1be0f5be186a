/** What holds of the EndpointSlice controller. */
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import type { ClusterObservation, PodJson, ServiceJson, SliceJson, Version } from '../clusterObservation.ts';
import { type Invariant, pairs } from '../invariant.ts';
import { place } from '../observation.ts';
import { isReady, isSelected } from './endpoints.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const HEADLESS = 'service.kubernetes.io/headless';
const CONTROLLER = 'endpointslice-controller.k8s.io';
const ZONE = 'topology.kubernetes.io/zone';
/** From here on there is more than `ready`, and terminating Pods stay (KEP-1672). */
const SERVING_SINCE = 22;

interface Written {
  readonly version: Version<'endpointslices'>;
  readonly slice: SliceJson;
  readonly sync: TraceEvent<'controllerSync'>;
  /** As the cache had it when the sync began. */
  readonly service: ServiceJson;
}

/** Versions that the controller wrote. */
const written = (run: ClusterObservation): readonly Written[] =>
  run.stored('endpointslices').flatMap((version) => {
    const write = run.ancestor(version.event, 'apiWrite');
    const sync = run.ancestor(version.event, 'controllerSync');
    if (!version.object || !sync || write?.payload.actor !== 'endpointslices') return [];
    const service = cachedService(run, sync);
    return service ? [{ version, slice: version.object, sync, service }] : [];
  });

const cachedService = (run: ClusterObservation, sync: TraceEvent): ServiceJson | null =>
  run.cache('endpointslices', 'services', sync).get(sync.subject.object)?.object ?? null;

/** Requests of one sync, in order. */
const requestsOf = (run: ClusterObservation, sync: TraceEvent): readonly TraceEvent<'apiWrite'>[] =>
  run.writes('endpointslices').filter((write) => run.causes(write)[0]?.ref.row === sync.ref.row);

const portText = ({ name = '', port, protocol }: { name?: string; port: number | undefined; protocol: string }) =>
  `${name}:${port}/${protocol}`;

/** The Service's ports as they are in a Pod: `http:8080/TCP admin:9990/TCP`, sorted. */
function portsIn(run: ClusterObservation, { spec }: ServiceJson, pod: string): string {
  const declared = run.pods.get(pod)?.input.containers.flatMap(({ ports }) => ports) ?? [];
  const resolved = spec.ports.map(({ name = '', protocol, targetPort }) => ({
    name,
    protocol,
    port:
      typeof targetPort === 'number'
        ? targetPort
        : declared.find((one) => one.name === targetPort && one.protocol === protocol)?.containerPort,
  }));
  return resolved
    .filter(({ port }) => port !== undefined)
    .map(portText)
    .sort()
    .join(' ');
}

const conditionsText = ({ ready, serving, terminating }: SliceJson['endpoints'][number]['conditions']): string =>
  `ready ${ready} serving ${serving} terminating ${terminating}`;

/** Conditions of a Pod's endpoint (C-202). */
function conditionsOf(run: ClusterObservation, pod: PodJson, publishes: boolean): string {
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = publishes || (serving && !terminating);
  return conditionsText(run.minor >= SERVING_SINCE ? { ready, serving, terminating } : { ready });
}

const familiesOf = ({ spec }: ServiceJson): readonly string[] => {
  if (spec.ipFamilies) return spec.ipFamilies;
  if (!spec.clusterIP || spec.clusterIP === 'None') return ['IPv4', 'IPv6'];
  return [spec.clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
};

/** All that a Service's slices should hold by the caches at a sync: told again in the words of C-201 to C-205. */
function expectedEndpoints(run: ClusterObservation, service: ServiceJson, sync: TraceEvent): readonly string[] {
  const nodes = run.cache('endpointslices', 'nodes', sync);
  const publishes = service.spec.publishNotReadyAddresses ?? false;
  const keepsTerminating = publishes || run.minor >= SERVING_SINCE;
  const pods = [...run.cache('endpointslices', 'pods', sync)].flatMap(([key, { object }]) =>
    object && isSelected(object, service.spec.selector ?? {}) ? [{ key, pod: object }] : [],
  );
  return pods
    .filter(({ pod }) => !['Succeeded', 'Failed'].includes(pod.status.phase))
    .filter(({ pod }) => keepsTerminating || pod.metadata.deletionTimestamp === undefined)
    .filter(({ key }) => publishes || nodes.has(run.pods.get(key)?.input.node ?? ''))
    .flatMap(({ key, pod }) =>
      (pod.status.podIPs ?? [])
        .map(({ ip }) => ({ ip, family: ip.includes(':') ? 'IPv6' : 'IPv4' }))
        .filter(({ family }) => familiesOf(service).includes(family))
        .map(({ ip, family }) =>
          [family, portsIn(run, service, key), ip, pod.metadata.name, conditionsOf(run, pod, publishes)].join(' | '),
        ),
    )
    .sort();
}

const endpointsIn = (slices: readonly SliceJson[]): readonly string[] =>
  slices
    .flatMap(({ addressType, ports, endpoints }) =>
      endpoints.map(({ addresses, conditions, targetRef }) =>
        [
          addressType,
          ports.map(portText).sort().join(' '),
          addresses[0],
          targetRef?.name,
          conditionsText(conditions),
        ].join(' | '),
      ),
    )
    .sort();

/** Syncs that went well and looked at their Pods, with the Service's slices after them; none that somebody else touched. */
function settled(
  run: ClusterObservation,
): readonly { readonly sync: TraceEvent; readonly service: ServiceJson; readonly slices: readonly SliceJson[] }[] {
  const delay = run.cluster.latency.watch.endpointslices.endpointslices;
  return run.syncs('endpointslices').flatMap((sync) => {
    const service = cachedService(run, sync);
    if (!service || sync.payload.isBare || sync.payload.error !== '' || !(sync.end < run.horizon)) return [];
    const slices = new Map<string, SliceJson>();
    for (const { event, key, object } of run.stored('endpointslices')) {
      if (event.at > sync.end) break;
      const before = slices.get(key);
      const isOurs = run.ancestor(event, 'apiWrite')?.payload.actor === 'endpointslices';
      const held = object ?? before;
      if (!isOurs && event.at >= sync.at - delay && held && belongs(held, service)) return [];
      if (object) slices.set(key, object);
      else slices.delete(key);
    }
    return [{ sync, service, slices: [...slices.values()].filter((slice) => belongs(slice, service)) }];
  });
}

const belongs = ({ metadata }: SliceJson, service: ServiceJson): boolean =>
  metadata.labels?.[SERVICE_NAME] === service.metadata.name && metadata.labels[MANAGED_BY] === CONTROLLER;

export const SLICE_INVARIANTS: readonly Invariant<ClusterObservation>[] = [
  {
    name: 'after a sync that went well every listed Pod stands in exactly one slice of each family, as the caches had it (C-201 to C-206)',
    check: (run, find) => {
      for (const { sync, service, slices } of settled(run)) {
        const [got, expected] = [endpointsIn(slices), expectedEndpoints(run, service, sync)];
        find.that(
          JSON.stringify(got) === JSON.stringify(expected),
          () => `${place(sync)}: ${got.join(', ')} instead of ${expected.join(', ')}`,
        );
      }
    },
  },
  {
    name: 'after a sync that went well there is a slice of each family and of no other (C-203, C-220)',
    check: (run, find) => {
      for (const { sync, service, slices } of settled(run)) {
        const families = [...new Set(slices.map(({ addressType }) => addressType))].sort();
        find.that(
          JSON.stringify(families) === JSON.stringify([...new Set(familiesOf(service))].sort()),
          () => `${place(sync)}: ${families.join(', ')}`,
        );
      }
    },
  },
  {
    name: 'a slice never holds more than its maximum (C-221)',
    check: (run, find) => {
      const max = run.cluster.controllers.endpointslices.maxEndpointsPerSlice;
      for (const { version, slice } of written(run))
        find.that(slice.endpoints.length <= max, () => `${place(version.event)}: ${slice.endpoints.length} of ${max}`);
    },
  },
  {
    name: 'all endpoints of a slice are reached by its ports (C-205, C-206)',
    check: (run, find) => {
      for (const { version, slice, service } of written(run)) {
        const ports = slice.ports.map(portText).sort().join(' ');
        for (const { targetRef } of slice.endpoints) {
          const own = portsIn(run, service, `${service.metadata.namespace}/${targetRef?.name}`);
          find.that(own === ports, () => `${place(version.event)}: ${targetRef?.name} has ${own}, the slice ${ports}`);
        }
      }
    },
  },
  {
    name: 'ready is serving and not terminating, unless not-ready addresses are published (C-202)',
    check: (run, find) => {
      for (const { version, slice, service } of written(run)) {
        for (const { conditions, targetRef } of slice.endpoints) {
          const { ready, serving, terminating } = conditions;
          const hasBoth = run.minor >= SERVING_SINCE;
          find.that(hasBoth === (serving !== undefined && terminating !== undefined), () => place(version.event));
          const follows = service.spec.publishNotReadyAddresses ? ready : ready === (serving && !terminating);
          find.that(!hasBoth || follows === true, () => `${place(version.event)}: ${targetRef?.name}`);
        }
      }
    },
  },
  {
    name: 'a slice has the labels of its Service and those of the controller (C-226)',
    check: (run, find) => {
      for (const { version, slice, service } of written(run)) {
        const isHeadless = !service.spec.clusterIP || service.spec.clusterIP === 'None';
        const expected = {
          ...service.metadata.labels,
          ...(isHeadless && { [HEADLESS]: '' }),
          [SERVICE_NAME]: service.metadata.name,
          [MANAGED_BY]: CONTROLLER,
        };
        const sorted = (labels: object = {}): string => JSON.stringify(Object.entries(labels).sort());
        // A change of the reserved ones alone is no reason to write, and so may be late.
        const got = { ...slice.metadata.labels, ...(isHeadless && { [HEADLESS]: '' }) };
        if (!isHeadless) delete got[HEADLESS];
        find.that(sorted(got) === sorted(expected), () => `${place(version.event)}: ${sorted(got)}`);
      }
    },
  },
  {
    name: 'after a sync that went well ready endpoints have the hints that trafficDistribution asks for, without it none has any (C-230, C-231)',
    check: (run, find) => {
      for (const { sync, service, slices } of settled(run)) {
        const { trafficDistribution = '' } = service.spec;
        const isOn = trafficDistribution !== '' && run.minor >= (trafficDistribution === 'PreferClose' ? 30 : 34);
        for (const { conditions, zone, nodeName, hints } of slices.flatMap(({ endpoints }) => endpoints)) {
          if (isOn && !conditions.ready) continue;
          const forZones = isOn && zone ? { forZones: [{ name: zone }] } : {};
          const hasNode = isOn && trafficDistribution === 'PreferSameNode' && nodeName;
          const expected = { ...forZones, ...(hasNode && { forNodes: [{ name: nodeName }] }) };
          find.that(
            JSON.stringify(hints ?? {}) === JSON.stringify(expected),
            () => `${place(sync)}: ${JSON.stringify(hints)}, not ${JSON.stringify(expected)}`,
          );
        }
      }
    },
  },
  {
    name: 'a zone is that of the endpoint’s Node as the cache had it (C-203)',
    check: (run, find) => {
      for (const { version, slice, sync } of written(run)) {
        const nodes = run.cache('endpointslices', 'nodes', sync);
        const later = run.cache('endpointslices', 'nodes', version.event);
        for (const { nodeName = '', zone } of slice.endpoints) {
          // The second address type looks at the nodes when its turn comes.
          const zones = [nodes, later].map(
            (known) => known.get(nodeName)?.object?.metadata.labels?.[ZONE] || undefined,
          );
          find.that(zones.includes(zone), () => `${place(version.event)}: ${zone}, not ${zones.join(' or ')}`);
        }
      }
    },
  },
  {
    name: 'a write that changes nothing is never made, but for one of several placeholders when the others go (C-220, C-002)',
    check: (run, find) => {
      for (const write of run.writes('endpointslices')) {
        const sync = run.causes(write)[0] ?? write;
        const key = `${sync.subject.object.split('/')[0]}/${write.payload.name}`;
        const held = run.cache('endpointslices', 'endpointslices', sync).get(key)?.object;
        const isEmpty = held?.endpoints.length === 0 && held.ports.length === 0;
        const othersGo = requestsOf(run, sync).some(({ payload }) => payload.verb === 'delete');
        find.that(!write.payload.noop || (isEmpty && othersGo), () => place(write));
      }
    },
  },
  {
    name: 'a sync that writes has seen all that the controller wrote before (C-211, C-212)',
    check: (run, find) => {
      for (const sync of run.syncs('endpointslices')) {
        if (requestsOf(run, sync).length === 0) continue;
        const cached = run.cache('endpointslices', 'endpointslices', sync);
        for (const [name, write] of lastWrites(run, sync)) {
          const { verb, generation } = write.payload;
          const seen = cached.get(name)?.object?.metadata.generation ?? 0;
          const isGone = run
            .stored('endpointslices')
            .some(({ key, object, event }) => key === name && !object && event.ref.row < sync.ref.row);
          const isSeen = verb === 'delete' ? seen === 0 : seen >= generation || isGone;
          find.that(isSeen, () => `${place(sync)}: ${name} at ${seen} after ${place(write)}`);
        }
      }
    },
  },
  {
    name: 'a sync sends one request after the other: of each family creates, updates, deletes, none after an error (C-225)',
    check: (run, find) => {
      const verbs = ['create', 'update', 'delete'];
      for (const sync of run.syncs('endpointslices')) {
        const requests = requestsOf(run, sync);
        for (const [one, next] of pairs(requests)) {
          find.that(one.end <= next.at, () => `${place(one)}, ${place(next)}`);
          const isOrdered = verbs.indexOf(one.payload.verb) <= verbs.indexOf(next.payload.verb);
          const service = cachedService(run, sync);
          const isSingle = service !== null && familiesOf(service).length === 1 && !hasOtherFamily(run, sync, service);
          find.that(!isSingle || (isOrdered && one.payload.error === ''), () => `${place(one)}, ${place(next)}`);
        }
      }
    },
  },
  {
    name: 'a Service that selects nothing, is an ExternalName or gone has nothing written for it (C-210)',
    check: (run, find) => {
      for (const sync of run.syncs('endpointslices')) {
        const service = cachedService(run, sync);
        const isTended =
          service !== null && service.spec.selector !== undefined && service.spec.type !== 'ExternalName';
        find.that(isTended === (sync.payload.isBare === 0), () => place(sync));
        find.that(isTended || requestsOf(run, sync).length === 0, () => place(sync));
      }
    },
  },
];

/** The last request for each slice of a sync's Service that was answered well, since the controller last forgot it. */
function lastWrites(run: ClusterObservation, sync: TraceEvent): ReadonlyMap<string, TraceEvent<'apiWrite'>> {
  const forgotten = run
    .syncs('endpointslices')
    .filter((one) => one.subject.object === sync.subject.object && one.at < sync.at && !cachedService(run, one))
    .at(-1);
  const last = new Map<string, TraceEvent<'apiWrite'>>();
  for (const write of run.writes('endpointslices')) {
    const { subject, ref } = run.causes(write)[0] ?? sync;
    const isEarlier = subject.object === sync.subject.object && ref.row < sync.ref.row && write.end <= sync.at;
    if (!isEarlier || write.payload.error !== '' || write.at < (forgotten?.at ?? Number.NEGATIVE_INFINITY)) continue;
    last.set(`${subject.object.split('/')[0]}/${write.payload.name}`, write);
  }
  return last;
}

/** Whether the cache had slices of a family that the Service has no more. */
const hasOtherFamily = (run: ClusterObservation, sync: TraceEvent, service: ServiceJson): boolean =>
  [...run.cache('endpointslices', 'endpointslices', sync).values()].some(
    ({ object }) => object !== null && belongs(object, service) && !familiesOf(service).includes(object.addressType),
  );
