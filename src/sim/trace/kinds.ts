/**
 * The vocabulary of a trace: every kind of event with its payload columns. Everything that reads or writes a trace
 * derives its types from this table.
 *
 * `string` is an index into the trace's string table; `number` an f64 (NaN = not known); `version` an index into the
 * object versions of the trace (-1 = none).
 */
export type FieldType = 'string' | 'number' | 'version';

export const EVENT_KINDS = {
  // world
  action: { action: 'string', detail: 'string' },
  /** What the process answers from here on; a band until the next one. state: waiting | starting | serving | failing | stopping | exited */
  appState: { state: 'string', detail: 'string' },

  // kubelet: syncLoop. op as in the kubelet's log; pods are display names joined with ','.
  processStart: {},
  processStop: {},
  /** Housekeeping that found something to do: what, in words. */
  housekeeping: { work: 'string' },
  syncLoop: { channel: 'string', op: 'string', source: 'string', pods: 'string', id: 'string' },

  // kubelet: pod worker
  podWorkerWake: { work: 'string' },
  /** A span: one pass. `pass` counts from 1. */
  syncPod: { work: 'string', pass: 'number', error: 'string' },
  /** A span: a step of SyncPod that took time or failed (K-046). step: network | cgroups | mirror | directories | volumes | pullSecrets | runtime */
  syncPodStep: { step: 'string', error: 'string' },
  killContainer: { gracePeriodSeconds: 'number' },
  /** A span. result: completed | gracePeriodExceeded */
  preStop: { result: 'string' },
  /** The hook itself failed, perhaps after the grace that was given to it. */
  preStopFailed: {},
  backOff: { message: 'string' },
  /** A new entry in the pod workers' queue (K-040): due µs after the event. */
  requeue: { delay: 'number', reason: 'string' },

  // kubelet: prober manager and workers
  workerAdded: {},
  workersStopped: { op: 'string' },
  workerExited: {},
  updatePodStatus: {},
  poke: {},
  pokeDropped: {},
  startSleep: { length: 'number' },
  /**
   * A span: one turn of a worker, with its attempt if it came to one. Repeating turns share a row.
   * cause: first | ticker | manual. outcome: attempt | onHold | noStatus | noContainer | notRunning | podTerminated |
   * deletionRequested | skipped. result: success | failure | error, '' without an attempt. tries: one word each, joined with ','.
   * node: the worker machine's state and context after the turn, `state|lastResult|resultRun`.
   */
  probeRun: {
    cause: 'string',
    outcome: 'string',
    result: 'string',
    tries: 'string',
    tryEnds: 'string',
    node: 'string',
    id: 'string',
  },

  // kubelet: results managers
  resultSet: { id: 'string', result: 'string', was: 'string' },
  resultRemove: { id: 'string' },

  // container runtime; spans from call to return
  /** A span. error: empty when the image is there now. */
  pullImage: { image: 'string', error: 'string' },
  runPodSandbox: { sandbox: 'string', ip: 'string' },
  createContainer: { attempt: 'number', id: 'string' },
  startContainer: { attempt: 'number', id: 'string' },
  stopContainer: { attempt: 'number', timeoutSeconds: 'number' },
  /** A span: an exec hook in the container. result: success | failure | killed */
  hook: { hook: 'string', result: 'string' },
  sigterm: { attempt: 'number' },
  containerExit: { attempt: 'number', exitCode: 'number', cause: 'string' },
  stopPodSandbox: { sandbox: 'string' },
  removeContainer: { attempt: 'number' },
  removePodSandbox: { sandbox: 'string' },

  // status manager and API server
  statusSet: { op: 'string', version: 'number', object: 'version' },
  /** A span from request sent to answer received; the commit lies between. `object` is the API's object after it. */
  apiRequest: {
    verb: 'string',
    subresource: 'string',
    committedAt: 'number',
    version: 'number',
    object: 'version',
    error: 'string',
  },
  kubeEvent: { eventType: 'string', reason: 'string', message: 'string' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldType>>>>;

export type EventKind = keyof typeof EVENT_KINDS;
export const KIND_NAMES = Object.keys(EVENT_KINDS) as readonly EventKind[];

type Value<T extends FieldType> = T extends 'string' ? string : number;
/** Payload of one kind of event with its strings resolved. */
export type Payload<K extends EventKind> = {
  readonly [F in keyof (typeof EVENT_KINDS)[K]]: (typeof EVENT_KINDS)[K][F] extends FieldType
    ? Value<(typeof EVENT_KINDS)[K][F]>
    : never;
};

/** The part of the cluster that a subject belongs to. */
export const COMPONENTS = [
  'world',
  'app',
  'syncLoop',
  'podWorker',
  'prober',
  'probeWorker',
  'results',
  'runtime',
  'status',
  'api',
  'events',
] as const;
export type Component = (typeof COMPONENTS)[number];

/** Whom an event is about. Events of one subject are in a fixed order; `''` where a part does not apply. */
export interface Subject {
  readonly component: Component;
  readonly node: string;
  /** Pod identity (see PodInput.identity). */
  readonly pod: string;
  readonly container: string;
  readonly probe: '' | 'startup' | 'readiness' | 'liveness';
}

/** Identity of an event: its row, and which repetition within a packed row. */
export interface EventRef {
  readonly row: number;
  readonly ordinal: number;
}
