import * as z from 'zod';

/** `takesUs` null never ends. `message` and the outcome `warning` are additions of this product's own recordings. */
const answer = z.object({
  outcome: z.enum(['success', 'warning', 'failure', 'error']),
  takesUs: z.number().nullable(),
  message: z.string().optional(),
});
const serve = z.object({
  state: z.enum(['refuse', 'hang', 'answer']),
  code: z.number().default(0),
  takesUs: z.number().default(0),
});
const step = z.object({
  atUs: z.number(),
  serve: serve.optional(),
  startup: answer.optional(),
  readiness: answer.optional(),
  liveness: answer.optional(),
  exit: z.number().optional(),
});
const hookRun = answer.extend({ script: z.array(step).default([]) });
const run = z.object({
  script: z.array(step).default([]),
  onTerm: z
    .object({
      afterUs: z.number().default(0),
      exitCode: z.number().default(0),
      ignore: z.boolean().default(false),
      script: z.array(step).default([]),
    })
    .optional(),
  preStop: hookRun.optional(),
  postStart: hookRun.optional(),
});

/** How a probe of this product's own recordings asks, where it is no exec probe. */
const otherHandler = z.object({ target: z.string() }).optional();
const probe = z.object({
  exec: z.object({ command: z.array(z.string()) }).optional(),
  httpGet: otherHandler,
  tcpSocket: otherHandler,
  grpc: otherHandler,
  initialDelaySeconds: z.number().default(0),
  periodSeconds: z.number().default(10),
  timeoutSeconds: z.number().default(1),
  successThreshold: z.number().default(1),
  failureThreshold: z.number().default(3),
  terminationGracePeriodSeconds: z.number().optional(),
});
const hook = z.object({
  sleep: z.object({ seconds: z.number() }).optional(),
  exec: z.unknown().optional(),
  httpGet: z.unknown().optional(),
});
const containerPort = z.object({
  name: z.string().default(''),
  containerPort: z.number(),
  protocol: z.enum(['TCP', 'UDP', 'SCTP']).default('TCP'),
});
const container = z.object({
  name: z.string(),
  image: z.string(),
  ports: z.array(containerPort).default([]),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).optional(),
  restartPolicyRules: z
    .array(
      z.object({
        action: z.enum(['Restart', 'RestartAllContainers']),
        exitCodes: z.object({ operator: z.enum(['In', 'NotIn']), values: z.array(z.number()) }),
      }),
    )
    .default([]),
  lifecycle: z.object({ preStop: hook.optional(), postStart: hook.optional() }).optional(),
});
export const podManifest = z.object({
  kind: z.literal('Pod'),
  metadata: z.object({
    name: z.string(),
    uid: z.string().optional(),
    namespace: z.string().default('default'),
    annotations: z.record(z.string(), z.string()).optional(),
    labels: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.object({
    containers: z.array(container),
    initContainers: z.array(container).default([]),
    readinessGates: z.array(z.object({ conditionType: z.string() })).default([]),
    activeDeadlineSeconds: z.number().optional(),
    terminationGracePeriodSeconds: z.number().default(30),
    nodeName: z.string().optional(),
    restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).default('Always'),
  }),
});

const latencyNames = [
  'apiRequest',
  'apiResponse',
  'watch',
  'initialList',
  'criRunPodSandbox',
  'criCreateContainer',
  'criStartContainer',
  'criStopContainer',
  'criStopPodSandbox',
  'criRemove',
  'perContainer',
  'plegRelist',
  'plegRelistPod',
  'syncPod',
  'volumeTeardown',
  'workerTurn',
  'workerTurnStep',
] as const;
/** Additions of this product's own recordings: the recorded ones have none of these steps. */
const ownLatencyNames = ['syncPodCgroups', 'syncPodDirectories', 'syncPodVolumes', 'syncPodPullSecrets'] as const;

/** A dependency that is away from `fromUs` to `toUs`. */
const outage = z.object({ fromUs: z.number(), toUs: z.number(), readiness: answer, serve });
const app = z.object({
  pod: z.string(),
  container: z.string(),
  runs: z.array(run),
  outage: outage.optional(),
  latencyIndex: z.number().optional(),
  imagePull: z.object({ takesUs: z.number(), failures: z.number() }).optional(),
});

export const kubeletWorld = z.object({
  durationMs: z.number(),
  seed: z.number().default(0),
  featureGates: z.record(z.string(), z.boolean()).default({}),
  kubelet: z.object({
    startWall: z.string(),
    startPhaseUs: z.number(),
    syncLoopDelayUs: z.number().nullable(),
    syncFrequencySeconds: z.number(),
    /** Additions of this product's own recordings. */
    processStartUs: z.number().default(0),
    maxContainerRestartPeriodSeconds: z.number().default(300),
  }),
  latencyUs: z.object({
    ...(Object.fromEntries(latencyNames.map((name) => [name, z.number().nonnegative()])) as Record<
      (typeof latencyNames)[number],
      z.ZodNumber
    >),
    ...(Object.fromEntries(ownLatencyNames.map((name) => [name, z.number().nonnegative().default(0)])) as Record<
      (typeof ownLatencyNames)[number],
      z.ZodDefault<z.ZodNumber>
    >),
  }),
  /** `clockSkewUs`, `nodes`, `faults`, `latencyIndex` and `imagePull` are additions of this product's own recordings. */
  faults: z
    .record(
      z.string(),
      z.object({
        admission: z.object({ reason: z.string(), message: z.string() }).nullable(),
        sandboxFailures: z.number(),
      }),
    )
    .default({}),
  clockSkewUs: z.record(z.string(), z.number()).default({}),
  nodes: z.array(z.string()).min(1).optional(),
  apps: z.array(app),
  actions: z.array(
    z.object({
      atUs: z.number(),
      do: z.string(),
      pod: z.string().optional(),
      graceSeconds: z.number().optional(),
      condition: z.string().optional(),
      status: z.enum(['True', 'False', 'Unknown']).optional(),
      downUs: z.number().optional(),
      /** Additions of this product's own recordings, as are `evictPod`, `crash` and cuts of the network. */
      container: z.string().optional(),
      exitCode: z.number().optional(),
      node: z.string().optional(),
      lastsUs: z.number().optional(),
    }),
  ),
});

export const kubeletDraws = z.object({
  workerInitialSleepUs: z.record(z.string(), z.array(z.number())).default({}),
  requeueUs: z.record(z.string(), z.array(z.object({ atUs: z.number(), delayUs: z.number() }))).default({}),
  /** Draws that the recordings of real code do not have, by the names of this product. */
  named: z.record(z.string(), z.array(z.union([z.number(), z.string()]))).default({}),
  pendingCause: z
    .record(z.string(), z.array(z.object({ atUs: z.number(), cause: z.enum(['ticker', 'manual']) })))
    .default({}),
});

/** A recording of `traces/kubelet`, as far as it is read here. `events` are looked at when they are compared. */
export const kubeletRecording = z.object({
  schema: z.literal(1),
  kubernetes: z.string(),
  name: z.string(),
  about: z.string().default(''),
  components: z.array(z.string()).default([]),
  scenario: z.object({ manifests: z.array(podManifest), world: kubeletWorld, draws: kubeletDraws.prefault({}) }),
  events: z.array(z.looseObject({ t: z.number(), lane: z.string(), type: z.string() })).default([]),
});

export type KubeletRecording = z.infer<typeof kubeletRecording>;
export type RecordedWorld = z.infer<typeof kubeletWorld>;
export type RecordedAction = RecordedWorld['actions'][number];
export type RecordedContainer = z.infer<typeof container>;
export type RecordedPod = z.infer<typeof podManifest>;
export type RecordedRun = z.infer<typeof run>;
export type RecordedHook = z.infer<typeof hook>;
export type RecordedHookRun = z.infer<typeof hookRun>;
export type RecordedStep = z.infer<typeof step>;
export type RecordedServe = z.infer<typeof serve>;
export type RecordedApp = z.infer<typeof app>;
export type RecordedProbe = z.infer<typeof probe>;
/** Marks a static Pod in the recordings. */
export const STATIC_ANNOTATION = 'oracle.example/static';
/** Names of the latencies that a recording gives; the scenario's have the same. */
export const LATENCY_NAMES = [...latencyNames, ...ownLatencyNames] as const;
