/** Numbers of the controllers, of kube-proxy, and of the hops between them. */
import { MICROS_PER_SECOND } from '../base/units.ts';
import { MINOR_VERSIONS } from '../sim/scenario.ts';
import { defaultGracePeriod } from '../sim/workloadsInput.ts';
import { kubernetesRule, type NumberRule, productRule } from './numberRule.ts';

/**
 * Hop lengths of the control plane, in ms: medians of the recorded cluster (rows 05 to 09 of its table of hops, split
 * where a row spans two hops); ≈ marks our own assumptions.
 */
export const CLUSTER_LATENCIES_MS = {
  controllerWatch: 3.7,
  controllerOwnWatch: 1.3,
  controllerRequest: 3.3,
  controllerResponse: 2.4,
  schedulerCycle: 2, // ≈
  proxyWatch: 4.5,
  clientNetwork: 0.2, // ≈
  iptablesRestore: 30,
  iptablesRestorePerLine: 0.017, // ≈
  nftTransaction: 19,
  nftTransactionPerLine: 0.009, // ≈
  ipvsSync: 25, // ≈
  ipvsSyncPerLine: 0.017, // ≈
  ebpfUpdate: 1, // ≈
  ebpfUpdatePerEntry: 0.002, // ≈
} as const;
export type ClusterLatencyName = keyof typeof CLUSTER_LATENCIES_MS;
export const CLUSTER_LATENCY_NAMES = Object.keys(CLUSTER_LATENCIES_MS) as ClusterLatencyName[];

/** Flags of kube-controller-manager; periods in seconds. */
export const CONTROLLER_FLAGS = {
  'endpoint-updates-batch-period': kubernetesRule({ whole: false, max: 3600 }),
  'endpointslice-updates-batch-period': kubernetesRule({ whole: false, max: 3600 }),
  'concurrent-endpoint-syncs': kubernetesRule({ unit: '', min: 1, max: 1000, default: 5 }),
  'concurrent-service-endpoint-syncs': kubernetesRule({ unit: '', min: 1, max: 50, default: 5 }),
  'max-endpoints-per-slice': kubernetesRule({ unit: '', min: 1, max: 1000, default: 100 }),
  'mirroring-concurrent-service-endpoint-syncs': kubernetesRule({ unit: '', min: 1, max: 50, default: 5 }),
  'mirroring-max-endpoints-per-subset': kubernetesRule({ unit: '', min: 1, max: 1000, default: 1000 }),
  'node-monitor-period': kubernetesRule({ whole: false, min: 0.1, max: 3600, default: 5 }),
  'node-monitor-grace-period': kubernetesRule({ whole: false, min: 1, max: 3600, default: 50 }),
  'node-startup-grace-period': kubernetesRule({ whole: false, min: 1, max: 3600, default: 60 }),
  'node-eviction-rate': kubernetesRule({ unit: '', whole: false, max: 1000, default: 0.1 }),
  'secondary-node-eviction-rate': kubernetesRule({ unit: '', whole: false, max: 1000, default: 0.01 }),
  'large-cluster-size-threshold': kubernetesRule({ unit: '', max: 5000, default: 50 }),
  'unhealthy-zone-threshold': kubernetesRule({ unit: '', whole: false, max: 1, default: 0.55 }),
} as const satisfies Readonly<Record<string, NumberRule>>;
export type ControllerFlag = keyof typeof CONTROLLER_FLAGS;
export const CONTROLLER_FLAG_NAMES = Object.keys(CONTROLLER_FLAGS) as ControllerFlag[];

/** Of --node-monitor-grace-period in a version, 31 for 1.31; the newest one without. */
export const graceRule = (minor: number = MINOR_VERSIONS.reference): NumberRule => ({
  ...CONTROLLER_FLAGS['node-monitor-grace-period'],
  default: defaultGracePeriod(minor) / MICROS_PER_SECOND,
});

/** Fields of the KubeProxyConfiguration that are numbers, seconds. minSyncPeriod and syncPeriod are of the mode in use. */
export const PROXY_NUMBERS = {
  minSyncPeriod: kubernetesRule({ whole: false, max: 3600, default: 1 }),
  syncPeriod: kubernetesRule({ whole: false, min: 0.001, max: 86_400, default: 30 }),
  configSyncPeriod: kubernetesRule({ whole: false, min: 0.001, max: 86_400, default: 900 }),
} as const satisfies Readonly<Record<string, NumberRule>>;
export type ProxyNumber = keyof typeof PROXY_NUMBERS;
export const PROXY_NUMBER_NAMES = Object.keys(PROXY_NUMBERS) as ProxyNumber[];
/** ipvs, and data planes without kube-proxy, have no shortest time between two syncs by default (table after P-023, P-044). */
export const NO_MIN_SYNC_PERIOD: NumberRule = { ...PROXY_NUMBERS.minSyncPeriod, default: 0 };

/** Numbers of a client, seconds. */
export const CLIENT_NUMBERS = {
  interval: productRule({ min: 0.001, max: 86_400, default: 0.5 }),
  timeout: productRule({ min: 0.001, max: 86_400, default: 1 }),
} as const satisfies Readonly<Record<string, NumberRule>>;
export type ClientNumber = keyof typeof CLIENT_NUMBERS;
export const CLIENT_NUMBER_NAMES = Object.keys(CLIENT_NUMBERS) as ClientNumber[];

/** Rules of all settings here, by path. */
export const CLUSTER_RULES: Readonly<Record<string, NumberRule>> = {
  ...Object.fromEntries(CONTROLLER_FLAG_NAMES.map((flag) => [`controllerManager/${flag}`, CONTROLLER_FLAGS[flag]])),
  ...Object.fromEntries(PROXY_NUMBER_NAMES.map((name) => [`kubeProxy/${name}`, PROXY_NUMBERS[name]])),
  ...Object.fromEntries(
    CLUSTER_LATENCY_NAMES.map((name) => [
      `latencies/${name}`,
      productRule({ unit: 'ms', max: 600_000, default: CLUSTER_LATENCIES_MS[name] }),
    ]),
  ),
};
