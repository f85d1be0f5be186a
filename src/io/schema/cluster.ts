import * as z from 'zod/mini';
import type { WorkloadController } from '../../sim/workloadsInput.ts';
import { CONTROLLER_FLAGS, type ControllerFlag, PROXY_NUMBERS, type ProxyNumber } from '../clusterSettings.ts';
import { duration } from './duration.ts';
import { ruled } from './probe.ts';
import { optional, say, strict } from './strict.ts';

const count = (flag: ControllerFlag, text: string) =>
  optional(ruled(flag, CONTROLLER_FLAGS[flag]), `${text} Default ${CONTROLLER_FLAGS[flag].default}.`);

const rate = (flag: ControllerFlag, text: string) =>
  optional(z.number(), `${text} Default ${CONTROLLER_FLAGS[flag].default}.`);

/** Controllers of workloads and nodes as `--controllers` names them. */
export const CONTROLLER_NAMES = {
  'deployment-controller': 'deployment',
  'replicaset-controller': 'replicaset',
  'statefulset-controller': 'statefulset',
  'daemonset-controller': 'daemonset',
  'node-lifecycle-controller': 'nodelifecycle',
  'taint-eviction-controller': 'tainteviction',
  'pod-garbage-collector-controller': 'podgc',
  'disruption-controller': 'disruption',
} as const satisfies Readonly<Record<string, WorkloadController>>;
const NAMES = Object.keys(CONTROLLER_NAMES) as (keyof typeof CONTROLLER_NAMES)[];

/** Flags of kube-controller-manager by their names. */
export const controllerManager = strict({
  controllers: optional(
    z.array(z.enum(['*', ...NAMES, ...NAMES.map((name) => `-${name}` as const)])),
    "Controllers of workloads and nodes that run, as the flag has them: '*' for all, a name, or -name for all but one. []: none, and the Pods of workloads are simply there. Default: all, when the text has something for them to do.",
  ),
  'node-monitor-period': optional(duration, 'From the end of one look at all nodes to the next. Default 5s.'),
  'node-monitor-grace-period': optional(
    duration,
    'How long a node may be silent before it is given up: its Ready becomes Unknown, and its Pods are marked not Ready. Default 50s; 40s before 1.32.',
  ),
  'node-startup-grace-period': optional(duration, 'The same for a node that has never reported. Default 60s.'),
  'node-eviction-rate': rate('node-eviction-rate', 'Lost nodes a second that get their NoExecute taint, in each zone.'),
  'secondary-node-eviction-rate': rate(
    'secondary-node-eviction-rate',
    'The same in a large zone most of which is down; 0 in a small one.',
  ),
  'large-cluster-size-threshold': count('large-cluster-size-threshold', 'More nodes than this make a zone large.'),
  'unhealthy-zone-threshold': rate(
    'unhealthy-zone-threshold',
    'Share of lost nodes from which most of a zone is down.',
  ),
  'endpoint-updates-batch-period': optional(
    duration,
    'How long a Pod change waits before the endpoints controller looks at its Services. Default 0s.',
  ),
  'endpointslice-updates-batch-period': optional(duration, 'The same of the EndpointSlice controller. Default 0s.'),
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
});

const period = (name: ProxyNumber, text: string) =>
  optional(duration, `${text} Default ${PROXY_NUMBERS[name].default}s.`);

/** Settings of every kube-proxy. */
export const kubeProxy = strict({
  mode: optional(
    z.enum(['iptables', 'nftables', 'ipvs', 'ebpf']),
    'Default iptables. ebpf: not a mode of kube-proxy, but a simple model of data planes that replace it.',
  ),
  minSyncPeriod: period(
    'minSyncPeriod',
    'Shortest time from the end of a rule write to the next; 0s in ipvs and ebpf mode.',
  ),
  syncPeriod: period('syncPeriod', 'Longest time to the next try after a failed write; in ipvs mode between any two.'),
  configSyncPeriod: period('configSyncPeriod', 'How often the change handlers are called without a change.'),
  clusterCIDR: optional(
    z.string(),
    'Addresses of Pods, as with detectLocalMode: ClusterCIDR. Default: traffic of Pods is not told apart.',
  ),
  writesFail: optional(
    strict({
      from: duration.check(z.describe('Since the start of the scenario.')),
      to: duration.check(z.describe('Since the start of the scenario.')),
    }).check(z.refine(({ from, to }) => to > from, say('to must be later than from', 'Write a later time for to.'))),
    'Rule writes that end in this time fail.',
  ),
});

/** An answer of the API server that goes wrong. */
export const apiFault = strict({
  actor: z.enum(['endpoints', 'endpointslices', 'mirroring']).check(z.describe('Which controller asks.')),
  verb: z.enum(['create', 'update', 'delete']).check(z.describe('What it asks for.')),
  resource: z.enum(['endpoints', 'endpointslices']).check(z.describe('What it is about.')),
  code: z.literal([409, 500, 503, 504]).check(z.describe('HTTP status of the answer.')),
  from: optional(duration, 'Since the start of the scenario. Default 0s.'),
  count: optional(z.int().check(z.minimum(1), z.maximum(1000)), 'So many requests from then on. Default 1.'),
  committed: optional(z.boolean(), 'The write is stored all the same, and only its answer is an error.'),
});
