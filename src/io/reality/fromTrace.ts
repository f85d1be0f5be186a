import { namedFractions } from '../../base/hash.ts';
import { type Quantiles, quantileAt } from '../../base/quantiles.ts';
import type { NeighbourSync } from '../../sim/clusterInput.ts';
import type { EventKind } from '../../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../../sim/trace/reader.ts';
import type { SeededReality } from './deletions.ts';
import { ANSWER_US, OBSERVER, PROXY_WATCH } from './hopDistributions.ts';
import { podNameOf } from './incarnations.ts';
import type {
  Attempt,
  Deletion,
  FirstProbe,
  Observations,
  SeenResult,
  Silence,
  SliceWrite,
  StatusPatch,
  Sync,
} from './observations.ts';
import { endpointsIn } from './readObservations.ts';

/** A draw that the run made. */
interface Taken {
  readonly name: string;
  readonly at: number;
  readonly value: number | string;
}

/** What an operator would have seen of a simulated run, with the draws that it took. */
export function observationsOf(
  reader: TraceReader,
  taken: readonly Taken[],
  { scenario: { seed, cluster }, requests }: SeededReality,
): Observations {
  const neighbours = cluster?.proxies.flatMap((proxy) => proxy.neighbours ?? []) ?? [];
  const attempts = eventsOf(reader, 'clientAttempt');
  return {
    firstProbes: firstProbesOf(reader),
    results: resultsOf(reader),
    patches: patchesOf(reader, seed),
    deletions: eventsOf(reader, 'action').flatMap((event) => deletionOf(event, requests)),
    sliceWrites: sliceWritesOf(reader, taken, seed),
    syncs: syncsOf(reader, taken, neighbours),
    attempts: attemptsOf(attempts),
    silences: [...eventsOf(reader, 'containerExit').map(silenceOf), ...attempts.flatMap(refusalOf)],
  };
}

type Of<K extends EventKind> = Extract<TraceEvent, { readonly kind: K }>;

/** Events of a kind in order of their rows; of a row that repeats, the first. */
function eventsOf<K extends EventKind>(reader: TraceReader, kind: K): readonly Of<K>[] {
  const found: Of<K>[] = [];
  for (let row = 0; row < reader.data.rows; row++)
    if (reader.kindOf(row) === kind) found.push(reader.event({ row, ordinal: 0 }) as Of<K>);
  return found;
}

/** An operator's watch shows a commit a drawn time later. */
function watchOf(quantiles: Quantiles, seed: number, name: string): (at: number) => number {
  const fraction = namedFractions(seed, `reality/${name}`);
  let index = 0;
  return (at) => at + quantileAt(quantiles, fraction(index++));
}

function firstProbesOf(reader: TraceReader): readonly FirstProbe[] {
  const starts = eventsOf(reader, 'startContainer');
  const probes = eventsOf(reader, 'probeRun').filter(({ payload }) => payload.outcome === 'attempt');
  const found = new Map<string, FirstProbe>();
  for (const { subject, payload, at, end } of probes) {
    const { pod, container, probe: kind } = subject;
    const start = starts.findLast(
      (one) => one.subject.pod === pod && one.subject.container === container && one.end <= at,
    );
    if (!start || kind === '' || payload.result === '' || Number.isNaN(end)) continue;
    const run = start.payload.attempt;
    const key = `${pod}/${container}/${kind}/${run}`;
    const known = found.get(key);
    if (known && known.at <= end) continue;
    found.set(key, { pod: podNameOf(pod), container, kind, run, startedAt: start.end, at: end });
  }
  return [...found.values()];
}

/** Results that a probe brought, and the syncLoop's receipt of each. */
function resultsOf(reader: TraceReader): readonly SeenResult[] {
  return eventsOf(reader, 'syncLoop').flatMap(({ ref, at, payload }): SeenResult[] => {
    const kind = payload.channel;
    if (kind !== 'startup' && kind !== 'readiness' && kind !== 'liveness') return [];
    return reader.causesOf(ref).flatMap((cause): SeenResult[] => {
      const set = reader.event(cause);
      if (set.kind !== 'resultSet' || !isProbed(reader, set)) return [];
      return [{ pod: payload.pods, kind, isGood: set.payload.result === 'success', at: set.at, seenAt: at }];
    });
  });
}

const isProbed = (reader: TraceReader, set: Of<'resultSet'>): boolean =>
  reader.causesOf(set.ref).some((cause) => {
    const run = reader.event(cause);
    return run.kind === 'probeRun' && run.payload.outcome === 'attempt' && run.end <= set.at;
  });

