import { MICROS_PER_MS, MICROS_PER_SECOND, micros, milliseconds, seconds } from '../../base/units.ts';
import type { ContainerInput, Latencies, Pins, PodInput, ProbeKind, ProbeSpec, Scenario } from '../../sim/scenario.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { fits } from '../manifest/scenarioSettings.ts';
import type { Workload, WorkloadContainer } from '../manifest/workload.ts';
import type { App } from '../schema/app.ts';
import { LATENCY_NAMES, type ProbeNumber, type Setting, type Settings } from '../settings.ts';
import { appRuns } from './appRuns.ts';
import { displayName, identityOf, uidOf } from './names.ts';

const DEFAULT_NODE = 'node-a';
/** Objects are created one after another, as kubectl apply does; so are the Pods of a workload. */
const CREATE_INTERVAL_US = 20 * MICROS_PER_MS;
const REFERENCE_VERSION = '1.37';

/** The simulator's input. Every number is in `settings`; `parsed` has no error. */
export function buildScenario(parsed: ParsedText, settings: Settings): Scenario {
  const { scenario } = parsed;
  const number = reader(settings);
  const nodes = nodesOf(parsed);
  return {
    duration: seconds(number('duration')),
    seed: number('seed'),
    kubernetes: scenario?.kubernetes ?? REFERENCE_VERSION,
    wallClock: scenario?.startTime ?? null,
    kubelet: {
      processStart: micros(-Math.round(number('kubelet/uptime') * MICROS_PER_SECOND)),
      syncLoopDelay: null,
      syncFrequencySeconds: number('kubelet/syncFrequency'),
      maxContainerRestartPeriodSeconds: number('kubelet/maxContainerRestartPeriod'),
    },
    latency: Object.fromEntries(
      LATENCY_NAMES.map((name) => [name, milliseconds(number(`latencies/${name}`))]),
    ) as unknown as Latencies,
    nodes,
    pods: buildPods(parsed, settings, nodes),
    actions: [],
    pins: pinsOf(scenario?.draws ?? {}),
  };
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

/** The Node documents, and nodes that Pods name. */
function nodesOf({ nodes, workloads }: ParsedText): string[] {
  const all = new Set(nodes);
  for (const { nodeName } of workloads) if (nodeName !== null) all.add(nodeName);
  return all.size > 0 ? [...all] : [DEFAULT_NODE];
}

/** How many Pods a workload has: a DaemonSet one for each node, a bare Pod is one. */
export function podCount(workload: Workload, settings: Settings, nodes: number): number {
  if (workload.kind === 'Pod') return 1;
  return workload.kind === 'DaemonSet' ? nodes : (settings.get(`${workload.path}/replicas`)?.value ?? 1);
}

function buildPods(parsed: ParsedText, settings: Settings, nodes: readonly string[]): PodInput[] {
  const apps = parsed.scenario?.apps ?? [];
  const pods: PodInput[] = [];
  let turn = 0;
  for (const workload of parsed.workloads) {
    const shared = workload.containers.map((container) =>
      buildContainer(container, workload, lastApp(apps, workload, container.name, []), settings),
    );
    const count = podCount(workload, settings, nodes.length);
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const identity = identityOf(workload, ordinal);
      const name = displayName(workload, ordinal);
      const ownApps = apps.filter((app) => app.pod === name || app.pod === identity);
      const node = workload.nodeName ?? nodes[(workload.kind === 'DaemonSet' ? ordinal : turn++) % nodes.length];
      pods.push({
        identity,
        namespace: workload.namespace,
        name,
        uid: uidOf(identity),
        node: node ?? DEFAULT_NODE,
        createdAt: micros((workload.slot + ordinal) * CREATE_INTERVAL_US),
        restartPolicy: workload.restartPolicy,
        terminationGracePeriodSeconds: reader(settings)(`${workload.path}/terminationGracePeriodSeconds`),
        activeDeadlineSeconds: null,
        readinessGates: [],
        isStatic: false,
        initContainers: [],
        containers:
          ownApps.length === 0
            ? shared
            : workload.containers.map((container) =>
                buildContainer(container, workload, lastApp(apps, workload, container.name, ownApps), settings),
              ),
      });
    }
  }
  return pods;
}

/** The last entry that fits: one for all Pods, or one of `own` for this Pod alone. */
const lastApp = (apps: readonly App[], workload: Workload, container: string, own: readonly App[]): App | null =>
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
  const timeoutSeconds = {
    startup: probes.startup?.timeoutSeconds ?? 1,
    readiness: probes.readiness?.timeoutSeconds ?? 1,
    liveness: probes.liveness?.timeoutSeconds ?? 1,
  };
  const runs = appRuns(app, container, {
    readyAfter: settingAt(settings, `${path}/readyAfter`),
    answersIn: settingAt(settings, `${path}/answersIn`),
    timeoutSeconds,
  });
  return {
    name: container.name,
    image: container.image,
    isSidecar: false,
    preStop: null,
    latencyIndex: workload.containers.indexOf(container),
    probes,
    runs,
  };
}

function settingAt(settings: Settings, path: string): Setting {
  const setting = settings.get(path);
  if (!setting) throw new Error(`no setting ${path}`);
  return setting;
}
