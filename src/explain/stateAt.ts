/** What everybody knows of a Pod at one instant. Look-ups only: nothing is simulated. */
import type { Micros } from '../base/units.ts';
import { type ContainerInput, type PodInput, PROBE_KINDS, type ProbeKind, type ProbeSpec } from '../sim/scenario.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import { apiPodKey, type PodStatus, podStatusOf } from '../sim/trace/podObject.ts';
import type { TraceEvent } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { lastOfKind, nextOfKind, subjectsWhere } from './lookUp.ts';

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
  /** The last turn that began; null before the first. */
  readonly turn: TraceEvent<'probeRun'> | null;
  /** Start of the next turn; null when there is none before the horizon. */
  readonly nextTurn: Micros | null;
  /** What the results manager holds: success, failure, unknown; null when nothing is stored. */
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
  readonly apps: readonly AppState[];
  readonly workers: readonly WorkerState[];
  /** The status manager's cache. */
  readonly kubelet: (KnownStatus & { readonly version: number }) | null;
  /** A PATCH that was sent and is not committed yet. */
  readonly patch: TraceEvent<'apiRequest'> | null;
  /** What the API server stores. */
  readonly api: KnownStatus | null;
}

export function stateAt(run: FinishedRun, pod: PodInput, at: Micros): PodState {
  return {
    pod,
    at,
    apps: pod.containers.map(({ name }) => appAt(run, pod, name, at)),
    workers: pod.containers.flatMap((container) => workersAt(run, pod, container, at)),
    kubelet: kubeletAt(run, pod, at),
    patch: patchAt(run, pod, at),
    api: apiAt(run, pod, at),
  };
}

function appAt({ reader }: FinishedRun, pod: PodInput, container: string, at: Micros): AppState {
  const subjects = subjectsWhere(reader, (s) => s.pod === pod.identity && s.container === container);
  const event = lastOfKind(reader, subjects, 'appState', at);
  const { state, detail } = event?.payload ?? { state: 'waiting', detail: '' };
  return { container, state, detail, since: event?.at ?? null };
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
  const subjects = subjectsWhere(
    reader,
    (s) => s.pod === pod.identity && s.container === container && s.probe === probe,
  );
  const turn = lastOfKind(reader, subjects, 'probeRun', at);
  const added = lastOfKind(reader, subjects, 'workerAdded', at);
  const set = lastOfKind(reader, subjects, 'resultSet', at);
  const removed = lastOfKind(reader, subjects, 'resultRemove', at);
  const stored = set !== null && (removed === null || removed.payload.id !== set.payload.id || removed.at < set.at);
  return {
    container,
    probe,
    spec,
    turn,
    node: added === null ? null : nodeOf(turn, at),
    nextTurn: nextOfKind(reader, subjects, 'probeRun', at)?.at ?? null,
    result: stored ? { value: set.payload.result.toLowerCase(), since: set.at } : null,
  };
}

/** The node that a turn left the machine in; while its attempt runs the machine is `probing`. */
function nodeOf(turn: TraceEvent<'probeRun'> | null, at: Micros): WorkerNode {
  if (turn === null) return { state: 'startSleep', lastResult: 'success', resultRun: 0 };
  const [state = '', lastResult = '', resultRun = '0'] = turn.payload.node.split('|');
  const running = turn.payload.outcome === 'attempt' && !(turn.end <= at);
  return {
    state: running ? 'probing' : state,
    lastResult: lastResult === 'failure' ? 'failure' : 'success',
    resultRun: Number(resultRun),
  };
}

function kubeletAt({ reader }: FinishedRun, pod: PodInput, at: Micros): PodState['kubelet'] {
  const subjects = subjectsWhere(reader, (s) => s.pod === pod.identity);
  const event = lastOfKind(reader, subjects, 'statusSet', at);
  if (event === null) return null;
  const { version, object } = event.payload;
  return { version, object, since: event.at, ref: event.ref, status: object < 0 ? {} : podStatusOf(reader, object) };
}

function patchAt({ reader }: FinishedRun, pod: PodInput, at: Micros): TraceEvent<'apiRequest'> | null {
  const subjects = subjectsWhere(reader, (s) => s.pod === pod.identity);
  const event = lastOfKind(reader, subjects, 'apiRequest', at);
  if (event === null || event.payload.verb.toUpperCase() !== 'PATCH') return null;
  return event.payload.committedAt <= at ? null : event;
}

function apiAt({ reader }: FinishedRun, pod: PodInput, at: Micros): KnownStatus | null {
  const version = reader.versionAt(apiPodKey(pod.identity), at);
  if (version === null) return null;
  const { index, since, row } = version;
  return { status: podStatusOf(reader, index), since, ref: { row, ordinal: 0 }, object: index };
}
