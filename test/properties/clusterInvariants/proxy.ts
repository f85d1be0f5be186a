/** What holds of kube-proxy. */
import type { ProxyInput } from '../../../src/sim/clusterInput.ts';
import type { Frontend, ServiceRules } from '../../../src/sim/proxy/rules.ts';
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import type { ClusterObservation } from '../clusterObservation.ts';
import { type Invariant, pairs } from '../invariant.ts';
import { place } from '../observation.ts';
import { type BackendFacts, backendsOf, ProxyCache, type ProxyFamily, proxierFamilies } from '../proxyCache.ts';

/** Since then the minimum counts from the end of a run, and the fallback to terminating endpoints exists. */
const SINCE = { endToStart: 34, fallback: 26 } as const;

type Sync = TraceEvent<'proxySync'>;
type Change = TraceEvent<'rulesChanged'>;

/** Syncs of one proxier that have ended, in order. */
const syncsOf = (run: ClusterObservation, { proxy, familyName }: ProxyFamily): readonly Sync[] =>
  run
    .of('proxySync')
    .filter(
      ({ subject, payload, end }) =>
        subject.object === proxy.name && payload.family === familyName && !Number.isNaN(end),
    );

const causedBy = (run: ClusterObservation, sync: Sync): readonly Change[] =>
  run.of('rulesChanged').filter((change) => run.causes(change)[0]?.ref.row === sync.ref.row);

/** The rules that a sync leaves behind. In ipvs mode virtual servers that nothing wants any more stay until its end (P-042). */
function leftBy(run: ClusterObservation, sync: Sync): readonly Change[] {
  if (sync.payload.result === 'failed') return [];
  return [...new Map(causedBy(run, sync).map((change) => [change.payload.service, change])).values()];
}

const frontendsIn = (run: ClusterObservation, { payload }: Change): readonly Frontend[] =>
  (run.json(payload.rules) as ServiceRules).frontends;

/** Each applied sync with all rules that are in force after it, by Service. */
function* afterEachSync(
  run: ClusterObservation,
  family: ProxyFamily,
): Generator<readonly [Sync, ReadonlyMap<string, readonly Frontend[]>]> {
  const inForce = new Map<string, readonly Frontend[]>();
  for (const sync of syncsOf(run, family)) {
    for (const change of causedBy(run, sync)) inForce.set(change.payload.service, frontendsIn(run, change));
    if (sync.payload.result === 'applied') yield [sync, inForce];
  }
}

/** Every list of backends that a sync put in force, with what the proxy knew of them when it began. */
function eachList(
  run: ClusterObservation,
  check: (frontend: Frontend, facts: readonly BackendFacts[], change: Change, proxy: ProxyInput) => void,
): void {
  for (const family of proxierFamilies(run)) {
    const cache = new ProxyCache(run, family.proxy);
    for (const sync of syncsOf(run, family)) {
      for (const change of leftBy(run, sync)) {
        for (const frontend of frontendsIn(run, change)) {
          const facts = backendsOf(cache.slices(sync), change.payload.service, frontend.port, family.family);
          check(frontend, facts, change, family.proxy);
        }
      }
    }
  }
}

