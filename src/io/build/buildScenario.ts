import { MICROS_PER_SECOND, micros, milliseconds, seconds } from '../../base/units.ts';
import type { Labels } from '../../sim/api/objects.ts';
import { stableUid } from '../../sim/api/stableNames.ts';
import {
  type ContainerInput,
  FEATURE_GATES,
  type FeatureGate,
  type Hook,
  type HookName,
  type KubeletConfig,
  type Latencies,
  NO_FAULTS,
  type Pins,
  type PodFaults,
  type PodInput,
  type ProbeKind,
  type ProbeSpec,
  type Scenario,
} from '../../sim/scenario.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { fits } from '../manifest/scenarioSettings.ts';
import { allContainers, type Workload, type WorkloadContainer } from '../manifest/workload.ts';
import type { App } from '../schema/app.ts';
import type { FaultEntry } from '../schema/fault.ts';
import { KUBERNETES, LATENCY_NAMES, type ProbeNumber, type Setting, type Settings } from '../settings.ts';
import { happeningsOf } from './actions.ts';
import { appRuns } from './appRuns.ts';
import { clusterOf } from './cluster.ts';
import { CREATE_INTERVAL_US } from './created.ts';

import { namesOf, nodesOf, type PlacedPod, placedPods, podsMeant } from './placedPods.ts';

/** The simulator's input. Every number is in `settings`; `parsed` has no error. */
export function buildScenario(parsed: ParsedText, settings: Settings): Scenario {
  const { scenario } = parsed;
  const number = reader(settings);
  const pods = buildPods(parsed, settings);
  const { actions, writes } = happeningsOf(parsed, settings);
  const scripted = pods.filter(({ hasKubelet }) => !hasKubelet).map(({ input }) => input);
  return {
    duration: seconds(number('duration')),
    seed: number('seed'),
    kubernetes: `1.${number(KUBERNETES)}`,
    wallClock: scenario?.startTime ?? null,
    kubelet: {
      processStart: micros(-Math.round(number('kubelet/uptime') * MICROS_PER_SECOND)),
      syncLoopDelay: null,
      syncFrequencySeconds: number('kubelet/syncFrequency'),
      maxContainerRestartPeriodSeconds: number('kubelet/maxContainerRestartPeriod'),
      ...gatesOf(scenario?.kubelet?.featureGates ?? {}),
    },
    latency: Object.fromEntries(
      LATENCY_NAMES.map((name) => [name, milliseconds(number(`latencies/${name}`))]),
    ) as unknown as Latencies,
    clockSkew: Object.fromEntries(
      Object.entries(scenario?.clockSkew ?? {}).map(([node, ahead]) => [node, seconds(ahead)]),
    ),
    nodes: nodesOf(parsed),
    perNode: {},
    pods: pods.filter(({ hasKubelet }) => hasKubelet).map(({ input }) => input),
    cluster: clusterOf(parsed, settings, scripted, writes),
    actions,
    pins: pinsOf(scenario?.draws ?? {}),
  };
}

/** Without any gate on, nothing: a scenario is the same whether its defaults are written out or not. */
function gatesOf(
  given: Readonly<Partial<Record<FeatureGate, boolean | undefined>>>,
): Pick<KubeletConfig, 'featureGates'> {
  const on = (Object.keys(FEATURE_GATES) as FeatureGate[]).filter((gate) => given[gate] === true);
  return on.length > 0 ? { featureGates: on } : {};
}

const reader =
  (settings: Settings) =>
  (path: string): number => {
    const value = settings.get(path)?.value;
    if (value === null || value === undefined) throw new Error(`no value for ${path}`);
    return value;
  };

const pinsOf = (draws: Readonly<Record<string, readonly (number | string)[]>>): Pins =>
  Object.fromEntries(
    Object.entries(draws).map(([name, values]) => [name, values.map((value) => ({ value, at: null }))]),
  );

interface BuiltPod {
  readonly input: PodInput;
  readonly hasKubelet: boolean;
}

