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
  /** What a new connection to the process meets from here on (T-010). state: refuse | hang | answer; code: of the answer, else 0. */
  appServe: { state: 'string', code: 'number' },

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

  // API server: what it stores, and who writes there beside the kubelet
  /** A commit. type: ADDED | MODIFIED | DELETED. `object` is the stored version; -1 for a deletion. */
  stored: { resource: 'string', type: 'string', resourceVersion: 'number', generation: 'number', object: 'version' },
  /**
   * A span from request sent to answer received, of a controller or the script; the API server decides it at `committedAt`.
   * verb: create | update | delete. resourceVersion: after it, 0 for none. injected, committed, noop: 1 or 0.
   * basis: JSON of what a Deployment controller reckoned with.
   */
  apiWrite: {
    actor: 'string',
    verb: 'string',
    resource: 'string',
    subresource: 'string',
    name: 'string',
    generateName: 'string',
    committedAt: 'number',
    code: 'number',
    resourceVersion: 'number',
    generation: 'number',
    error: 'string',
    injected: 'number',
    committed: 'number',
    noop: 'number',
    basis: 'string',
  },
  /** A component's reflector gets the list of a resource. */
  watchList: { resource: 'string', count: 'number' },
  /** A component's reflector gets an event of its watch; its handlers run in the same instant (C-004). */
  watchEvent: { resource: 'string', type: 'string', name: 'string', resourceVersion: 'number' },

  // controllers: their work queues (C-030 to C-032) and syncs; the subject's object is the Service's key
  queueAddAfter: { delay: 'number' },
  queueAdd: {},
  /** waited: µs since the add. */
  queueGet: { waited: 'number' },
  /** processed: µs since the get. */
  queueDone: { processed: 'number' },
  /** A Pod's change was mapped to its Services (C-112). */
  podSynced: {},
  /** A span: one sync of a Service. isBare: 1 when it ends before it has begun (gone, no selector, ExternalName). */
  controllerSync: { isBare: 'number', error: 'string' },
  /** The endpoints controller compared: write, or nothing to write. ready, notReady: addresses, per port. */
  endpointsCompared: { isEqual: 'number', ready: 'number', notReady: 'number' },
  queueRetry: { error: 'string' },
  queueDropped: { error: 'string' },
  mirrorCleanup: {},
  /** values: JSON of the log line's values. */
  controllerLog: { message: 'string', values: 'string' },
  /** An Event object of a controller. op: create | patch; count: how often so far. about: `Endpoints/web`. */
  controllerEvent: {
    actor: 'string',
    op: 'string',
    about: 'string',
    eventType: 'string',
    reason: 'string',
    message: 'string',
    count: 'number',
  },

  // kube-proxy; the subject's object is the proxy's name
  proxyChange: { kind: 'string', op: 'string', name: 'string' },
  /**
   * A span from syncStart to the end of the rule write. family: '' unless dual stack. write: JSON of the size of the write.
   * networkProgramming: JSON list of { service, elapsedUs }. result: applied | failed.
   */
  proxySync: {
    isFull: 'number',
    family: 'string',
    write: 'string',
    networkProgramming: 'string',
    result: 'string',
  },
  /** A sync put rules of a Service (`namespace/name`) in force that differ from the ones before: `rules/<proxy>/<family>/<service>`. */
  rulesChanged: { service: 'string', family: 'string', rules: 'version' },
  proxySyncFailed: { retry: 'number' },
  proxyError: { message: 'string', error: 'string' },
  /** A sync was asked for before Services and slices were both known (P-003). */
  proxyNotInitialised: { family: 'string' },
  /** labels: JSON of the node's zone label as the proxy sees it. which: change | labels. */
  proxyTopology: { which: 'string', labels: 'string' },
  deleteStaleChains: { chains: 'number' },
  conntrackList: { entries: 'number' },
  conntrackDelete: { protocol: 'string', from: 'string', dest: 'string', backend: 'string' },
  /** A client begins. service: `namespace/name`, '' where it is not known; port: its name; target: the frontend, or what it dials. every: µs. */
  clientStart: { service: 'string', port: 'string', target: 'string', every: 'number' },
  /**
   * A span: one attempt of request `n` (T-010). try: 0, then one more for each retry. via: node whose rules decided. of:
   * backends to choose from. connection: number of the one kept open, 0 for one of its own. final: 1 when no retry follows.
   * outcome: served | errorAnswer | wrongPod | refused | rejected | timeout | reset | noAddress.
   */
  clientAttempt: {
    n: 'number',
    try: 'number',
    via: 'string',
    backend: 'string',
    of: 'number',
    connection: 'number',
    pod: 'string',
    outcome: 'string',
    code: 'number',
    final: 'number',
  },
  /** A connection that is kept open. reason: idleTimeout | maxRequests | byApp | reset | timeout. */
  connectionOpened: { connection: 'number', backend: 'string', pod: 'string' },
  connectionClosed: { connection: 'number', reason: 'string' },
  /** A span: a client asks for a name. from: clientCache | nodeLocal | cache | coredns. answer: addresses joined with ', ', or NXDOMAIN. ttl: s left of it. */
  dnsLookup: { name: 'string', from: 'string', answer: 'string', ttl: 'number' },
  /** A load balancer changes its mind about a node. state: healthy | unhealthy. */
  targetHealth: { node: 'string', state: 'string' },
  healthCheck: { service: 'string', port: 'number', localEndpoints: 'number', httpStatus: 'number' },
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
  'store',
  'endpointsController',
  'endpointSliceController',
  'mirroringController',
  'kubeProxy',
  'deployment',
  'replicaset',
  'statefulset',
  'daemonset',
  'nodelifecycle',
  'tainteviction',
  'podgc',
  'disruption',
  'scheduler',
  'nodeAgent',
  'client',
  'dns',
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
  /** Any other object: `services/default/web`, `endpointslices/default/web-abc12`, the name of a kube-proxy. */
  readonly object: string;
}

/** Identity of an event: its row, and which repetition within a packed row. */
export interface EventRef {
  readonly row: number;
  readonly ordinal: number;
}