export const PROXY_INVARIANTS: readonly Invariant<ClusterObservation>[] = [
  {
    name: 'after a sync, partial ones too, the cluster IPs lead to what the slices say at its begin (P-022, P-030, P-051)',
    check: (run, find) => {
      for (const family of proxierFamilies(run)) {
        const cache = new ProxyCache(run, family.proxy);
        for (const [sync, inForce] of afterEachSync(run, family)) {
          const expected = cache.clusterIPs(sync, family.family);
          for (const [service, lists] of expected) {
            const shown = (inForce.get(service) ?? [])
              .filter(({ kind }) => kind === 'clusterIP')
              .map(({ port, backends }) => `${port}: ${backends.join(' ')}`);
            find.that(shown.join() === lists.join(), () => `${place(sync)} ${service}: ${shown}, not ${lists}`);
          }
          const gone = [...inForce].filter(([service, { length }]) => length > 0 && !expected.has(service));
          find.that(gone.length === 0, () => `${place(sync)}: rules of ${gone.map(([service]) => service)}`);
        }
      }
    },
  },
  {
    name: 'no run begins less than minSyncPeriod after the end of the one before (P-021)',
    check: (run, find) => {
      if (run.minor < SINCE.endToStart) return;
      for (const family of proxierFamilies(run)) {
        // The first one is made directly, beside the runner (P-023).
        for (const [one, next] of pairs(syncsOf(run, family).slice(1)))
          find.that(next.at >= one.end + family.proxy.minSyncPeriod, () => place(next));
      }
    },
  },
  {
    name: 'a slice that comes waits for the end of the run and for minSyncPeriod, and no longer (P-021, P-022)',
    check: (run, find) => {
      if (run.minor < SINCE.endToStart) return;
      for (const family of proxierFamilies(run)) {
        const syncs = syncsOf(run, family);
        const first = syncs[0]?.end ?? Number.POSITIVE_INFINITY;
        for (const change of run.of('proxyChange')) {
          const { payload, subject, at } = change;
          if (subject.object !== family.proxy.name || payload.kind !== 'EndpointSlice' || at <= first) continue;
          if (new ProxyCache(run, family.proxy).familyOf(change) !== family.family) continue;
          const lastRun = syncs.filter((sync) => sync.at < at).at(-1)?.end ?? at;
          const asked = run.of('proxyNotInitialised').filter((event) => event.subject.object === subject.object);
          const until = Math.max(at, lastRun + AFTER_SYNC + family.proxy.minSyncPeriod, lastAsk(asked, family.proxy));
          if (until >= run.horizon - LONGEST_WRITE) continue;
          find.that(
            syncs.some((sync) => sync.at >= at && sync.at <= until),
            () => place(change),
          );
        }
      }
    },
  },
  {
    name: 'an endpoint is used that is ready, or that serves while it terminates, and no other (P-052)',
    check: (run, find) =>
      eachList(run, ({ backends }, facts, change) => {
        for (const backend of backends) {
          const usable = facts.some(
            ({ address, isReady, isFallback }) =>
              address === backend && (isReady || (isFallback && run.minor >= SINCE.fallback)),
          );
          find.that(usable, () => `${place(change)}: ${backend}`);
        }
      }),
  },
  {
    name: 'a list has ready endpoints only, or none: the fallback is for when there is no ready one (P-051)',
    check: (run, find) =>
      eachList(run, ({ backends, fromNode }, facts, change) => {
        const ready = new Set(facts.filter(({ isReady }) => isReady).map(({ address }) => address));
        for (const list of [backends, fromNode?.backends ?? []]) {
          const count = list.filter((backend) => ready.has(backend)).length;
          if (list.length > 0) find.that(count === 0 || count === list.length, () => `${place(change)}: ${list}`);
        }
      }),
  },
  {
    name: 'backends are sorted by their bytes, each once (P-011)',
    check: (run, find) =>
      eachList(run, ({ backends }, _facts, change) => {
        for (const [one, next] of pairs(backends)) find.that(one < next, () => `${place(change)}: ${one} ${next}`);
      }),
  },
  {
    name: 'a connection is sent on exactly where there is a backend (P-054)',
    check: (run, find) =>
      eachList(run, ({ verdict, backends }, _facts, change) => {
        find.that((verdict === 'dnat') === backends.length > 0, () => `${place(change)}: ${verdict} ${backends}`);
      }),
  },
  {
    name: 'a write that fails leaves the old rules, but for the servers of ipvs (P-024, P-042)',
    check: (run, find) => {
      for (const family of proxierFamilies(run)) {
        if (family.proxy.mode === 'ipvs') continue;
        for (const sync of syncsOf(run, family)) {
          if (sync.payload.result === 'failed') find.that(causedBy(run, sync).length === 0, () => place(sync));
        }
      }
    },
  },
  {
    name: 'the sync after a failed one is full, and comes within syncPeriod (P-024)',
    check: (run, find) => {
      for (const family of proxierFamilies(run)) {
        for (const [one, next] of pairs(syncsOf(run, family).slice(1))) {
          if (one.payload.result !== 'failed') continue;
          const isSoon = next.at <= one.end + AFTER_SYNC + family.proxy.syncPeriod;
          find.that(next.payload.isFull === 1 && isSoon, () => place(next));
        }
      }
    },
  },
  {
    name: 'a sync is asked for by a change, or is due by the runner’s timer (P-020)',
    check: (run, find) => {
      for (const family of proxierFamilies(run)) {
        // The first one is made directly, beside the runner (P-023).
        for (const sync of syncsOf(run, family).slice(1)) {
          const isAsked = run.causes(sync).some(({ kind }) => kind === 'proxyChange' || kind === 'proxyTopology');
          find.that(isAsked || run.reader.armedBy(sync.ref) !== null, () => place(sync));
        }
      }
    },
  },
];

/** µs that a proxier takes after each sync; more than any write of these runs takes. */
const AFTER_SYNC = 3;
const LONGEST_WRITE = 1_000_000;

/** Until when a run that found nothing to start with keeps the next from beginning. */
const lastAsk = (asked: readonly TraceEvent[], { minSyncPeriod }: ProxyInput): number =>
  Math.max(...asked.map(({ at }) => at + minSyncPeriod), Number.NEGATIVE_INFINITY);
