import { type IntOrPercent, scaledValue } from '../sim/api/workloadObjects.ts';
import { HOOK_NAMES, PROBE_KINDS, type ProbeKind } from '../sim/scenario.ts';
import { allContainers, type Workload } from './manifest/workload.ts';
import type { Model } from './readScenario.ts';
import { PROBE_NUMBERS, type Provenance, ruleOf } from './settings.ts';

/** What a number is about; probes belong to their app. */
export type SliderSection = 'app' | 'rollout' | 'pod' | 'clients' | 'cluster';

/** A number that a slider changes. Everything is in `unit`. */
export interface SliderField {
  /** For an Override, as in settings.ts. */
  readonly path: string;
  /** `namespace/workload`, such as `default/web`; '' for the cluster. */
  readonly workload: string;
  /** Null for fields of the Pod as a whole. */
  readonly container: string | null;
  /** Null for fields of no probe. */
  readonly probe: ProbeKind | null;
  readonly section: SliderSection;
  /** The exact API field; `readyAfter`, `answersIn`, `postStart.answersIn` and `preStop.answersIn` are fields of the Scenario document. */
  readonly label: string;
  readonly unit: 's' | 'ms' | '';
  /** Null: not set. */
  readonly value: number | null;
  readonly default: number | null;
  readonly from: Provenance;
  /** Line in the text that gives the value; null for defaults and sliders. */
  readonly line: number | null;
  readonly scale: SliderScale;
  /** What may be typed: the limits of the API. */
  readonly limits: { readonly min: number; readonly max: number; readonly whole: boolean };
}
export interface SliderScale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly log: boolean;
  /** Sensible values, marked on the slider. */
  readonly ticks: readonly number[];
}

const scale = (min: number, max: number, ticks: readonly number[], more: Partial<SliderScale> = {}): SliderScale => ({
  min,
  max,
  step: 1,
  log: false,
  ticks,
  ...more,
});

/** A container has those of the hooks that it has. */
const HOOK_LABELS = HOOK_NAMES.flatMap((name) => [`${name}.sleep.seconds`, `${name}.answersIn`]);
/** Hops that people turn to see what they do; all others are in the Scenario document. */
const HOP_LABELS = ['controllerWatch', 'controllerRequest', 'proxyWatch', 'iptablesRestore'];
/** Of the control plane and the proxies, most telling first. */
const CLUSTER_PATHS = [
  'kubeProxy/minSyncPeriod',
  'controllerManager/endpointslice-updates-batch-period',
  'controllerManager/endpoint-updates-batch-period',
  ...HOP_LABELS.map((label) => `latencies/${label}`),
];
const GRACE = scale(0, 120, [0, 30, 60, 120]);
const FEW_PODS = scale(0, 3, [0, 1, 2, 3]);
const SCALES: Readonly<Record<string, SliderScale>> = {
  readyAfter: scale(0, 60, [0, 15, 30, 45, 60], { step: 0.1 }),
  answersIn: scale(1, 10_000, [1, 10, 100, 1000, 10_000], { log: true }),
  replicas: scale(0, 10, [0, 1, 3, 5, 10]),
  periodSeconds: scale(1, 300, [1, 5, 10, 30, 60, 300], { log: true }),
  initialDelaySeconds: scale(0, 60, [0, 15, 30, 45, 60]),
  timeoutSeconds: scale(1, 30, [1, 10, 20, 30]),
  failureThreshold: scale(1, 10, [1, 3, 5, 10]),
  successThreshold: scale(1, 10, [1, 3, 5, 10]),
  maxSurge: FEW_PODS,
  maxUnavailable: FEW_PODS,
  minReadySeconds: scale(0, 60, [0, 15, 30, 45, 60]),
  partition: scale(0, 10, [0, 1, 3, 5, 10]),
  terminationGracePeriodSeconds: GRACE,
  interval: scale(0.05, 10, [0.05, 0.5, 1, 10], { log: true, step: 0.05 }),
  minSyncPeriod: scale(0, 30, [0, 1, 10, 30], { step: 0.1 }),
  'endpointslice-updates-batch-period': scale(0, 10, [0, 1, 5, 10], { step: 0.1 }),
  'endpoint-updates-batch-period': scale(0, 10, [0, 1, 5, 10], { step: 0.1 }),
  ...Object.fromEntries(
    HOP_LABELS.map((label) => [label, scale(0.1, 1000, [0.1, 1, 10, 100, 1000], { log: true, step: 0.1 })]),
  ),
  ...Object.fromEntries(HOOK_LABELS.map((label) => [label, GRACE])),
};
const STARTUP_FAILURES = scale(1, 120, [1, 3, 10, 30, 120], { log: true });
const PROBE_GRACE: SliderScale = { ...GRACE, min: 1, ticks: [1, 30, 60, 120] };

