import { HOOK_NAMES, MINOR_VERSIONS, PROBE_KINDS, type ProbeKind } from '../sim/scenario.ts';
import { CLIENT_NUMBERS, CLUSTER_RULES } from './clusterSettings.ts';
import type { Complaint } from './issue.ts';
import { INT32_MAX, kubernetesRule as kubernetes, type NumberRule, productRule as product } from './numberRule.ts';

/**
 * Every number that the simulation uses, by path, with where it comes from:
 *
 *     default/web/app/readiness/periodSeconds → 5, from the manifest, line 31
 *     default/web/terminationGracePeriodSeconds → 30, a Kubernetes default
 *     default/web/app/preStop.sleep.seconds → 5, from the manifest, line 40
 *     latencies/watch → 3.7, a default of this product
 *     kubernetes → 37, the minor version
 *
 *     clients/web/interval → 0.5, a default of this product
 *
 * `namespace/workload/…` for workloads and bare Pods; everything else has one or two steps.
 */
export type Settings = ReadonlyMap<string, Setting>;
export interface Setting {
  /** In the rule's unit; null is a field without a value (probe-level grace that is not set). */
  readonly value: number | null;
  readonly from: Provenance;
  /** Line in the text, from 1; null for defaults and sliders. */
  readonly line: number | null;
}
export type Provenance = 'manifest' | 'kubernetesDefault' | 'scenario' | 'productDefault' | 'slider';

/** A change that a slider made. `value` is in the unit of the setting's rule. */
export interface Override {
  readonly path: string;
  readonly value: number;
}
export type Overrides = readonly Override[];

export const PROBE_NUMBERS = [
  'initialDelaySeconds',
  'periodSeconds',
  'timeoutSeconds',
  'successThreshold',
  'failureThreshold',
  'terminationGracePeriodSeconds',
] as const;
export type ProbeNumber = (typeof PROBE_NUMBERS)[number];

const ONLY_ONE: Complaint = {
  message: 'successThreshold must be 1 for liveness and startup',
  remedy: 'Write 1 or remove the line: one success is enough for these two.',
};
const NO_GRACE: Complaint = {
  message: 'terminationGracePeriodSeconds must not be set for readiness',
  remedy: 'Remove it: a failed readiness probe never kills. It belongs to a liveness or startup probe, or to the Pod.',
};

/** Kubernetes' limits and defaults of a probe's numbers (K-137; pkg/apis/core/v1/defaults.go, SetDefaults_Probe; validation.go, validateProbe). */
export function probeRule(kind: ProbeKind, field: ProbeNumber): NumberRule {
  switch (field) {
    case 'initialDelaySeconds':
      return kubernetes({ default: 0 });
    case 'periodSeconds':
      return kubernetes({ default: 10, zeroIsUnset: true });
    case 'timeoutSeconds':
      return kubernetes({ default: 1, zeroIsUnset: true });
    case 'failureThreshold':
      return kubernetes({ unit: '', default: 3, zeroIsUnset: true });
    case 'successThreshold':
      return kubernetes({
        unit: '',
        default: 1,
        zeroIsUnset: true,
        ...(kind === 'readiness' ? {} : { max: 1, only: ONLY_ONE }),
      });
    case 'terminationGracePeriodSeconds':
      return kubernetes(kind === 'readiness' ? { default: null, max: -1, only: NO_GRACE } : { default: null, min: 1 });
  }
}

/** More Pods than this are refused: a browser would not draw them in time. */
export const MOST_PODS = 2_000;
const DAY_S = 86_400;

/** Hop lengths, in ms. Medians of the recorded clusters; ≈ marks our own assumptions, for a common runtime with the image present. */
export const LATENCY_DEFAULTS_MS = {
  apiRequest: 3,
  apiResponse: 1.7,
  watch: 3.7,
  initialList: 650, // ≈
  criRunPodSandbox: 800, // ≈
  criCreateContainer: 40, // ≈
  criStartContainer: 60, // ≈
  criStopContainer: 3, // ≈
  criStopPodSandbox: 40, // ≈
  criRemove: 4, // ≈
  perContainer: 0.12, // ≈
  plegRelist: 1.6, // ≈
  plegRelistPod: 0.4, // ≈
  syncPod: 0.6, // ≈
  syncPodCgroups: 0,
  syncPodDirectories: 0,
  syncPodVolumes: 100, // ≈: the token volume of nearly every Pod, and so one look more
  syncPodPullSecrets: 0,
  volumeTeardown: 15, // ≈
  workerTurn: 0.05, // ≈
  workerTurnStep: 0.05, // ≈
} as const;
export type LatencyName = keyof typeof LATENCY_DEFAULTS_MS;
export const LATENCY_NAMES = Object.keys(LATENCY_DEFAULTS_MS) as LatencyName[];

/** Path of the setting that holds the Kubernetes minor version. */
export const KUBERNETES = 'kubernetes';

