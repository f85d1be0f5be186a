import * as z from 'zod';

const span = z.number().nonnegative();
const strings = z.record(z.string(), z.string());
const toleration = z.object({
  key: z.string().default(''),
  operator: z.enum(['Exists', 'Equal']).default('Equal'),
  value: z.string().default(''),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
  tolerationSeconds: z.number().optional(),
});

/** A manifest as it was given; defaults are those of the API server. */
export const manifest = z.looseObject({
  kind: z.string(),
  metadata: z.object({
    name: z.string(),
    namespace: z.string().default(''),
    labels: strings.default({}),
    annotations: strings.default({}),
  }),
  spec: z.looseObject({}).default({}),
});
export type RecordedManifest = z.infer<typeof manifest>;

export const podTemplate = z.looseObject({
  metadata: z.looseObject({ labels: strings.default({}) }).default({ labels: {} }),
  spec: z.looseObject({
    containers: z.array(z.looseObject({ name: z.string(), image: z.string() })),
    tolerations: z.array(toleration).default([]),
    terminationGracePeriodSeconds: z.number().default(30),
  }),
});

const behaviour = z.object({
  startUs: span,
  readyUs: z.number(),
  spreadUs: span.default(0),
  flaps: z.array(z.object({ afterUs: span, ready: z.boolean() })).default([]),
  failUs: z.number().optional(),
  drainUs: span,
});

const fault = z.object({
  actor: z.string(),
  verb: z.enum(['create', 'update', 'patch', 'delete']),
  resource: z.string(),
  code: z.number(),
  fromUs: z.number(),
  count: z.number(),
  committed: z.boolean().default(false),
});

const action = z.looseObject({
  atUs: z.number(),
  do: z.string(),
  object: manifest.optional(),
  resource: z.string().optional(),
  name: z.string().optional(),
  patch: z.looseObject({}).optional(),
  note: z.string().default(''),
  node: z.string().optional(),
  ready: z.boolean().optional(),
  powerOff: z.boolean().default(false),
  graceSeconds: z.number().optional(),
});
export type RecordedWorkloadAction = z.infer<typeof action>;

const fields = z.looseObject({});
const event = z.looseObject({ t: z.number(), lane: z.string(), type: z.string() });

/** A recording of `traces/workloads`, as far as it is read here. */
export const workloadsRecording = z.object({
  schema: z.literal(1),
  kubernetes: z.string(),
  name: z.string(),
  components: z.array(z.string()),
  scenario: z.object({
    manifests: z.array(manifest),
    world: z.object({
      durationMs: z.number(),
      warmupMs: z.number(),
      seed: z.number(),
      behaviours: z.record(z.string(), behaviour),
      controller: z.looseObject({
        nodeMonitorPassUs: z.number().default(0),
        nodeMonitorPeriodMs: z.number().default(5000),
        nodeMonitorGracePeriodMs: z.number().default(50_000),
        nodeStartupGracePeriodMs: z.number().default(60_000),
      }),
      kubelet: z.looseObject({
        finalDeleteUs: span,
        clockSkewUs: z.record(z.string(), z.number()).default({}),
        leaseRenewUs: span,
        leaseJitterUs: span,
        statusReportUs: span,
        backLeaseUs: span,
        backNodeStatusUs: span,
        backPodsUs: span,
      }),
      latencyUs: z.record(z.string(), span),
      faults: z.array(fault).default([]),
      actions: z.array(action),
    }),
    draws: z.looseObject({
      victimTies: z.array(z.object({ t: z.number(), deleted: z.array(z.string()) })).default([]),
      daemonSetNodeOrder: z
        .array(z.object({ node: z.string(), t: z.number(), verb: z.enum(['create', 'delete']) }))
        .default([]),
      podMarkOrder: z.array(z.object({ t: z.number(), pods: z.array(z.string()) })).default([]),
      podGCOrder: z.array(z.object({ t: z.number(), pods: z.array(z.string()) })).default([]),
      leaseRenewalsUs: z.record(z.string(), z.array(z.number())).default({}),
    }),
  }),
  initial: z.record(z.string(), z.record(z.string(), fields)),
  final: z.record(z.string(), z.record(z.string(), fields)),
  counts: z.record(z.string(), z.number()),
  events: z.array(event),
});
export type WorkloadsRecording = z.infer<typeof workloadsRecording>;
