/** What holds of the API server, of watches, and of what wakes the controllers. */
import { watcherOf } from '../../../src/sim/trace/watchers.ts';
import { type ClusterObservation, OBSERVED, type PodJson, type Version } from '../clusterObservation.ts';
import { type Invariant, pairs } from '../invariant.ts';
import { place } from '../observation.ts';
import { isReady, isSelected } from './endpoints.ts';

/** Resources of which a controller gets every object. */
const WATCHED = [
  ['endpoints', 'pods'],
  ['endpoints', 'services'],
  ['endpoints', 'endpoints'],
  ['endpointslices', 'pods'],
  ['endpointslices', 'services'],
  ['endpointslices', 'endpointslices'],
] as const;

/** What of a Pod may concern its Services (C-110). */
const shownOf = ({ metadata, status }: PodJson): string =>
  JSON.stringify([metadata.labels, isReadyText(status), status.podIPs]);
const isReadyText = (status: PodJson['status']): boolean => isReady({ metadata: NO_META, status });
const NO_META = { name: '', uid: '', resourceVersion: '', creationTimestamp: '' };

/** Each commit of a Pod with the one before it. */
function changes(
  run: ClusterObservation,
): readonly { readonly old: PodJson | null; readonly version: Version<'pods'> }[] {
  const last = new Map<string, PodJson | null>();
  return run.stored('pods').map((version) => {
    const old = last.get(version.key) ?? null;
    last.set(version.key, version.object);
    return { old, version };
  });
}

export const API_INVARIANTS: readonly Invariant<ClusterObservation>[] = [
  {
    name: 'each commit has the next resource version (C-001)',
    check: (run, find) => {
      const commits = [...run.of('stored')].sort((a, b) => a.ref.row - b.ref.row);
      for (const [one, next] of pairs(commits))
        find.that(next.payload.resourceVersion === one.payload.resourceVersion + 1, () => place(next));
    },
  },
  {
    name: 'an update that is stored differs from what was there (C-002)',
    check: (run, find) => {
      for (const resource of OBSERVED) {
        const last = new Map<string, string>();
        for (const { key, object, event } of run.stored(resource)) {
          const text = object
            ? JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: '' } })
            : '';
          find.that(last.get(key) !== text || text === '', () => place(event));
          last.set(key, text);
        }
      }
    },
  },
  {
    name: 'a slice’s generation grows by one with its content or labels, and else stays (C-006)',
    check: (run, find) => {
      const last = new Map<string, { readonly text: string; readonly generation: number }>();
      for (const { key, object, event } of run.stored('endpointslices')) {
        if (!object) {
          last.delete(key);
          continue;
        }
        const { metadata, ...content } = object;
        const text = JSON.stringify([content, metadata.labels]);
        const generation = metadata.generation ?? 0;
        const before = last.get(key);
        const expected = before ? before.generation + (before.text === text ? 0 : 1) : 1;
        find.that(generation === expected, () => `${place(event)}: ${generation}, not ${expected}`);
        last.set(key, { text, generation });
      }
    },
  },
  {
    name: 'a watch delivers every commit once, in order, its latency after it (C-004)',
    check: (run, find) => {
      for (const [to, resource] of WATCHED) {
        const latency = (run.cluster.latency.watch[to] as Readonly<Record<string, number>>)[resource] ?? 0;
        const delivered = run
          .of('watchEvent')
          .filter(({ subject, payload }) => watcherOf(subject) === to && payload.resource === resource)
          .sort((a, b) => a.ref.row - b.ref.row);
        const due = run
          .stored(resource)
          .filter(({ event }) => event.at > run.cluster.start && event.at + latency < run.horizon);
        find.that(
          JSON.stringify(delivered.map(({ payload }) => payload.resourceVersion)) ===
            JSON.stringify(due.map(({ event }) => event.payload.resourceVersion)),
          () => `${to} ${resource}: ${delivered.length} of ${due.length}`,
        );
        for (const event of delivered) {
          const commit = run.causes(event)[0];
          find.that(commit?.kind === 'stored' && event.at === commit.at + latency, () => place(event));
        }
      }
    },
  },
  {
    name: 'causes come before their effects, and all but a script’s deeds have one',
    check: (run, find) => {
      const free = new Set(['action', 'watchList', 'proxyNotInitialised', 'deleteStaleChains']);
      for (const event of run.events) {
        const causes = run.causes(event);
        for (const cause of causes)
          find.that(cause.ref.row < event.ref.row && cause.at <= event.at, () => `${place(event)} by ${place(cause)}`);
        const isStart = event.at <= run.cluster.start;
        const ofController = event.subject.component.endsWith('Controller');
        if (ofController && !free.has(event.kind) && !isStart)
          find.that(causes.length > 0 || run.reader.armedBy(event.ref) !== null, () => place(event));
      }
    },
  },
  {
    name: 'an update of a Pod wakes the controllers if, and only if, its labels, Ready, addresses or deletion count (C-110, C-111)',
    check: (run, find) => {
      for (const to of ['endpoints', 'endpointslices'] as const) {
        const woken = new Set(run.of('podSynced').map((event) => run.causes(event)[0]?.ref.row));
        const delivered = new Map(
          run
            .of('watchEvent')
            .filter(({ subject, payload }) => watcherOf(subject) === to && payload.resource === 'pods')
            .map((event) => [event.payload.resourceVersion, event]),
        );
        for (const { old, version } of changes(run)) {
          const event = delivered.get(version.event.payload.resourceVersion);
          if (!event) continue;
          const counts =
            !old ||
            !version.object ||
            version.object.metadata.deletionTimestamp !== undefined ||
            shownOf(old) !== shownOf(version.object);
          find.that(woken.has(event.ref.row) === counts, () => `${place(version.event)}: ${counts}`);
        }
      }
    },
  },
  {
    name: 'a Pod’s change asks for Services that select it, before or after (C-112)',
    check: (run, find) => {
      const before = new Map(
        changes(run).map(({ old, version }) => [version.event.payload.resourceVersion, { old, version }]),
      );
      for (const asked of run.of('queueAddAfter')) {
        const synced = run.causes(asked)[0];
        const delivery = synced?.kind === 'podSynced' ? run.causes(synced)[0] : undefined;
        if (delivery?.kind !== 'watchEvent') continue;
        const to = watcherOf(delivery.subject) === 'endpoints' ? 'endpoints' : 'endpointslices';
        const service = run.cache(to, 'services', asked).get(asked.subject.object)?.object;
        const change = before.get(delivery.payload.resourceVersion);
        const selector = service?.spec.selector;
        const pods = [change?.old, change?.version.object];
        find.that(selector !== undefined && pods.some((pod) => pod && isSelected(pod, selector)), () => place(asked));
      }
    },
  },
];
