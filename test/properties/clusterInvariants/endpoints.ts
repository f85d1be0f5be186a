/** What holds of the endpoints controller. */
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import type {
  ClusterObservation,
  EndpointsJson,
  PodJson,
  ServiceJson,
  SubsetJson,
  Version,
} from '../clusterObservation.ts';
import { type Invariant, pairs } from '../invariant.ts';
import { place } from '../observation.ts';

const READY = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Addresses behind ports, one text each: `10.0.0.1 pod-1 http:8080/TCP ready`. */
const factsOf = ({ subsets }: EndpointsJson): readonly string[] =>
  subsets
    .flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
      const names = ports.map(({ name = '', port, protocol }) => `${name}:${port}/${protocol}`);
      const all = [
        ...addresses.map((one) => ({ ...one, state: 'ready' })),
        ...notReadyAddresses.map((one) => ({ ...one, state: 'not ready' })),
      ];
      const each = names.length > 0 ? names : ['no port'];
      return all.flatMap(({ ip, targetRef, state }) => each.map((port) => `${ip} ${targetRef?.name} ${port} ${state}`));
    })
    .sort();

export const isReady = ({ status }: PodJson): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

/** Whether a Pod has all labels of a selector. */
export const isSelected = ({ metadata }: PodJson, selector: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([key, value]) => metadata.labels?.[key] === value);

/** What a Service's object should say, from what the controller had in its caches: told again in the words of C-120. */
function expectedFacts(run: ClusterObservation, { spec }: ServiceJson, sync: TraceEvent): readonly string[] {
  const facts: string[] = [];
  const publishes = spec.publishNotReadyAddresses ?? false;
  for (const { key, object: pod } of run.cache('endpoints', 'pods', sync).values()) {
    if (!pod || !isSelected(pod, spec.selector ?? {})) continue;
    const ips = (pod.status.podIPs ?? []).map(({ ip }) => ip);
    const isSix = (ip: string): boolean => ip.includes(':');
    const own = spec.clusterIP && spec.clusterIP !== 'None' ? spec.clusterIP : (ips[0] ?? '');
    const wantsSix = spec.ipFamilies ? spec.ipFamilies[0] === 'IPv6' : isSix(own);
    const ip = ips.find((one) => isSix(one) === wantsSix);
    const isOver = ['Succeeded', 'Failed'].includes(pod.status.phase);
    if (!ip || isOver || (pod.metadata.deletionTimestamp && !publishes)) continue;
    const state = publishes || isReady(pod) ? 'ready' : 'not ready';
    const declared = run.pods.get(key)?.input.containers.flatMap(({ ports }) => ports) ?? [];
    for (const { name = '', protocol, targetPort } of spec.ports) {
      const port =
        typeof targetPort === 'number'
          ? targetPort
          : declared.find((one) => one.name === targetPort && one.protocol === protocol)?.containerPort;
      if (port !== undefined) facts.push(`${ip} ${pod.metadata.name} ${name}:${port}/${protocol} ${state}`);
    }
  }
  return facts.sort();
}

/** Versions that the controller wrote, with the syncs in which it did. */
const written = (
  run: ClusterObservation,
): readonly { readonly version: Version<'endpoints'>; readonly sync: TraceEvent; readonly object: EndpointsJson }[] =>
  run.stored('endpoints').flatMap((version) => {
    const write = run.ancestor(version.event, 'apiWrite');
    const sync = run.ancestor(version.event, 'controllerSync');
    return version.object && sync && write?.payload.actor === 'endpoints'
      ? [{ version, sync, object: version.object }]
      : [];
  });

const cachedService = (run: ClusterObservation, sync: TraceEvent): ServiceJson | null =>
  run.cache('endpoints', 'services', sync).get(sync.subject.object)?.object ?? null;

