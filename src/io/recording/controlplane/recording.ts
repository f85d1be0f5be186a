import * as z from 'zod';
import { manifest } from './manifest.ts';

const span = z.number().nonnegative();
const strings = z.record(z.string(), z.string());
const labels = strings.default({});

export const controllerSettings = z.object({
  endpointUpdatesBatchPeriodMs: span.default(0),
  mirroringEndpointUpdatesBatchPeriodMs: span.default(0),
  concurrentEndpointSyncs: z.number().default(5),
  concurrentServiceEndpointSyncs: z.number().default(5),
  mirroringConcurrentServiceEndpointSyncs: z.number().default(5),
  maxEndpointsPerSlice: z.number().default(100),
  mirroring: z.boolean().default(false),
  mirroringMaxEndpointsPerSubset: z.number().default(1000),
});

export const proxySettings = z.object({
  name: z.string(),
  mode: z.enum(['iptables', 'nftables', 'ipvs']),
  node: z.string(),
  startUs: z.number(),
  minSyncPeriodMs: span,
  syncPeriodMs: span,
  configSyncPeriodMs: span,
  ipFamilies: z.array(z.enum(['IPv4', 'IPv6'])),
  kernelWriteBaseUs: span,
  kernelWritePerLineNs: span,
  failFromUs: z.number().optional(),
  failUntilUs: z.number().optional(),
  detectLocalPodCIDR: z.string().default(''),
});

/** Many Pods in one line. */
const podSet = z.object({
  name: z.string(),
  count: z.number(),
  firstIP: z.string(),
  nodes: z.array(z.string()).min(1),
  labels,
  readyCount: z.number(),
});

const fault = z.object({
  actor: z.enum(['endpoints', 'endpointslices', 'mirroring']),
  verb: z.enum(['create', 'update', 'delete']),
  resource: z.enum(['endpoints', 'endpointslices']),
  code: z.number(),
  fromUs: z.number(),
  count: z.number(),
  committed: z.boolean().default(false),
});

const conntrack = z.object({
  proxy: z.string(),
  proto: z.enum(['udp', 'tcp', 'sctp']),
  from: z.string(),
  dest: z.string(),
  backend: z.string(),
});

const at = { atUs: z.number() };
const onPod = { ...at, pod: z.string() };
const onSet = { ...at, set: z.string(), count: z.number(), stepUs: span.default(0), ready: z.boolean() };
const action = z.discriminatedUnion('do', [
  z.object({ ...at, do: z.literal('create'), object: manifest }),
  z.object({ ...at, do: z.literal('replace'), object: manifest }),
  z.object({ ...onPod, do: z.literal('setReady'), ready: z.boolean() }),
  z.object({
    ...onPod,
    do: z.literal('setPhase'),
    phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed']),
    ready: z.boolean().optional(),
  }),
  z.object({ ...onPod, do: z.literal('setPodIPs'), podIPs: z.array(z.string()) }),
  z.object({ ...onPod, do: z.literal('labelPod'), labels }),
  z.object({ ...onPod, do: z.literal('annotatePod'), labels }),
  z.object({ ...onPod, do: z.literal('deletePod'), graceSeconds: z.number() }),
  z.object({ ...onPod, do: z.literal('removePod') }),
  z.object({ ...at, do: z.literal('deleteService'), service: z.string() }),
  z.object({ ...at, do: z.literal('deleteEndpoints'), name: z.string() }),
  z.object({ ...at, do: z.literal('dropEndpointsAddresses'), name: z.string() }),
  z.object({ ...at, do: z.literal('deleteSlices'), service: z.string() }),
  z.object({ ...at, do: z.literal('touchSlice'), service: z.string(), labels: strings.optional() }),
  z.object({ ...at, do: z.literal('labelNode'), node: z.string(), labels }),
  z.object({ ...at, do: z.literal('nodeReady'), node: z.string(), ready: z.boolean() }),
  z.object({ ...onSet, do: z.literal('createSet'), from: z.number() }),
  z.object({ ...onSet, do: z.literal('setReadyRange'), from: z.number().default(0) }),
]);

/** What was left out of the events. */
const leftOut = z.object({
  /** Lists longer than this are summaries. */
  summariseOver: z.number().default(Number.POSITIVE_INFINITY),
  hideWatch: z.boolean().default(false),
  anonymousSlices: z.boolean().default(false),
  countBackends: z.boolean().default(false),
});

const world = z.object({
  durationMs: z.number(),
  seed: z.number().default(0),
  featureGates: z.record(z.string(), z.boolean()).default({}),
  /** Everything exists before the controllers start. */
  cold: z.boolean().default(false),
  controller: controllerSettings,
  proxies: z.array(proxySettings).default([]),
  latencyUs: z.record(z.string(), span),
  podSets: z.array(podSet).default([]),
  faults: z.array(fault).default([]),
  conntrack: z.array(conntrack).default([]),
  recording: leftOut.prefault({}),
  actions: z.array(action).default([]),
});

export const sliceWriteOrder = z.array(
  z.object({ t: z.number(), controller: z.string(), service: z.string(), writes: z.array(z.string()) }),
);

const fields = z.record(z.string(), z.unknown());
const totals = z.object({
  endpoints: z.record(z.string(), fields).nullable(),
  endpointslices: z.record(z.string(), fields).nullable(),
});

/** A recording of `traces/controlplane`. What it shows is looked at when it is compared. */
export const controlPlaneRecording = z.object({
  schema: z.literal(1),
  kubernetes: z.string(),
  name: z.string(),
  about: z.string().default(''),
  components: z.array(z.string()).default([]),
  scenario: z.object({
    manifests: z.array(manifest).default([]),
    world,
    draws: z.object({ sliceWriteOrder: sliceWriteOrder.default([]) }).prefault({}),
  }),
  initial: z.object({
    endpoints: z.array(fields).default([]),
    endpointslices: z.array(fields).default([]),
    backends: z.array(fields).default([]),
    totals,
    rv: z.string(),
  }),
  counts: z.record(z.string(), z.number()),
  events: z.array(z.looseObject({ t: z.number(), lane: z.string(), type: z.string() })).default([]),
  final: totals,
});

export type ControlPlaneRecording = z.infer<typeof controlPlaneRecording>;
export type ControlPlaneWorld = z.infer<typeof world>;
export type ScriptedAction = z.infer<typeof action>;
export type RecordedPodSet = z.infer<typeof podSet>;
/** What a recording leaves out of its list of events. */
export type LeftOut = z.infer<typeof leftOut>;
/** An object as `initial` and the events show it. */
export type RecordedObject = Readonly<Record<string, unknown>>;