function buildPods(parsed: ParsedText, settings: Settings): BuiltPod[] {
  const apps = parsed.scenario?.apps ?? [];
  const number = reader(settings);
  const listsOf = (workload: Workload, own: readonly App[]): Pick<PodInput, 'containers' | 'initContainers'> => {
    const build = (container: WorkloadContainer): ContainerInput =>
      buildContainer(container, workload, lastApp(apps, workload, container, own), settings);
    return { containers: workload.containers.map(build), initContainers: workload.initContainers.map(build) };
  };
  const shared = new Map(parsed.workloads.map((workload) => [workload, listsOf(workload, [])]));
  return placedPods(parsed, settings).map((placed) => {
    const { workload, ordinal, identity, name, node, isStatic, hasKubelet } = placed;
    const own = apps.filter(({ pod }) => pod !== undefined && namesOf(placed).includes(pod));
    const input: PodInput = {
      identity,
      namespace: workload.namespace,
      name,
      uid: stableUid(identity),
      node,
      labels: labelsOf(placed),
      // A StatefulSet gives each of its Pods its name as host name (pkg/controller/statefulset, initIdentity).
      hostname: workload.kind === 'StatefulSet' ? name : workload.hostname,
      subdomain: workload.subdomain,
      owner: null,
      tolerations: [],
      target: '',
      createdAt: micros((workload.slot + ordinal) * CREATE_INTERVAL_US),
      restartPolicy: workload.restartPolicy,
      terminationGracePeriodSeconds: number(`${workload.path}/terminationGracePeriodSeconds`),
      activeDeadlineSeconds: settings.get(`${workload.path}/activeDeadlineSeconds`)?.value ?? null,
      readinessGates: workload.readinessGates,
      isStatic,
      faults: faultsOf(parsed.scenario?.faults ?? [], placed),
      ...((own.length === 0 && shared.get(workload)) || listsOf(workload, own)),
    };
    return { input, hasKubelet };
  });
}

/** A Service of one Pod of a StatefulSet selects by the label with its name. */
const labelsOf = ({ workload, name }: PlacedPod): Labels =>
  workload.kind === 'StatefulSet'
    ? { ...workload.labels, 'statefulset.kubernetes.io/pod-name': name }
    : workload.labels;

/** What goes wrong for a Pod: the last entry that is about it. */
function faultsOf(entries: readonly FaultEntry[], placed: PlacedPod): PodFaults {
  const found = entries.findLast((entry) => podsMeant(entry, [placed]).length > 0);
  if (!found) return NO_FAULTS;
  const { admission, sandboxFailures = 0 } = found;
  const refusal = admission ? { reason: admission.reason, message: admission.message ?? admission.reason } : null;
  return { admission: refusal, sandboxFailures };
}

/** The last entry that fits: one for all Pods, or one of `own` for this Pod alone. */
const lastApp = (
  apps: readonly App[],
  workload: Workload,
  container: WorkloadContainer,
  own: readonly App[],
): App | null =>
  apps.findLast((app) => fits(app, workload, container) && (app.pod === undefined || own.includes(app))) ?? null;

function buildContainer(
  container: WorkloadContainer,
  workload: Workload,
  app: App | null,
  settings: Settings,
): ContainerInput {
  const path = `${workload.path}/${container.name}`;
  const probe = (kind: ProbeKind): ProbeSpec | null => {
    const handler = container.probes[kind];
    if (!handler) return null;
    const number = (field: ProbeNumber): number => reader(settings)(`${path}/${kind}/${field}`);
    return {
      initialDelaySeconds: number('initialDelaySeconds'),
      periodSeconds: number('periodSeconds'),
      timeoutSeconds: number('timeoutSeconds'),
      successThreshold: number('successThreshold'),
      failureThreshold: number('failureThreshold'),
      terminationGracePeriodSeconds: settings.get(`${path}/${kind}/terminationGracePeriodSeconds`)?.value ?? null,
      handler: { type: handler.type, target: handler.target },
    };
  };
  const probes = { startup: probe('startup'), readiness: probe('readiness'), liveness: probe('liveness') };
  const hook = (name: HookName): Hook | null => {
    const type = container.hooks[name]?.type;
    if (type === undefined) return null;
    return type === 'sleep' ? { type, seconds: reader(settings)(`${path}/${name}.sleep.seconds`) } : { type };
  };
  const timeoutSeconds = {
    startup: probes.startup?.timeoutSeconds ?? 1,
    readiness: probes.readiness?.timeoutSeconds ?? 1,
    liveness: probes.liveness?.timeoutSeconds ?? 1,
  };
  const runs = appRuns(app, container, {
    readyAfter: settingAt(settings, `${path}/readyAfter`),
    answersIn: settingAt(settings, `${path}/answersIn`),
    hookAnswersIn: (name) => settings.get(`${path}/${name}.answersIn`) ?? null,
    timeoutSeconds,
  });
  return {
    name: container.name,
    image: container.image,
    ports: container.ports,
    outage: null,
    isSidecar: container.role === 'sidecar',
    restart: container.restart,
    imagePull: app?.imagePull ? { takes: seconds(app.imagePull.takes), failures: app.imagePull.failures ?? 0 } : null,
    postStart: hook('postStart'),
    preStop: hook('preStop'),
    latencyIndex: allContainers(workload).indexOf(container),
    probes,
    runs,
  };
}

function settingAt(settings: Settings, path: string): Setting {
  const setting = settings.get(path);
  if (!setting) throw new Error(`no setting ${path}`);
  return setting;
}
