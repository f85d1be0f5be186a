import { MICROS_PER_MS, type Micros, type MicrosSpan, micros, microsSpan, milliseconds } from '../../base/units.ts';
import type {
  Answer,
  AppRun,
  AppStep,
  ContainerInput,
  Latencies,
  Pin,
  Pins,
  PodInput,
  ProbeKind,
  ProbeSpec,
  Scenario,
} from '../../sim/scenario.ts';
import { PROBE_KINDS } from '../../sim/scenario.ts';
import {
  type KubeletRecording,
  LATENCY_NAMES,
  type RecordedPod,
  type RecordedProbe,
  type RecordedRun,
  type RecordedStep,
  type RecordedWorld,
} from './recording.ts';

/** The only node of these recordings. */
const NODE = 'node-a';

/** What of a recording the model does not have yet, in words; empty when it has everything. */
export function missingFeatures({ scenario: { manifests, world } }: KubeletRecording): readonly string[] {
  const found = new Set<string>();
  for (const { metadata, spec } of manifests) {
    if (spec.initContainers) found.add('init containers');
    if (spec.readinessGates) found.add('readiness gates');
    if (spec.activeDeadlineSeconds !== undefined) found.add('activeDeadlineSeconds');
    if (metadata.annotations?.['oracle.example/static'] !== undefined) found.add('static Pods');
    if (spec.containers.some(({ lifecycle }) => lifecycle !== undefined)) found.add('lifecycle hooks');
  }
  for (const { do: action } of world.actions) if (action !== 'createPod') found.add(`action ${action}`);
  for (const gate of Object.keys(world.featureGates)) found.add(`feature gate ${gate}`);
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
    },
    latency: Object.fromEntries(LATENCY_NAMES.map((name) => [name, world.latencyUs[name]])) as unknown as Latencies,
    nodes: world.nodes ?? [NODE],
    pods: world.actions.flatMap((action) => {
      const manifest = manifests.find(({ metadata }) => metadata.name === action.pod);
      return action.do === 'createPod' && manifest ? [podOf(manifest, world, micros(action.atUs))] : [];
    }),
    pins: pinned ? pinsOf(recording) : {},
  };
}

function podOf({ metadata, spec }: RecordedPod, world: RecordedWorld, createdAt: Micros): PodInput {
  return {
    identity: `${metadata.namespace}/${metadata.name}`,
    namespace: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid ?? `${metadata.name}-uid`,
    node: spec.nodeName ?? NODE,
    createdAt,
    restartPolicy: spec.restartPolicy,
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
    containers: spec.containers.map((container): ContainerInput => {
      const place = world.apps.findIndex((app) => app.pod === metadata.name && app.container === container.name);
      const runs = world.apps[place]?.runs ?? [];
      return {
        name: container.name,
        image: container.image,
        latencyIndex: world.apps[place]?.latencyIndex ?? Math.max(place, 0),
        probes: {
          startup: probeOf(container.startupProbe),
          readiness: probeOf(container.readinessProbe),
          liveness: probeOf(container.livenessProbe),
        },
        runs: runs.length > 0 ? runs.map(runOf) : [{ script: [], onTerm: null }],
      };
    }),
  };
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

function runOf({ script, onTerm }: RecordedRun): AppRun {
  return {
    script: script.map(stepOf),
    onTerm: onTerm
      ? {
          exitAfter: onTerm.ignore ? null : microsSpan(onTerm.afterUs),
          exitCode: onTerm.exitCode,
          script: onTerm.script.map(stepOf),
        }
      : null,
  };
}

function stepOf(step: RecordedStep): AppStep {
  const answers: Partial<Record<ProbeKind, Answer>> = {};
  for (const kind of PROBE_KINDS) {
    const answer = step[kind];
    if (!answer) continue;
    const scripted = answer.outcome === 'error' ? 'rpc error: code = Unknown desc = scripted runtime error' : '';
    const takes = answer.takesUs ?? Number.POSITIVE_INFINITY;
    answers[kind] = { outcome: answer.outcome, takes, message: answer.message ?? scripted };
  }
  return { at: step.atUs as MicrosSpan, answers, exit: step.exit ?? null };
}

/** Recorded draws under the names that the simulator gives them (architecture, table of draws). */
function pinsOf({ scenario: { manifests, draws } }: KubeletRecording): Pins {
  const identities = new Map(
    manifests.map(({ metadata }) => [metadata.name, `${metadata.namespace}/${metadata.name}`]),
  );
  const identify = (key: string): string => {
    const [pod = '', ...rest] = key.split('/');
    return [identities.get(pod) ?? pod, ...rest].join('/');
  };
  const pins: Record<string, readonly Pin[]> = {};
  for (const [key, sleeps] of Object.entries(draws.workerInitialSleepUs)) {
    pins[`prober/startSleep/${identify(key)}`] = sleeps.map((value) => ({ value, at: null }));
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
