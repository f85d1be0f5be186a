import { MICROS_PER_MS, type Micros, type MicrosSpan, micros, microsSpan, milliseconds } from '../../../base/units.ts';
import type {
  Action,
  Answer,
  AppRun,
  AppStep,
  ContainerInput,
  ContainerRestart,
  FeatureGate,
  Hook,
  HookRun,
  Latencies,
  Outage,
  Pin,
  Pins,
  PodInput,
  ProbeKind,
  ProbeSpec,
  Scenario,
  Serve,
} from '../../../sim/scenario.ts';
import { FEATURE_GATES, NO_FAULTS, PROBE_KINDS } from '../../../sim/scenario.ts';
import {
  type KubeletRecording,
  LATENCY_NAMES,
  type RecordedAction,
  type RecordedApp,
  type RecordedContainer,
  type RecordedHook,
  type RecordedHookRun,
  type RecordedPod,
  type RecordedProbe,
  type RecordedRun,
  type RecordedServe,
  type RecordedStep,
  type RecordedWorld,
  STATIC_ANNOTATION,
} from './recording.ts';
import { startSleeps } from './startSleeps.ts';

/** The only node of these recordings. */
const NODE = 'node-a';

/** Actions that the model can play; `createPod` and `addStaticPod` are part of a Pod. */
const ACTIONS = [
  'createPod',
  'addStaticPod',
  'removeStaticPod',
  'deletePod',
  'evictPod',
  'crash',
  'patchCondition',
  'labelPod',
  'restartKubelet',
  'cutApi',
  'cutNode',
  'refuseWrites',
  'cutPodNetwork',
] as const;

/** What of a recording the model does not have yet, in words; empty when it has everything. */
export function missingFeatures({ scenario: { world } }: KubeletRecording): readonly string[] {
  const found = new Set<string>();
  for (const { do: action } of world.actions)
    if (!ACTIONS.some((known) => known === action)) found.add(`action ${action}`);
  for (const gate of Object.keys(world.featureGates)) if (!(gate in FEATURE_GATES)) found.add(`feature gate ${gate}`);
  return [...found];
}

/** The scenario that a recording played, with its draws and latencies pinned unless `pinned` is false. */
export function recordingToScenario(recording: KubeletRecording, pinned = true): Scenario {
  const { manifests, world } = recording.scenario;
  const { kubelet } = world;
  const wallClock = Date.parse(kubelet.startWall.slice(0, 19).concat('Z')) * MICROS_PER_MS + kubelet.startPhaseUs;
  return {
    duration: milliseconds(world.durationMs),
    seed: world.seed,
    kubernetes: recording.kubernetes.replace(/^v?(\d+\.\d+).*$/, '$1'),
    wallClock,
    kubelet: {
      processStart: micros(kubelet.processStartUs),
      syncLoopDelay: kubelet.syncLoopDelayUs === null ? null : microsSpan(kubelet.syncLoopDelayUs),
      syncFrequencySeconds: kubelet.syncFrequencySeconds,
      maxContainerRestartPeriodSeconds: kubelet.maxContainerRestartPeriodSeconds,
      featureGates: (Object.keys(FEATURE_GATES) as FeatureGate[]).filter((gate) => world.featureGates[gate]),
    },
    latency: Object.fromEntries(
      LATENCY_NAMES.map((name) => [name, microsSpan(world.latencyUs[name])]),
    ) as unknown as Latencies,
    clockSkew: Object.fromEntries(Object.entries(world.clockSkewUs).map(([node, us]) => [node, microsSpan(us)])),
    nodes: world.nodes ?? [NODE],
    perNode: {},
    pods: world.actions.flatMap((action) => {
      const manifest = manifests.find(({ metadata }) => metadata.name === action.pod);
      const creates = action.do === 'createPod' || action.do === 'addStaticPod';
      return creates && manifest ? [podOf(manifest, world, micros(action.atUs))] : [];
    }),
    cluster: null,
    actions: world.actions.flatMap((action) => actionOf(action, recording) ?? []),
    pins: pinned ? pinsOf(recording) : {},
  };
}

