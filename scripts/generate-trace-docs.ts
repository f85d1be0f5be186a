/** Writes the table of event kinds of docs/trace-json.md from sim/trace/kinds.ts. Run: npx tsx scripts/generate-trace-docs.ts */
import { fileURLToPath } from 'node:url';
import { type Component, EVENT_KINDS, type EventKind, type FieldType, KIND_NAMES } from '../src/sim/trace/kinds.ts';
import { WORKLOAD_CONTROLLERS } from '../src/sim/workloadsInput.ts';
import { generatedDocument, markdownTable } from './lib/generatedPart.ts';

type Described = readonly [components: Component | readonly Component[], shape: 'instant' | 'span', meaning: string];

/** Kinds that each of the controllers has. */
const CONTROLLERS = [
  'endpointsController',
  'endpointSliceController',
  'mirroringController',
  ...WORKLOAD_CONTROLLERS,
] as const;

/** Every kind in words: a new one without an entry does not compile. */
export const DESCRIBED: Readonly<Record<EventKind, Described>> = {
  action: [
    'world',
    'instant',
    'Something happens from outside; `detail` says with what: a grace in seconds, or `condition=status`.',
  ],
  appState: [
    'app',
    'instant',
    'What the process answers from here on: `starting`, `serving`, `failing`, `stopping` or `exited`.',
  ],
  appServe: [
    'app',
    'instant',
    'What a new connection to the process meets from here on: `refuse`, `hang` or `answer` with `code`. Only of apps that say what clients meet.',
  ],
  processStart: ['syncLoop', 'instant', 'The kubelet starts, where that is part of the scenario.'],
  processStop: ['syncLoop', 'instant', 'The kubelet process ends; all that it was waiting for is gone.'],
  housekeeping: ['syncLoop', 'instant', 'The 2 s housekeeping found something to do.'],
  syncLoop: [
    'syncLoop',
    'instant',
    'One message received. `channel`: `config`, `pleg`, `sync`, `startup`, `readiness` or `liveness`; `op` and `source` as in the log; `pods` joined with commas.',
  ],
  podWorkerWake: ['podWorker', 'instant', 'A pod worker takes up a pass: `sync`, `terminating` or `terminated`.'],
  syncPod: ['podWorker', 'span', 'One pass, counted from 1; `error` is empty after a good one.'],
  syncPodStep: ['podWorker', 'span', 'A step of SyncPod that took time or failed; `error` is empty after a good one.'],
  killContainer: ['podWorker', 'instant', 'A pass decides to kill a container.'],
  preStop: ['podWorker', 'span', 'A preStop hook, as the kubelet waits for it: `completed` or `gracePeriodExceeded`.'],
  preStopFailed: ['podWorker', 'instant', 'The hook itself failed, perhaps after the grace that was given to it.'],
  backOff: ['podWorker', 'instant', 'A pass leaves a container down, because its crash back-off is not over.'],
  requeue: [
    'podWorker',
    'instant',
    'The next pass comes at the latest `delay` µs later: `resync`, `error`, `back-off` or `phase transition`.',
  ],
  workerAdded: ['probeWorker', 'instant', 'A probe worker is made.'],
  workersStopped: [
    'prober',
    'instant',
    'Workers are told to stop: `stopLivenessAndStartup` or, with the Pod, `removePod`.',
  ],
  workerExited: ['probeWorker', 'instant', 'A probe worker leaves.'],
  updatePodStatus: ['prober', 'instant', 'The prober manager fills `started` and `ready` into a status.'],
  poke: ['prober', 'instant', 'A readiness worker is triggered by hand.'],
  pokeDropped: ['prober', 'instant', 'It had a trigger already: this one is lost.'],
  startSleep: ['probeWorker', 'span', 'The random sleep, `length` µs, of a worker of a young kubelet.'],
  probeRun: ['probeWorker', 'span', 'One turn of a probe worker; see below.'],
  resultSet: [
    'results',
    'instant',
    'A result that differs from `was` is stored and sent: `success`, `failure` or `unknown`.',
  ],
  resultRemove: ['results', 'instant', 'A result is forgotten.'],
  pullImage: [
    'runtime',
    'span',
    'A pull of an image that the node did not have; `error` is empty when it is there now.',
  ],
  runPodSandbox: ['runtime', 'span', 'CRI call.'],
  createContainer: ['runtime', 'span', 'CRI call; `attempt` counts restarts from 0.'],
  startContainer: ['runtime', 'span', 'CRI call. Its end is the start of the container.'],
  stopContainer: ['runtime', 'span', 'CRI call: SIGTERM, and SIGKILL `timeoutSeconds` later.'],
  hook: ['runtime', 'span', 'An exec hook in the container: `success`, `failure` or `killed` with its process.'],
  sigterm: ['runtime', 'instant', 'The process gets SIGTERM.'],
  containerExit: [
    'runtime',
    'instant',
    'The process ends; `cause`: `script` (by itself), `crash` (the action), `sigterm` or `sigkill`.',
  ],
  stopPodSandbox: ['runtime', 'span', 'CRI call.'],
  removeContainer: ['runtime', 'span', 'CRI call.'],
  removePodSandbox: ['runtime', 'span', 'CRI call.'],
  statusSet: [
    'status',
    'instant',
    'The status manager stores a version: `setPodStatus`, `setContainerReadiness`, `setContainerStartup` or `terminatePod`.',
  ],
  apiRequest: [
    'api',
    'span',
    'The status manager gets the Pod, then patches its `status` unless nothing would change; `committedAt` is µs since the start, `version` the status manager’s.',
  ],
  kubeEvent: ['events', 'instant', 'A Kubernetes Event about the Pod.'],
  stored: [
    'store',
    'instant',
    'A commit at the API server: `ADDED`, `MODIFIED` or `DELETED`. Only in runs with a control plane.',
  ],
  apiWrite: [
    'api',
    'span',
    'A write of a controller, from the call to the answer; decided at `committedAt`. `code` is the HTTP status; `injected`, `committed` and `noop` are 1 or 0.',
  ],
  watchList: [[...CONTROLLERS, 'scheduler', 'kubeProxy'], 'instant', 'A component gets the list of a resource.'],
  watchEvent: [
    [...CONTROLLERS, 'scheduler', 'kubeProxy'],
    'instant',
    'A component hears of a change; its handlers run in the same instant.',
  ],
  queueAddAfter: [CONTROLLERS, 'instant', 'A Service is to be queued in `delay` µs.'],
  queueAdd: [CONTROLLERS, 'instant', 'A Service is queued.'],
  queueGet: [CONTROLLERS, 'instant', 'A worker takes a Service that has `waited` so many µs.'],
  queueDone: [CONTROLLERS, 'instant', 'A worker is done with it after `processed` µs.'],
  podSynced: [CONTROLLERS, 'instant', 'A change of a Pod was mapped to its Services.'],
  controllerSync: [
    CONTROLLERS,
    'span',
    'One sync of a Service. `isBare`: 1 when there is nothing to do for it: it is gone, has no selector, or is an ExternalName.',
  ],
  endpointsCompared: [
    CONTROLLERS,
    'instant',
    'What the Endpoints should be, against what they are; `isEqual` 1: nothing is written.',
  ],
  queueRetry: [CONTROLLERS, 'instant', 'A sync failed, and the Service is queued again.'],
  queueDropped: [CONTROLLERS, 'instant', 'A sync failed too often: given up until the next event.'],
  mirrorCleanup: ['mirroringController', 'instant', 'Slices of Endpoints that are no longer mirrored are removed.'],
  controllerLog: [[...CONTROLLERS, 'scheduler'], 'instant', 'A log line; `values` is JSON.'],
  controllerEvent: [CONTROLLERS, 'instant', 'A Kubernetes Event of a controller; `count` is how often so far.'],
  proxyChange: ['kubeProxy', 'instant', 'A change handler of kube-proxy is called.'],
  proxySync: [
    'kubeProxy',
    'span',
    'One sync, to the end of the rule write: `applied` or `failed`. `write` and `networkProgramming` are JSON, `rules` the rules in force after it.',
  ],
  rulesChanged: [
    'kubeProxy',
    'instant',
    'Rules of a Service that differ from the ones before are in force: version of `rules/<proxy>/<family>/<service>`.',
  ],
  proxySyncFailed: ['kubeProxy', 'instant', 'The write failed; the next try comes at the latest `retry` µs later.'],
  proxyError: ['kubeProxy', 'instant', 'An error that kube-proxy logs.'],
  proxyNotInitialised: ['kubeProxy', 'instant', 'A sync was asked for before Services and slices were known.'],
  proxyTopology: ['kubeProxy', 'instant', 'The topology labels of its node as kube-proxy sees them, as JSON.'],
  deleteStaleChains: ['kubeProxy', 'instant', 'nftables: chains of earlier syncs are deleted.'],
  conntrackList: ['kubeProxy', 'instant', 'kube-proxy looks through the UDP connections of its node.'],
  conntrackDelete: ['kubeProxy', 'instant', 'A connection is forgotten.'],
  clientStart: ['client', 'instant', 'A client begins: which port of which Service it asks for, and how often.'],
  clientAttempt: [
    'client',
    'span',
    'One attempt of a request: `served`, `errorAnswer`, `wrongPod` (a Pod answers that the Service does not select), `refused`, `rejected`, `timeout`, `reset` or `noAddress`; `of` is the number of backends to choose from, `via` the node whose rules decided, `connection` the one kept open (0: none), `final` 1 when no retry follows.',
  ],
  connectionOpened: ['client', 'instant', 'The request that opened a connection is over, and the connection is kept.'],
  connectionClosed: [
    'client',
    'instant',
    'The client knows that a connection is closed: `idleTimeout`, `maxRequests`, `byApp`, `reset` or `timeout`.',
  ],
  dnsLookup: [
    'client',
    'span',
    'A name is looked up: who answered, what, and for how many more seconds that may be used.',
  ],
  targetHealth: ['client', 'instant', 'A load balancer begins or ceases to send to a node.'],
  healthCheck: ['kubeProxy', 'instant', 'What the health check node port of a Service answers from here on.'],
};

/** Components whose events are of that kind. */
export const componentsOf = (kind: EventKind): readonly Component[] => {
  const [components] = DESCRIBED[kind];
  return typeof components === 'string' ? [components] : components;
};

const TYPES: Readonly<Record<FieldType, string>> = { string: 'text', number: 'number', version: 'version' };

function kindsTable(): string {
  const rows = KIND_NAMES.map((kind) => {
    const [, shape, meaning] = DESCRIBED[kind];
    const fields = Object.entries(EVENT_KINDS[kind] as Readonly<Record<string, FieldType>>);
    return [
      `\`${kind}\``,
      componentsOf(kind)
        .map((component) => `\`${component}\``)
        .join(', '),
      shape,
      fields.map(([name, type]) => `\`${name}\` ${TYPES[type]}`).join(', '),
      meaning,
    ];
  });
  return markdownTable(['kind', 'component', 'shape', 'payload', 'meaning'], rows);
}

export const TRACE_DOCUMENT = generatedDocument(
  'docs/trace-json.md',
  '<!-- generated from the kinds of events: npx tsx scripts/generate-trace-docs.ts -->',
  kindsTable,
);

if (process.argv[1] === fileURLToPath(import.meta.url)) TRACE_DOCUMENT.write();
