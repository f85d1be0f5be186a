import type {
  Attempt,
  EndpointState,
  Observations,
  SeenResult,
  SliceWrite,
  StatusPatch,
  Sync,
} from './observations.ts';

/** One occurrence of a hop: from one instant to the next, µs since the scenario's begin. */
export interface Hop {
  /** Row of the README's table of hops. */
  readonly row: string;
  /** The same for the same occurrence in the recording and in each simulation of it. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** What belongs together comes within a second, µs: a result and its PATCH, a commit and the write of the slice. */
const TOGETHER = 1_000_000;
/** A sync that starts longer than this after the end of the last one found the proxy idle, µs. */
const IDLE_AFTER = 1_000_000;
/** Within this time of a change a client meets the new rules, µs: beyond it, what it meets has other reasons. */
const CLIENT_MEETS = 2_000_000;

/** All hops that a run shows. `proxyMode` is part of the name of some rows. */
export function hopsOf(seen: Observations, proxyMode: string): readonly Hop[] {
  const numbered = new Numbered();
  const patches = patchHops(seen, numbered);
  const changes = changesOf(seen.sliceWrites, numbered);
  return [
    ...seen.firstProbes.map(
      ({ pod, container, kind, run, startedAt, at }): Hop => ({
        row: `01 container start -> end of its first ${kind} probe (${run === 0 ? 'first run' : 'restart'})`,
        key: `01 ${numbered.of(`${pod}/${container}/${kind}/${run}`)}`,
        from: startedAt,
        to: at,
      }),
    ),
    ...resultHops(seen, numbered),
    ...patches,
    ...deletionHops(seen, numbered),
    ...changes.flatMap((change) => changeHops(change, seen, proxyMode)),
  ];
}

/** Numbers things of one name in their order. */
class Numbered {
  private readonly counts = new Map<string, number>();

  of(name: string): string {
    const number = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, number);
    return `${name}#${number}`;
  }
}

function resultHops({ results, patches }: Observations, numbered: Numbered): Hop[] {
  const good = new Set<string>();
  return results.flatMap((result) => {
    const of = `${result.pod}/${result.kind}`;
    // A worker's initial result is none of the prober's.
    if (!result.isGood && !good.has(of)) return [];
    if (result.isGood) good.add(of);
    const name = numbered.of(`${of}/${result.isGood ? 'good' : 'bad'}`);
    const seenHop: Hop = {
      row: '02 result logged by the prober -> SyncLoop (probe)',
      key: `02 ${name}`,
      from: result.at,
      to: result.seenAt,
    };
    const patch = result.kind === 'liveness' ? undefined : patchAfter(result, patches);
    if (!patch) return [seenHop];
    const row = '03 SyncLoop (probe) -> PATCH of pods/status received';
    return [seenHop, { row, key: `03 ${name}`, from: result.seenAt, to: patch.receivedAt }];
  });
}

/** The PATCH that tells of a result: of a readiness result, one that sets Ready to it. */
function patchAfter(result: SeenResult, patches: readonly StatusPatch[]): StatusPatch | undefined {
  const next = patches.find(
    ({ pod, receivedAt, ready }) =>
      pod === result.pod && receivedAt >= result.seenAt && (result.kind !== 'readiness' || ready === result.isGood),
  );
  return next && next.receivedAt - result.seenAt < TOGETHER ? next : undefined;
}

function patchHops({ patches }: Observations, numbered: Numbered): Hop[] {
  return patches.flatMap(({ pod, ready, receivedAt, answeredAt, seenAt }) => {
    if (ready === null) return [];
    const name = numbered.of(`${pod}/${ready ? 'ready' : 'not ready'}`);
    const answered: Hop = { row: '04 PATCH received -> answered', key: `04 ${name}`, from: receivedAt, to: answeredAt };
    if (seenAt === null) return [answered];
    return [answered, { row: '05 PATCH received -> seen by a watch', key: `05 ${name}`, from: receivedAt, to: seenAt }];
  });
}

const deletionHops = ({ deletions }: Observations, numbered: Numbered): Hop[] =>
  deletions.map(({ pod, receivedAt, answeredAt }) => ({
    row: '12 DELETE received -> answered',
    key: `12 ${numbered.of(`${pod}/deleted`)}`,
    from: receivedAt,
    to: answeredAt,
  }));

/** A Pod joins or leaves the ready endpoints of a Service. */
interface Change {
  readonly name: string;
  readonly pod: string;
  readonly joins: boolean;
  readonly isMarked: boolean;
  readonly write: SliceWrite;
}

function changesOf(writes: readonly SliceWrite[], numbered: Numbered): readonly Change[] {
  const last = new Map<string, ReadonlyMap<string, EndpointState>>();
  return writes.flatMap((write) => {
    const { service, endpoints } = write;
    const before = last.get(service);
    last.set(service, endpoints);
    const pods = new Set([...(before?.keys() ?? []), ...endpoints.keys()]);
    return [...pods].flatMap((pod): Change[] => {
      const [was, is] = [before?.get(pod), endpoints.get(pod)];
      const joins = is !== undefined && isUsed(is);
      if ((was !== undefined && isUsed(was)) === joins) return [];
      const name = numbered.of(`${service}/${pod}/${joins ? 'joins' : 'leaves'}`);
      return [{ name, pod, joins, isMarked: is?.terminating ?? false, write }];
    });
  });
}

