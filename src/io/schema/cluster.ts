import * as z from 'zod';
import { CONTROLLER_FLAGS, PROXY_NUMBERS } from '../clusterSettings.ts';
import { duration } from './duration.ts';
import { ruled } from './probe.ts';
import { say, strict } from './strict.ts';

const count = (flag: keyof typeof CONTROLLER_FLAGS, text: string) =>
  ruled(flag, CONTROLLER_FLAGS[flag]).optional().describe(`${text} Default ${CONTROLLER_FLAGS[flag].default}.`);

/** Flags of kube-controller-manager by their names. */
export const controllerManager = strict({
  'endpoint-updates-batch-period': duration
    .optional()
    .describe('How long a Pod change waits before the endpoints controller looks at its Services. Default 0s.'),
  'endpointslice-updates-batch-period': duration
    .optional()
    .describe('The same of the EndpointSlice controller. Default 0s.'),
  'concurrent-endpoint-syncs': count('concurrent-endpoint-syncs', 'Workers of the endpoints controller.'),
  'concurrent-service-endpoint-syncs': count(
    'concurrent-service-endpoint-syncs',
    'Workers of the EndpointSlice controller.',
  ),
  'max-endpoints-per-slice': count('max-endpoints-per-slice', 'Most endpoints in one slice.'),
  'mirroring-concurrent-service-endpoint-syncs': count(
    'mirroring-concurrent-service-endpoint-syncs',
    'Workers of the mirroring controller.',
  ),
  'mirroring-max-endpoints-per-subset': count(
    'mirroring-max-endpoints-per-subset',
    'Most addresses of a subset that are mirrored.',
  ),
}).describe('Flags of kube-controller-manager, by their names. It runs when the text has a Service.');

const period = (name: keyof typeof PROXY_NUMBERS, text: string) =>
  duration.optional().describe(`${text} Default ${PROXY_NUMBERS[name].default}s.`);

/** Settings of every kube-proxy. */
export const kubeProxy = strict({
  mode: z
    .enum(['iptables', 'nftables', 'ipvs', 'ebpf'])
    .optional()
    .describe('Default iptables. ebpf: not a mode of kube-proxy, but a simple model of data planes that replace it.'),
  minSyncPeriod: period(
    'minSyncPeriod',
    'Shortest time from the end of a rule write to the next; 0s in ipvs and ebpf mode.',
  ),
  syncPeriod: period('syncPeriod', 'Longest time to the next try after a failed write; in ipvs mode between any two.'),
  configSyncPeriod: period('configSyncPeriod', 'How often the change handlers are called without a change.'),
  clusterCIDR: z
    .string()
    .optional()
    .describe('Addresses of Pods, as with detectLocalMode: ClusterCIDR. Default: traffic of Pods is not told apart.'),
  writesFail: strict({
    from: duration.describe('Since the start of the scenario.'),
    to: duration.describe('Since the start of the scenario.'),
  })
    .refine(({ from, to }) => to > from, say('to must be later than from', 'Write a later time for to.'))
    .optional()
    .describe('Rule writes that end in this time fail.'),
}).describe('Settings of every kube-proxy, by their names in the KubeProxyConfiguration. One runs on each node.');

const CODES = [409, 500, 503, 504] as const;
/** An answer of the API server that goes wrong. */
export const apiFault = strict({
  actor: z.enum(['endpoints', 'endpointslices', 'mirroring']).describe('Which controller asks.'),
  verb: z.enum(['create', 'update', 'delete']).describe('What it asks for.'),
  resource: z.enum(['endpoints', 'endpointslices']).describe('What it is about.'),
  code: z.union(CODES.map((code) => z.literal(code))).describe('HTTP status of the answer: 409, 500, 503 or 504.'),
  from: duration.optional().describe('Since the start of the scenario. Default 0s.'),
  count: z.int().min(1).max(1000).optional().describe('So many requests from then on. Default 1.'),
  committed: z.boolean().optional().describe('The write is stored all the same, and only its answer is an error.'),
});
export type ApiFaultEntry = z.output<typeof apiFault>;