/** The Pod of a manifest, with what `world` says of its apps. */
export function podOf({ metadata, spec }: RecordedPod, world: RecordedWorld, createdAt: Micros): PodInput {
  return {
    identity: `${metadata.namespace}/${metadata.name}`,
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid ?? `${metadata.name}-uid`,
    node: spec.nodeName ?? NODE,
    labels: metadata.labels,
    hostname: '',
    subdomain: '',
    owner: null,
    tolerations: [],
    target: '',
    createdAt,
    restartPolicy: spec.restartPolicy,
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
    activeDeadlineSeconds: spec.activeDeadlineSeconds ?? null,
    readinessGates: spec.readinessGates.map(({ conditionType }) => conditionType),
    isStatic: metadata.annotations?.[STATIC_ANNOTATION] !== undefined,
    containers: spec.containers.map((container) => containerInput(metadata.name, container, world, false)),
    initContainers: spec.initContainers.map((container) => containerInput(metadata.name, container, world, true)),
    faults: world.faults[metadata.name] ?? NO_FAULTS,
  };
}

function containerInput(
  pod: string,
  container: RecordedContainer,
  world: RecordedWorld,
  isInit: boolean,
): ContainerInput {
  const place = world.apps.findIndex((app) => app.pod === pod && app.container === container.name);
  const runs = world.apps[place]?.runs ?? [];
  const pull = world.apps[place]?.imagePull;
  return {
    name: container.name,
    image: container.image,
    ports: container.ports,
    outages: outagesOf(world.apps[place]?.outage),
    isSidecar: isInit && container.restartPolicy === 'Always',
    restart: restartOf(container, isInit),
    imagePull: pull ? { takes: microsSpan(pull.takesUs), failures: pull.failures } : null,
    postStart: hookOf(container.lifecycle?.postStart),
    preStop: hookOf(container.lifecycle?.preStop),
    latencyIndex: world.apps[place]?.latencyIndex ?? Math.max(place, 0),
    probes: {
      startup: probeOf(container.startupProbe),
      readiness: probeOf(container.readinessProbe),
      liveness: probeOf(container.livenessProbe),
    },
    runs: runs.length > 0 ? runs.map(runOf) : [{ script: [], postStart: null, preStop: null, onTerm: null }],
  };
}

/** A sidecar without rules needs none: its policy is what makes it one. */
function restartOf({ restartPolicy, restartPolicyRules }: RecordedContainer, isInit: boolean): ContainerRestart | null {
  if (!restartPolicy || (isInit && restartPolicy === 'Always' && restartPolicyRules.length === 0)) return null;
  const rules = restartPolicyRules.map(({ action, exitCodes }) => ({
    action,
    operator: exitCodes.operator,
    exitCodes: exitCodes.values,
  }));
  return { policy: restartPolicy, rules };
}

function actionOf(action: RecordedAction, { scenario: { manifests } }: KubeletRecording): Action | null {
  const manifest = manifests.find(({ metadata }) => metadata.name === action.pod);
  const pod = manifest ? `${manifest.metadata.namespace}/${manifest.metadata.name}` : '';
  const at = micros(action.atUs);
  const { node = NODE } = action;
  switch (action.do) {
    case 'deletePod':
      return { at, do: 'deletePod', pod, graceSeconds: action.graceSeconds ?? null };
    case 'evictPod':
      return { at, do: 'evictPod', pod, graceSeconds: action.graceSeconds ?? 1 };
    case 'crash':
      return { at, do: 'crash', pod, container: action.container ?? '', exitCode: action.exitCode ?? 1 };
    case 'patchCondition':
      return { at, do: 'patchCondition', pod, condition: action.condition ?? '', status: action.status ?? 'False' };
    case 'labelPod':
      return { at, do: 'labelPod', pod, labels: {} };
    case 'removeStaticPod':
      return { at, do: 'removeStaticPod', pod };
    case 'restartKubelet':
      return { at, do: 'restartKubelet', node, down: microsSpan(action.downUs ?? 0) };
    case 'cutApi':
    case 'cutNode':
    case 'refuseWrites':
    case 'cutPodNetwork':
      return { at, do: action.do, node, lasts: microsSpan(action.lastsUs ?? 0) };
    default:
      return null;
  }
}

function probeOf(probe: RecordedProbe | undefined): ProbeSpec | null {
  if (!probe) return null;
  const { exec, httpGet, tcpSocket, grpc, terminationGracePeriodSeconds, ...numbers } = probe;
  const others = Object.entries({ httpGet, tcpSocket, grpc } as const).flatMap(([type, handler]) =>
    handler ? [{ type: type as 'httpGet' | 'tcpSocket' | 'grpc', target: handler.target }] : [],
  );
  return {
    ...numbers,
    terminationGracePeriodSeconds: terminationGracePeriodSeconds ?? null,
    handler: others[0] ?? { type: 'exec', target: exec?.command.join(' ') ?? '' },
  };
}

