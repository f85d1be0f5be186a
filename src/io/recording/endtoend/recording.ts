import * as z from 'zod';
import { manifest } from '../controlplane/manifest.ts';
import { controllerSettings, proxySettings, sliceWriteOrder } from '../controlplane/recording.ts';
import { kubeletDraws, kubeletWorld, podManifest } from '../kubelet/recording.ts';

const span = z.number().nonnegative();
const { apps, latencyUs: kubeletLatency } = kubeletWorld.shape;

const kubelet = z.object({
  node: z.string(),
  podSubnet: z.string(),
  startUs: z.number(),
  syncLoopDelayUs: z.number(),
  syncFrequencySeconds: z.number(),
  latencyUs: kubeletLatency,
});

const client = z.object({
  name: z.string(),
  node: z.string(),
  proxy: z.string(),
  service: z.string(),
  frontend: z.string(),
  startUs: z.number(),
  everyUs: span,
  count: z.number(),
  networkUs: span,
  timeoutUs: span,
});

const action = z.object({
  atUs: z.number(),
  do: z.string(),
  pod: z.string().optional(),
  graceSeconds: z.number().optional(),
  condition: z.string().optional(),
  status: z.enum(['True', 'False', 'Unknown']).optional(),
  node: z.string().optional(),
  downUs: z.number().optional(),
  new: z.array(z.string()).default([]),
  old: z.array(z.string()).default([]),
  minReadyUs: span.default(0),
  waitGone: z.boolean().default(false),
  slice: z.string().optional(),
  everyUs: span.default(0),
  count: z.number().default(0),
});
export type EndToEndAction = z.infer<typeof action>;

const fields = z.record(z.string(), z.unknown());

/** A recording of `traces/endtoend`. What it shows is looked at when it is compared. */
export const endToEndRecording = z.object({
  schema: z.literal(1),
  kubernetes: z.string(),
  name: z.string(),
  components: z.array(z.string()),
  scenario: z.object({
    manifests: z.array(z.union([podManifest, manifest])),
    world: z.object({
      durationMs: z.number(),
      seed: z.number(),
      startWall: z.string(),
      startPhaseUs: z.number(),
      kubelets: z.array(kubelet),
      controller: controllerSettings,
      proxies: z.array(proxySettings),
      latencyUs: z.record(z.string(), span),
      apps,
      clients: z.array(client),
      actions: z.array(action),
      recording: z.object({ hide: z.array(z.string()).default([]) }),
    }),
    draws: kubeletDraws.extend({
      sliceWriteOrder: sliceWriteOrder.default([]),
      clientPick: z.record(z.string(), z.array(z.number())).default({}),
    }),
  }),
  initial: z.object({
    endpoints: z.array(fields).default([]),
    endpointslices: z.array(fields).default([]),
    backends: z.array(fields).default([]),
    rv: z.string(),
  }),
  path: z.record(z.string(), fields),
  counts: z.record(z.string(), z.number()),
  events: z.array(z.looseObject({ t: z.number(), lane: z.string(), type: z.string() })),
});
export type EndToEndRecording = z.infer<typeof endToEndRecording>;