function scaleOf(label: string, probe: ProbeKind | null): SliderScale {
  if (probe === 'startup' && label === 'failureThreshold') return STARTUP_FAILURES;
  if (probe !== null && label === 'terminationGracePeriodSeconds') return PROBE_GRACE;
  const found = SCALES[label];
  if (!found) throw new Error(`no slider for ${label}`);
  return found;
}

/**
 * Every slider of the model, in the order of the text: per workload its rollout and its Pod, then per container and sidecar the
 * app, then its probes; at the end the clients, and the cluster, when there is one. Apps
 * that no kubelet runs have nothing to turn. successThreshold of liveness and startup is left out: it can only be 1.
 */
export function sliderFields(model: Model): SliderField[] {
  const workloads = model.workloads.flatMap((workload) => {
    const { name } = workload;
    const about = { workload: workload.path, container: null, probe: null };
    if (model.withoutKubelet.includes(name)) return fields(model, { ...about, section: 'pod' }, ['replicas']);
    const asked = allContainers(workload).filter(({ role }) => role !== 'init');
    return [
      ...rolloutFields(model, workload),
      ...fields(model, { ...about, section: 'pod' }, ['terminationGracePeriodSeconds']),
      ...asked.flatMap(({ name, probes }) => [
        ...fields(model, { ...about, container: name, section: 'app' }, APP_LABELS),
        ...PROBE_KINDS.filter((kind) => probes[kind]).flatMap((kind) =>
          fields(model, { ...about, container: name, probe: kind, section: 'app' }, probeLabels(kind)),
        ),
      ]),
    ];
  });
  return [...workloads, ...clientFields(model), ...(model.hasCluster ? clusterFields(model) : [])];
}

type About = Pick<SliderField, 'workload' | 'container' | 'probe' | 'section'>;

const APP_LABELS = ['readyAfter', 'answersIn', ...HOOK_LABELS];
const probeLabels = (kind: ProbeKind): readonly string[] =>
  kind === 'readiness' ? PROBE_NUMBERS : PROBE_NUMBERS.filter((field) => field !== 'successThreshold');

function fields(model: Model, about: About, names: readonly string[]): SliderField[] {
  return names.flatMap((name) => {
    const path = [about.workload, about.container, about.probe, name].filter((step) => step !== null).join('/');
    return field(model, path, name, about);
  });
}

/** A share of a Deployment's replicas is shown as the number of Pods that it comes to. */
function rolloutFields(model: Model, { path, plan }: Workload): SliderField[] {
  const about: About = { workload: path, container: null, probe: null, section: 'rollout' };
  const replicas = model.settings.get(`${path}/replicas`)?.value ?? 1;
  const pods = (share: IntOrPercent, name: string): number =>
    scaledValue(share, replicas, name === 'maxSurge' ? 'up' : 'down');
  return fields(model, about, ['replicas', 'maxSurge', 'maxUnavailable', 'minReadySeconds', 'partition']).map(
    (found) => {
      const { label, value } = found;
      if (plan?.kind !== 'Deployment' || (label !== 'maxSurge' && label !== 'maxUnavailable')) return found;
      return { ...found, value: value ?? pods(plan[label], label), default: pods('25%', label) };
    },
  );
}

const CLUSTER: About = { workload: '', container: null, probe: null, section: 'cluster' };

/** How often each client asks. One that is not alone has its name before it. */
const clientFields = (model: Model): SliderField[] =>
  model.clients.flatMap((client) =>
    field(model, `clients/${client}/interval`, 'interval', { ...CLUSTER, section: 'clients' }).map((found) => ({
      ...found,
      label: model.clients.length === 1 ? found.label : `${client} ${found.label}`,
    })),
  );

const clusterFields = (model: Model): SliderField[] =>
  CLUSTER_PATHS.flatMap((path) => field(model, path, path.slice(path.indexOf('/') + 1), CLUSTER));

function field(model: Model, path: string, label: string, about: About): SliderField[] {
  const rule = ruleOf(path);
  const setting = model.settings.get(path);
  if (!rule || !setting) return [];
  const { unit, min, max, whole } = rule;
  const scaled = { scale: scaleOf(label, about.probe), limits: { min, max, whole } };
  return [{ path, label, ...about, unit, ...setting, default: rule.default, ...scaled }];
}