function hookOf(hook: RecordedHook | undefined): Hook | null {
  if (!hook) return null;
  return hook.sleep ? { type: 'sleep', seconds: hook.sleep.seconds } : { type: 'exec' };
}

function hookRunOf(run: RecordedHookRun | undefined): HookRun | null {
  if (!run) return null;
  const { outcome, takesUs, message = '', script } = run;
  return { answer: { outcome, takes: takesUs ?? Number.POSITIVE_INFINITY, message }, script: script.map(stepOf) };
}

function runOf({ script, onTerm, postStart, preStop }: RecordedRun): AppRun {
  return {
    script: script.map(stepOf),
    postStart: hookRunOf(postStart),
    preStop: hookRunOf(preStop),
    onTerm: onTerm
      ? {
          exitAfter: onTerm.ignore ? null : microsSpan(onTerm.afterUs),
          exitCode: onTerm.exitCode,
          script: onTerm.script.map(stepOf),
        }
      : null,
  };
}

const serveOf = (serve: RecordedServe | undefined): Serve | null =>
  serve ? { state: serve.state, code: serve.code, takes: microsSpan(serve.takesUs) } : null;

const outagesOf = (outage: RecordedApp['outage']): readonly Outage[] => {
  if (!outage) return [];
  const { outcome, takesUs, message = '' } = outage.readiness;
  const serve = serveOf(outage.serve);
  return [
    {
      from: micros(outage.fromUs),
      until: micros(outage.toUs),
      answers: { readiness: { outcome, takes: takesUs ?? Number.POSITIVE_INFINITY, message } },
      serve: serve && { port: null, path: null, serve },
    },
  ];
};

function stepOf(step: RecordedStep): AppStep {
  const answers: Partial<Record<ProbeKind, Answer>> = {};
  for (const kind of PROBE_KINDS) {
    const answer = step[kind];
    if (!answer) continue;
    const scripted = answer.outcome === 'error' ? 'rpc error: code = Unknown desc = scripted runtime error' : '';
    const takes = answer.takesUs ?? Number.POSITIVE_INFINITY;
    answers[kind] = { outcome: answer.outcome, takes, message: answer.message ?? scripted };
  }
  return { at: step.atUs as MicrosSpan, answers, serve: serveOf(step.serve), exit: step.exit ?? null };
}

/** Recorded draws under the names that the simulator gives them (architecture, table of draws). */
function pinsOf({ scenario: { manifests, world, draws }, events }: KubeletRecording): Pins {
  const identities = new Map(
    manifests.map(({ metadata }) => [metadata.name, `${metadata.namespace}/${metadata.name}`]),
  );
  const identify = (key: string): string => {
    const [pod = '', ...rest] = key.split('/');
    return [identities.get(pod) ?? pod, ...rest].join('/');
  };
  const pins: Record<string, readonly Pin[]> = {};
  const sleepsByKey = startSleeps(draws.workerInitialSleepUs, events, world.durationMs * MICROS_PER_MS);
  for (const [key, sleeps] of Object.entries(sleepsByKey)) {
    pins[`prober/startSleep/${identify(key)}`] = sleeps.map((value) => ({ value, at: null }));
    // That nothing is written of what a worker took says something too.
    pins[`prober/select/${identify(key)}`] = [];
  }
  for (const [key, entries] of Object.entries(draws.requeueUs)) {
    pins[`podWorkers/requeue/${identify(key)}`] = entries.map(({ atUs, delayUs }) => ({
      value: delayUs,
      at: micros(atUs),
    }));
  }
  for (const [key, entries] of Object.entries(draws.pendingCause)) {
    pins[`prober/select/${identify(key)}`] = entries.map(({ atUs, cause }) => ({ value: cause, at: micros(atUs) }));
  }
  for (const [name, values] of Object.entries(draws.named)) pins[name] = values.map((value) => ({ value, at: null }));
  return pins;
}

/** Draws of these families are in the recordings whole: a draw without a pin is a difference. */
export const RECORDED_DRAWS = ['prober/startSleep/', 'podWorkers/requeue/', 'prober/select/'] as const;
