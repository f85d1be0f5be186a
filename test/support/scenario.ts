import { micros, microsSpan, seconds } from '../../src/base/units.ts';
import {
  type Answer,
  type AppRun,
  type AppStep,
  type ContainerInput,
  type Latencies,
  NO_FAULTS,
  type PodInput,
  type ProbeKind,
  type ProbeSpec,
  type Scenario,
} from '../../src/sim/scenario.ts';

/** Latencies of a quick but not instant cluster; none equal, so that a mix-up shows. */
const LATENCY: Latencies = {
  apiRequest: microsSpan(3_100),
  apiResponse: microsSpan(1_700),
  watch: microsSpan(2_300),
  initialList: microsSpan(500_000),
  criRunPodSandbox: microsSpan(410_000),
  criCreateContainer: microsSpan(31_000),
  criStartContainer: microsSpan(82_000),
  criStopContainer: microsSpan(2_100),
  criStopPodSandbox: microsSpan(42_000),
  criRemove: microsSpan(4_300),
  perContainer: microsSpan(120),
  plegRelist: microsSpan(1_500),
  plegRelistPod: microsSpan(400),
  syncPod: microsSpan(550),
  syncPodCgroups: microsSpan(0),
  syncPodDirectories: microsSpan(0),
  syncPodVolumes: microsSpan(0),
  syncPodPullSecrets: microsSpan(0),
  volumeTeardown: microsSpan(15_000),
  workerTurn: microsSpan(40),
  workerTurnStep: microsSpan(50),
};

/** A probe with the API's defaults. */
export const probe = (over: Partial<ProbeSpec> = {}): ProbeSpec => ({
  initialDelaySeconds: 0,
  periodSeconds: 10,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
  terminationGracePeriodSeconds: null,
  handler: { type: 'exec', target: '/probe' },
  ...over,
});

export const ok = (takesMs = 5): Answer => ({ outcome: 'success', takes: takesMs * 1000, message: '' });
export const bad = (takesMs = 5): Answer => ({ outcome: 'failure', takes: takesMs * 1000, message: 'no' });
export const broken = (takesMs = 5): Answer => ({ outcome: 'error', takes: takesMs * 1000, message: 'cannot run' });
export const hang = (): Answer => ({ outcome: 'success', takes: Number.POSITIVE_INFINITY, message: '' });

/** The answer of every kind of probe from `at` seconds after the container's start on. */
export const step = (at: number, answer: Answer, only?: ProbeKind): AppStep => ({
  at: seconds(at),
  answers: only ? { [only]: answer } : { startup: answer, readiness: answer, liveness: answer },
  serve: null,
  exit: null,
});
export const exitStep = (at: number, code: number): AppStep => ({
  at: seconds(at),
  answers: {},
  serve: null,
  exit: code,
});
export const run = (...script: AppStep[]): AppRun => ({ script, postStart: null, preStop: null, onTerm: null });

export const container = (
  probes: Partial<Record<ProbeKind, ProbeSpec>>,
  runs: readonly AppRun[] = [run(step(0, ok()))],
  name = 'app',
): ContainerInput => ({
  name,
  image: 'registry.example/app:1',
  ports: [],
  outages: [],
  latencyIndex: 0,
  isSidecar: false,
  restart: null,
  imagePull: null,
  postStart: null,
  preStop: null,
  probes: { startup: null, readiness: null, liveness: null, ...probes },
  runs,
});

export const pod = (containers: readonly ContainerInput[], over: Partial<PodInput> = {}): PodInput => ({
  identity: 'default/web-0',
  namespace: 'default',
  name: 'web-0',
  uid: 'web-0-uid',
  node: 'node-a',
  labels: {},
  hostname: '',
  subdomain: '',
  owner: null,
  tolerations: [],
  target: '',
  createdAt: micros(0),
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  activeDeadlineSeconds: null,
  readinessGates: [],
  isStatic: false,
  containers,
  initContainers: [],
  faults: NO_FAULTS,
  ...over,
});

/** A day-old kubelet on one node. */
export const scenario = (
  pods: readonly PodInput[],
  durationSeconds: number,
  over: Partial<Scenario> = {},
): Scenario => ({
  duration: seconds(durationSeconds),
  seed: 1,
  kubernetes: '1.37',
  wallClock: 1_767_225_600_000_000 + 300_000,
  kubelet: {
    processStart: micros(-86_400_000_000),
    syncLoopDelay: null,
    syncFrequencySeconds: 60,
    maxContainerRestartPeriodSeconds: 300,
  },
  latency: LATENCY,
  clockSkew: {},
  nodes: ['node-a'],
  perNode: {},
  pods,
  cluster: null,
  actions: [],
  pins: {},
  ...over,
});