const WORLD_RULES: Readonly<Record<string, NumberRule>> = {
  duration: product({ min: 1, max: 7 * DAY_S, default: null }),
  seed: product({ unit: '', whole: true, max: INT32_MAX, default: 1 }),
  [KUBERNETES]: product({
    unit: '',
    whole: true,
    min: MINOR_VERSIONS.oldest,
    max: MINOR_VERSIONS.reference,
    default: MINOR_VERSIONS.reference,
  }),
  'kubelet/syncFrequency': kubernetes({ whole: false, min: 1, max: DAY_S, default: 60 }),
  'kubelet/maxContainerRestartPeriod': kubernetes({ whole: false, min: 1, max: 300, default: 300 }),
  'kubelet/nodeLeaseDurationSeconds': kubernetes({ min: 1, max: 3600, default: 40 }),
  'kubelet/nodeStatusUpdateFrequency': kubernetes({ whole: false, min: 1, max: 3600, default: 10 }),
  'kubelet/nodeStatusReportFrequency': kubernetes({ whole: false, min: 1, max: DAY_S, default: 300 }),
  'kubelet/uptime': product({ max: 365 * DAY_S, default: DAY_S }),
  ...Object.fromEntries(
    LATENCY_NAMES.map((name) => [
      `latencies/${name}`,
      product({ unit: 'ms', max: 600_000, default: LATENCY_DEFAULTS_MS[name] }),
    ]),
  ),
  ...CLUSTER_RULES,
};
export const REPLICAS = kubernetes({ unit: '', max: MOST_PODS, default: 1 });
export const MIN_READY = kubernetes({ default: 0 });
/** maxSurge and maxUnavailable as a number of Pods; not set where the text has a percentage, or nothing. */
export const ROLLOUT_PODS = kubernetes({ unit: '', default: null });
export const PROGRESS_DEADLINE = kubernetes({ default: 600 });
export const REVISION_HISTORY = kubernetes({ unit: '', default: 10 });
export const PARTITION = kubernetes({ unit: '', default: 0 });
export const POD_GRACE = kubernetes({ default: 30 });
/** In a manifest: the API server accepts a negative number and makes it 1. */
export const WRITTEN_POD_GRACE: NumberRule = { ...POD_GRACE, min: -INT32_MAX };
export const ACTIVE_DEADLINE = kubernetes({ min: 1, default: null });
/** May not be longer than the Pod's grace period either (crossChecks.ts). */
export const HOOK_SLEEP = kubernetes({ default: null });
const WORKLOAD_RULES: Readonly<Record<string, NumberRule>> = {
  replicas: REPLICAS,
  minReadySeconds: MIN_READY,
  maxSurge: ROLLOUT_PODS,
  maxUnavailable: ROLLOUT_PODS,
  progressDeadlineSeconds: PROGRESS_DEADLINE,
  revisionHistoryLimit: REVISION_HISTORY,
  partition: PARTITION,
  terminationGracePeriodSeconds: POD_GRACE,
  activeDeadlineSeconds: ACTIVE_DEADLINE,
};
/** How long an exec or httpGet hook takes. */
export const HOOK_ANSWER = product({ max: 7 * DAY_S, default: 0 });
/** The last step is the field of the API or of the Scenario document. */
const CONTAINER_RULES: Readonly<Record<string, NumberRule>> = {
  readyAfter: product({ max: 7 * DAY_S, default: 0 }),
  answersIn: product({ unit: 'ms', max: 7 * DAY_S * 1000, default: 1 }),
  ...Object.fromEntries(
    HOOK_NAMES.flatMap((name) => [
      [`${name}.sleep.seconds`, HOOK_SLEEP],
      [`${name}.answersIn`, HOOK_ANSWER],
    ]),
  ),
};
export const WORLD_SETTINGS = Object.keys(WORLD_RULES);

/** The rule of the setting at `path`; null when there is no such setting. */
export function ruleOf(path: string): NumberRule | null {
  const steps = path.split('/');
  const last = steps.at(-1) ?? '';
  if (steps.length <= 2) return own(WORLD_RULES, path);
  if (steps.length === 3) return own(steps[0] === 'clients' ? CLIENT_NUMBERS : WORKLOAD_RULES, last);
  if (steps.length === 4) return own(CONTAINER_RULES, last);
  const kind = PROBE_KINDS.find((name) => name === steps[3]);
  const field = PROBE_NUMBERS.find((name) => name === last);
  return steps.length === 5 && kind && field ? probeRule(kind, field) : null;
}

const own = (rules: Readonly<Record<string, NumberRule>>, key: string): NumberRule | null =>
  Object.hasOwn(rules, key) ? (rules[key] ?? null) : null;

/** What is wrong with `value` for that rule; null when nothing is. The same for manifests and sliders. */
export function checkNumber(name: string, rule: NumberRule, value: number): Complaint | null {
  if (rule.only && (value > rule.max || value < rule.min)) return rule.only;
  if (rule.whole && !Number.isInteger(value))
    return { message: `${name} must be a whole number, not ${value}`, remedy: `Write ${Math.round(value)}.` };
  if (!(value >= rule.min))
    return {
      message: `${name} must be ${rule.min} or more, not ${value}`,
      remedy: `Write a number from ${rule.min} on.`,
    };
  if (!(value <= rule.max))
    return {
      message: `${name} must be ${rule.max} or less, not ${value}`,
      remedy: `Write a number up to ${rule.max}.`,
    };
  return null;
}

/** The setting that a written number makes; a zero that means "unset" becomes the default. */
export function settingOf(rule: NumberRule, value: number | undefined, from: Provenance, line: number | null): Setting {
  const unset = value === undefined || (rule.zeroIsUnset && value === 0);
  return unset ? { value: rule.default, from: rule.defaultFrom, line: null } : { value, from, line };
}