/** Whether a proxy sends new connections to it while others are there. */
const isUsed = ({ ready, terminating }: EndpointState): boolean => ready && !terminating;

function changeHops(change: Change, seen: Observations, proxyMode: string): Hop[] {
  const { name, joins, write } = change;
  const hops = [...causeHops(change, seen)];
  hops.push({
    row: '07 EndpointSlice write received -> answered',
    key: `07a ${name}`,
    from: write.receivedAt,
    to: write.answeredAt,
  });
  if (write.seenAt === null) return hops;
  hops.push({
    row: '07 EndpointSlice write received -> seen by a watch',
    key: `07b ${name}`,
    from: write.receivedAt,
    to: write.seenAt,
  });
  const attempts = seen.attempts.get(write.service);
  const sync = attempts && seen.syncs.find(({ startedAt }) => startedAt >= write.heardFrom);
  if (!sync || sync.startedAt - write.seenAt > 2 * IDLE_AFTER) return hops;
  const last = seen.syncs.findLast(({ startedAt }) => startedAt < sync.startedAt);
  // A run in which the proxy was idle says nothing about a recording in which it held back.
  const state = !last || write.seenAt - last.completeAt >= IDLE_AFTER ? 'idle' : 'within 1 s of the last sync';
  hops.push(
    {
      row: `08 EndpointSlice seen by a watch -> proxy sync start (${proxyMode}, ${state})`,
      key: `08 ${name}, ${state}`,
      from: write.seenAt,
      to: sync.startedAt,
    },
    {
      row: `09 proxy sync start -> complete (${proxyMode})`,
      key: `09 ${name}`,
      from: sync.startedAt,
      to: sync.completeAt,
    },
  );
  const met = joins
    ? joinHops(change, sync, attempts, seen, proxyMode, state)
    : leaveHops(change, sync, attempts, seen, proxyMode);
  return [...hops, ...met];
}

/** From the request that made the controller write. */
function causeHops({ name, pod, joins, isMarked, write }: Change, { patches, deletions }: Observations): Hop[] {
  const isCause = ({ pod: of, receivedAt }: { readonly pod: string; readonly receivedAt: number }): boolean =>
    of === pod && receivedAt <= write.receivedAt && write.receivedAt - receivedAt < TOGETHER;
  if (isMarked) {
    const deletion = deletions.find(isCause);
    const row = '13 DELETE answered -> EndpointSlice write received';
    return deletion ? [{ row, key: `13 ${name}`, from: deletion.answeredAt, to: write.receivedAt }] : [];
  }
  const patch = patches.findLast((one) => isCause(one) && one.ready === joins);
  const row = `06 PATCH answered -> EndpointSlice write received (${joins ? 'ready' : 'not ready'})`;
  return patch ? [{ row, key: `06 ${name}`, from: patch.answeredAt, to: write.receivedAt }] : [];
}

/** The first connection that the Pod answers under the new rules. */
function joinHops(
  { name, pod, write }: Change,
  sync: Sync,
  attempts: readonly Attempt[],
  { patches, results }: Observations,
  proxyMode: string,
  state: string,
): Hop[] {
  const first = attempts.find((attempt) => attempt.pod === pod && attempt.at >= sync.startedAt);
  const before = attempts.some(
    (attempt) => attempt.pod === pod && attempt.at < sync.startedAt && sync.startedAt - attempt.at < TOGETHER,
  );
  if (!first || before || first.at - sync.completeAt > CLIENT_MEETS) return [];
  const hops: Hop[] = [
    {
      row: `10 proxy sync complete -> first new connection answered by the pod (${proxyMode})`,
      key: `10 ${name}`,
      from: sync.completeAt,
      to: first.at,
    },
  ];
  const patch = patches.findLast((one) => one.pod === pod && one.ready === true && one.receivedAt <= write.receivedAt);
  const result = results.findLast(
    (one) => one.pod === pod && one.kind === 'readiness' && one.isGood && one.seenAt <= (patch?.receivedAt ?? 0),
  );
  if (patch && result && write.receivedAt - result.at < TOGETHER)
    hops.push({
      row: `11 probe result -> first new connection answered by the pod (${proxyMode})`,
      key: `11 ${name}, ${state}`,
      from: result.at,
      to: first.at,
    });
  return hops;
}

/** The last connection that a Pod answers which could have answered more. */
function leaveHops(
  { name, pod }: Change,
  sync: Sync,
  attempts: readonly Attempt[],
  { silences }: Observations,
  proxyMode: string,
): Hop[] {
  const isNear = (at: number): boolean => at < sync.completeAt && sync.completeAt - at < 2 * TOGETHER;
  if (silences.some((silence) => silence.pod === pod && isNear(silence.at))) return [];
  const last = attempts.findLast((attempt) => attempt.pod === pod && attempt.at < sync.completeAt);
  const goesOn = attempts.some(
    (attempt) => attempt.pod === pod && attempt.at >= sync.completeAt && attempt.at < sync.completeAt + TOGETHER,
  );
  if (!last || goesOn || sync.completeAt - last.at > TOGETHER) return [];
  return [
    {
      row: `14 proxy sync complete -> last new connection answered by the leaving pod (${proxyMode})`,
      key: `14 ${name}`,
      from: sync.completeAt,
      to: last.at,
    },
  ];
}
