/** What everybody knows of a Pod at one instant. Look-ups only: nothing is simulated. */
import { memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import {
  type ContainerInput,
  type PodInput,
  PROBE_KINDS,
  type ProbeKind,
  type ProbeSpec,
  servingContainersOf,
} from '../sim/scenario.ts';
import { rowsOfKind } from '../sim/trace/indexes.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import { type PodStatus, podStatusOf } from '../sim/trace/podObject.ts';
import type { TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import { storedAt } from '../sim/trace/removals.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { asKind, eventsOfKind, lastOfKind, nextOfKind, previousOf, subjectsOfPod } from './lookUp.ts';

export interface AppState {
  readonly container: string;
  /** waiting | starting | serving | failing | stopping | exited; `waiting` before anything is known. */
  readonly state: string;
  readonly detail: string;
  readonly since: Micros | null;
}

/** The worker machine's place and counters. */
export interface WorkerNode {
  /** Such as `waiting.settled`, `probing`, `onHold`. */
  readonly state: string;
  readonly lastResult: 'success' | 'failure';
  readonly resultRun: number;
}

export interface WorkerState {
  readonly container: string;
  readonly probe: ProbeKind;
  readonly spec: ProbeSpec;
  /** Null before the worker exists. */
  readonly node: WorkerNode | null;
  /** Where the last turn began; null before the first. */
  readonly before: WorkerNode | null;
  /** The last turn that began; null before the first. */
  readonly turn: TraceEvent<'probeRun'> | null;
  /** Start of the next turn, probing or not; null when there is none before the horizon. */
  readonly nextTurn: Micros | null;
  /** Start of the next turn that probes; null when there is none before the horizon. */
  readonly nextAttempt: Micros | null;
  /** What the results manager holds for the newest container: success, failure, unknown; null when nothing is stored. */
  readonly result: { readonly value: string; readonly since: Micros } | null;
}

/** One version of a status and since when it holds. */
export interface KnownStatus {
  readonly status: PodStatus;
  readonly since: Micros;
  readonly ref: EventRef;
  /** Index of the object version; -1 when none is stored. */
  readonly object: number;
}

export interface PodState {
  readonly pod: PodInput;
  readonly at: Micros;
  /** Of sidecars and containers. */
  readonly apps: readonly AppState[];
  readonly workers: readonly WorkerState[];
  /** The status manager's cache. */
  readonly kubelet: (KnownStatus & { readonly version: number }) | null;
  /** A PATCH that was sent and is not committed yet. */
  readonly patch: TraceEvent<'apiRequest'> | null;
  /** What the API server stores, and whether it is being deleted and has a node. */
  readonly api: (KnownStatus & { readonly isDeleted: boolean; readonly isBound: boolean }) | null;
}

export function stateAt(run: FinishedRun, pod: PodInput, at: Micros): PodState {
  return {
    pod,
    at,
    apps: servingContainersOf(pod).map(({ name }) => appAt(run, pod, name, at)),
    workers: servingContainersOf(pod).flatMap((container) => workersAt(run, pod, container, at)),
    kubelet: kubeletAt(run, pod, at),
    patch: patchAt(run, pod, at),
    api: apiAt(run, pod, at),
  };
}

function appAt({ reader }: FinishedRun, pod: PodInput, container: string, at: Micros): AppState {
  const subjects = subjectsOfPod(reader, pod.identity, (s) => s.container === container);
  const events = eventsOfKind(reader, subjects, 'appState').filter((event) => event.at <= at);
  const { state, detail } = events.at(-1)?.payload ?? { state: 'waiting', detail: '' };
  const first = events[events.findLastIndex(({ payload }) => payload.state !== state) + 1];
  return { container, state, detail, since: first?.at ?? null };
}

function workersAt(run: FinishedRun, pod: PodInput, container: ContainerInput, at: Micros): readonly WorkerState[] {
  return PROBE_KINDS.flatMap((probe) => {
    const spec = container.probes[probe];
    return spec === null ? [] : [workerAt(run, pod, container.name, probe, spec, at)];
  });
}

function workerAt(
  { reader }: FinishedRun,
  pod: PodInput,
  container: string,
  probe: ProbeKind,
  spec: ProbeSpec,
  at: Micros,
): WorkerState {
  const subjects = subjectsOfPod(reader, pod.identity, (s) => s.container === container && s.probe === probe);
  const added = lastOfKind(reader, subjects, 'workerAdded', at);
  const exited = lastOfKind(reader, subjects, 'workerExited', at);
  const lastTurn = lastOfKind(reader, subjects, 'probeRun', at);
  const isOwn = (turn: TraceEvent | null): boolean => turn !== null && added !== null && turn.at >= added.at;
  const turn = isOwn(lastTurn) ? lastTurn : null;
  const previousRef = turn === null ? null : previousOf(reader, turn.ref);
  const previous = previousRef === null ? null : asKind(reader.event(previousRef), 'probeRun');
  const before = turn === null ? null : isOwn(previous) && previous !== null ? parseNode(previous.payload.node) : START;
  return {
    container,
    probe,
    spec,
    turn,
    before,
    node: added === null ? null : nodeOf(turn, before ?? START, exited !== null && exited.at >= added.at, at),
    nextTurn: nextOfKind(reader, subjects, 'probeRun', at)?.at ?? null,
    nextAttempt: nextOfKind(reader, subjects, 'probeRun', at, ({ outcome }) => outcome === 'attempt')?.at ?? null,
    result: resultAt(reader, pod, container, probe, at),
  };
}

/** What the results manager holds of a probe for the newest container; null when nothing is stored. */
export function resultAt(
  reader: TraceReader,
  pod: PodInput,
  container: string,
  probe: ProbeKind,
  at: Micros,
): WorkerState['result'] {
  const subjects = subjectsOfPod(reader, pod.identity, (s) => s.container === container && s.probe === probe);
  const set = lastOfKind(reader, subjects, 'resultSet', at);
  const removed = lastOfKind(reader, subjects, 'resultRemove', at);
  const stored =
    set !== null &&
    set.at >= memorySince(reader, pod, at) &&
    set.payload.id === containerIdAt(reader, pod, container, at) &&
    (removed === null || removed.payload.id !== set.payload.id || removed.at < set.at);
  return stored ? { value: set.payload.result.toLowerCase(), since: set.at } : null;
}

const processStops = memoizedWeakly((reader: TraceReader): readonly TraceEvent[] =>
  Array.from(rowsOfKind(reader, 'processStop'), (row) => reader.event({ row, ordinal: 0 })),
);

/** A kubelet keeps results and statuses in its memory: those of a process that has ended are gone (K-160). */
const memorySince = (reader: TraceReader, { node }: PodInput, at: Micros): number =>
  processStops(reader).findLast((stop) => stop.subject.node === node && stop.at <= at)?.at ?? Number.NEGATIVE_INFINITY;

/** Id of the newest container of that name; null before there is one. A result belongs to an id (K-160), not to a name. */
function containerIdAt(reader: TraceReader, pod: PodInput, container: string, at: Micros): string | null {
  const subjects = subjectsOfPod(reader, pod.identity, (s) => s.container === container);
  const newest = lastOfKind(reader, subjects, 'createContainer', at);
  if (newest === null || newest.end <= at) return newest?.payload.id ?? null;
  const before = previousOf(reader, newest.ref);
  return before === null ? null : (asKind(reader.event(before), 'createContainer')?.payload.id ?? null);
}

/** A worker before its first turn (K-112). */
const START: WorkerNode = { state: 'startSleep', lastResult: 'success', resultRun: 0 };

/** The node that a turn left the machine in. While its attempt runs the machine is `probing` and has counted nothing of it. */
function nodeOf(turn: TraceEvent<'probeRun'> | null, before: WorkerNode, hasExited: boolean, at: Micros): WorkerNode {
  const isRunning = turn !== null && turn.payload.outcome === 'attempt' && !(turn.end <= at);
  if (isRunning) return { ...before, state: 'probing' };
  const node = turn === null ? START : parseNode(turn.payload.node);
  return hasExited ? { ...node, state: 'stopped' } : node;
}

/** `waiting.settled|failure|2` as the trace keeps it. */
function parseNode(text: string): WorkerNode {
  const [state = '', lastResult = '', resultRun = '0'] = text.split('|');
  return { state, lastResult: lastResult === 'failure' ? 'failure' : 'success', resultRun: Number(resultRun) };
}

function kubeletAt({ reader }: FinishedRun, pod: PodInput, at: Micros): PodState['kubelet'] {
  const subjects = subjectsOfPod(reader, pod.identity);
  const event = lastOfKind(reader, subjects, 'statusSet', at);
  if (event === null || event.at < memorySince(reader, pod, at)) return null;
  const { version, object } = event.payload;
  return { version, object, since: event.at, ref: event.ref, status: object < 0 ? {} : podStatusOf(reader, object) };
}

function patchAt({ reader }: FinishedRun, pod: PodInput, at: Micros): TraceEvent<'apiRequest'> | null {
  const subjects = subjectsOfPod(reader, pod.identity);
  const event = lastOfKind(reader, subjects, 'apiRequest', at);
  if (event === null || event.payload.verb.toUpperCase() !== 'PATCH') return null;
  return event.payload.committedAt <= at ? null : event;
}

function apiAt({ reader }: FinishedRun, pod: PodInput, at: Micros): PodState['api'] {
  const version = storedAt(reader, pod.identity, at);
  if (version === null) return null;
  const { index, since, row } = version;
  const text = reader.versionText(index);
  const isDeleted = text.includes('"deletionTimestamp"');
  const isBound = text.includes('"nodeName"');
  return { status: podStatusOf(reader, index), since, ref: { row, ordinal: 0 }, object: index, isDeleted, isBound };
}