function patchesOf(reader: TraceReader, seed: number): readonly StatusPatch[] {
  const ready = new Map<string, boolean>();
  const seen = watchOf(OBSERVER.patchSeen, seed, 'patchSeen');
  return eventsOf(reader, 'apiRequest').flatMap(({ at, end, subject, payload }): StatusPatch[] => {
    const { verb, committedAt, object } = payload;
    if (verb !== 'patch' || object < 0 || Number.isNaN(end)) return [];
    const is = isReady(reader.versionText(object));
    const was = ready.get(subject.pod);
    if (is !== null) ready.set(subject.pod, is);
    const pod = podNameOf(subject.pod);
    return [{ pod, receivedAt: at, answeredAt: end, seenAt: seen(committedAt), ready: is === was ? null : is }];
  });
}

/** The condition Ready of a Pod's text; null without it. */
function isReady(text: string): boolean | null {
  const pod = JSON.parse(text) as { status?: { conditions?: readonly { type: string; status: string }[] } };
  const condition = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  return condition ? condition.status === 'True' : null;
}

function deletionOf({ at, subject, payload }: Of<'action'>, requests: ReadonlyMap<string, number>): Deletion[] {
  const request = requests.get(subject.pod);
  if (payload.action !== 'deletePod' || request === undefined) return [];
  const [pod, receivedAt] = [podNameOf(subject.pod), at - request];
  return [{ pod, receivedAt, answeredAt: at + ANSWER_US, isByController: false, graceSeconds: null }];
}

/**
 * When a slice is shown by the operator's watch and, mostly a little later, heard of by kube-proxy, which in truth hears
 * nothing of headless ones.
 */
function sliceWatches(
  taken: readonly Taken[],
  seed: number,
): (committedAt: number) => { readonly seenAt: number; readonly heardFrom: number } {
  const heard = new Map(
    taken.flatMap(({ name, at, value }) => (SLICE_WATCH.test(name) ? [[at, at + Number(value)]] : [])),
  );
  const unheard = watchOf(PROXY_WATCH, seed, 'unheard');
  const before = watchOf(OBSERVER.beforeProxy, seed, 'beforeProxy');
  return (at) => {
    const heardFrom = heard.get(at) ?? unheard(at);
    return { seenAt: Math.max(at, heardFrom - before(0)), heardFrom };
  };
}
const SLICE_WATCH = /^latency\/proxyWatch\/.*\/endpointslices$/;

function sliceWritesOf(reader: TraceReader, taken: readonly Taken[], seed: number): readonly SliceWrite[] {
  const watched = sliceWatches(taken, seed);
  const versions = eventsOf(reader, 'stored').filter(({ payload }) => payload.resource === 'endpointslices');
  return eventsOf(reader, 'apiWrite').flatMap(({ ref, at, end, payload }): SliceWrite[] => {
    if (payload.resource !== 'endpointslices' || payload.error !== '' || Number.isNaN(end)) return [];
    const stored = versions.find(
      (version) =>
        version.at === payload.committedAt && reader.causesOf(version.ref).some(({ row }) => row === ref.row),
    );
    const written =
      stored && stored.payload.object >= 0 && endpointsIn(JSON.parse(reader.versionText(stored.payload.object)));
    if (!written) return [];
    return [{ ...written, receivedAt: at, answeredAt: end, ...watched(payload.committedAt) }];
  });
}

/** A sync is over when its log says so: after its write, a drawn time later or, of those that neighbours ask for, a given one. */
function syncsOf(reader: TraceReader, taken: readonly Taken[], neighbours: readonly NeighbourSync[]): readonly Sync[] {
  const drawn = new Map(
    taken.flatMap(({ name, at, value }) => (name.startsWith('latency/proxyAfterSync/') ? [[at, Number(value)]] : [])),
  );
  return eventsOf(reader, 'proxySync').flatMap((sync): Sync[] => {
    const after = drawn.get(sync.end) ?? neighbours.findLast(({ at }) => at <= sync.at)?.after ?? 0;
    return Number.isNaN(sync.end) ? [] : [{ startedAt: sync.at, completeAt: sync.end + after }];
  });
}

function attemptsOf(events: readonly Of<'clientAttempt'>[]): ReadonlyMap<string, readonly Attempt[]> {
  const byService = new Map<string, Attempt[]>();
  for (const { at, subject, payload } of events) {
    const isAnswered = payload.outcome === 'served' || payload.outcome === 'errorAnswer';
    const list = byService.get(subject.object) ?? [];
    list.push({ at, pod: isAnswered ? podNameOf(payload.pod) : null });
    byService.set(subject.object, list);
  }
  return byService;
}

const silenceOf = ({ at, subject }: Of<'containerExit'>): Silence => ({ pod: podNameOf(subject.pod), at });

/** A Pod that refuses a connection has closed its port. */
const refusalOf = ({ at, payload }: Of<'clientAttempt'>): Silence[] =>
  payload.outcome === 'refused' ? [{ pod: podNameOf(payload.pod), at }] : [];