export const ENDPOINTS_INVARIANTS: readonly Invariant<ClusterObservation>[] = [
  {
    name: 'what is written is what the caches said when the sync began (C-120, C-121)',
    check: (run, find) => {
      for (const { version, sync, object } of written(run)) {
        const service = cachedService(run, sync);
        const expected = service ? expectedFacts(run, service, sync) : [];
        const got = factsOf(object);
        find.that(
          JSON.stringify(got) === JSON.stringify(expected),
          () => `${place(version.event)}: ${got.join(', ')} instead of ${expected.join(', ')}`,
        );
      }
    },
  },
  {
    name: 'what is left as it is says that already (C-120)',
    check: (run, find) => {
      for (const compared of run.of('endpointsCompared')) {
        const sync = run.ancestor(compared, 'controllerSync');
        const service = sync && cachedService(run, sync);
        if (!compared.payload.isEqual || !service) continue;
        const current = run.cache('endpoints', 'endpoints', sync).get(compared.subject.object)?.object;
        const expected = expectedFacts(run, service, sync);
        const got = current ? factsOf(current) : [];
        find.that(
          current !== undefined && JSON.stringify([...new Set(got)]) === JSON.stringify(expected),
          () => `${place(compared)}: ${got.join(', ')} instead of ${expected.join(', ')}`,
        );
      }
    },
  },
  {
    name: 'an address stands once behind each port, ready or not ready (C-130)',
    check: (run, find) => {
      for (const { version, object } of written(run)) {
        const all = factsOf(object).map((fact) => fact.replace(/ (not )?ready$/, ''));
        find.that(new Set(all).size === all.length, () => `${place(version.event)}: ${all.join(', ')}`);
      }
    },
  },
  {
    name: 'subsets that have the same addresses are one, and addresses are sorted as bytes (C-130)',
    check: (run, find) => {
      for (const { version, object } of written(run)) {
        const where = () => `${place(version.event)}: ${JSON.stringify(object.subsets)}`;
        const sets = object.subsets.map(({ addresses, notReadyAddresses }) =>
          JSON.stringify([addresses, notReadyAddresses]),
        );
        find.that(new Set(sets).size === sets.length, where);
        const isSorted = (list: SubsetJson['addresses'] = []): boolean => pairs(list).every(([a, b]) => a.ip <= b.ip);
        for (const one of object.subsets) find.that(isSorted(one.addresses) && isSorted(one.notReadyAddresses), where);
      }
    },
  },
  {
    name: 'a write that changes nothing is never made (C-120, C-002)',
    check: (run, find) => {
      for (const write of run.writes('endpoints')) find.that(write.payload.noop === 0, () => place(write));
    },
  },
  {
    name: 'only Services with a selector have their objects written (C-120)',
    check: (run, find) => {
      for (const { version, sync } of written(run)) {
        const spec = cachedService(run, sync)?.spec;
        find.that(spec?.selector !== undefined && spec.type !== 'ExternalName', () => place(version.event));
      }
    },
  },
  {
    name: 'the trigger time is a Ready transition of a selected Pod, or the creation of the Service (C-150)',
    check: (run, find) => {
      for (const { version, sync, object } of written(run)) {
        const time = object.metadata.annotations?.[READY];
        const service = cachedService(run, sync);
        if (time === undefined || !service) continue;
        const transitions = [...run.cache('endpoints', 'pods', sync).values()].flatMap(({ object: pod }) =>
          pod && isSelected(pod, service.spec.selector ?? {})
            ? (pod.status.conditions ?? []).filter(({ type }) => type === 'Ready')
            : [],
        );
        const known = [service.metadata.creationTimestamp, ...transitions.map((one) => one.lastTransitionTime)];
        find.that(known.includes(time), () => `${place(version.event)}: ${time}, not one of ${known.join(', ')}`);
      }
    },
  },
  {
    name: 'since 1.32 a conflict is always with somebody else’s write (C-120, C-122)',
    check: (run, find) => {
      if (run.minor < 32) return;
      for (const write of run.writes('endpoints')) {
        const { code, injected, verb, committedAt } = write.payload;
        if (verb !== 'update' || injected || code === 0) continue;
        const key = keyOf(run, write);
        const before = run.stored('endpoints').findLast((one) => one.key === key && one.event.at < committedAt);
        const author = before && run.ancestor(before.event, 'apiWrite')?.payload;
        find.that(
          code !== 409 || author?.actor !== 'endpoints' || author.injected === 1 || author.verb === 'create',
          () => `${place(write)} after ${before ? place(before.event) : 'nothing'}`,
        );
      }
    },
  },
  {
    name: 'the object of a Service that is gone is deleted (C-120)',
    check: (run, find) => {
      for (const sync of run.syncs('endpoints')) {
        if (!(sync.end < run.horizon) || cachedService(run, sync)) continue;
        const requests = run
          .writes('endpoints')
          .filter((write) => run.ancestor(write, 'controllerSync')?.ref.row === sync.ref.row);
        find.that(
          requests.length === 1 && requests[0]?.payload.verb === 'delete',
          () => `${place(sync)}: ${requests.map(({ payload }) => payload.verb).join(', ')}`,
        );
      }
    },
  },
];

/** Key of what a request is about. */
function keyOf(run: ClusterObservation, write: TraceEvent): string {
  return run.ancestor(write, 'controllerSync')?.subject.object ?? '';
}
