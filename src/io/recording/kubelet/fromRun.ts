import { MICROS_PER_MS, MICROS_PER_SECOND } from '../../../base/units.ts';
import type {
  Action,
  Answer,
  AppRun,
  AppStep,
  ContainerInput,
  Hook,
  HookRun,
  PodInput,
  ProbeSpec,
  Scenario,
} from '../../../sim/scenario.ts';
import { PROBE_KINDS } from '../../../sim/scenario.ts';
import type { TraceReader } from '../../../sim/trace/reader.ts';
import { projectKubelet } from './project.ts';
import { type RecordedAction, STATIC_ANNOTATION } from './recording.ts';

/** A draw that a run made. */
interface Taken {
  readonly name: string;
  readonly at: number;
  readonly value: number | string;
}

/**
 * A run in the schema of `traces/kubelet`: its scenario, its draws, and what it showed. Reading it back and simulating it
 * gives the same events. What that schema cannot say stands in optional fields of the same place (recording.ts).
 */
export function runToRecording(
  name: string,
  kubernetes: string,
  scenario: Scenario,
  reader: TraceReader,
  taken: readonly Taken[],
): object {
  const names = new Map(scenario.pods.map((pod) => [pod.identity, pod.name]));
  return {
    schema: 1,
    kubernetes,
    name,
    about: '',
    components: ['podtopool (simulated)'],
    scenario: {
      manifests: scenario.pods.map(manifestOf),
      world: worldOf(scenario, reader.data.wallClock),
      draws: drawsOf(taken, names),
    },
    events: projectKubelet(reader, (identity) => names.get(identity) ?? identity),
  };
}

function manifestOf(pod: PodInput): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: pod.name,
      namespace: pod.namespace,
      uid: pod.uid,
      ...(pod.isStatic && { annotations: { [STATIC_ANNOTATION]: 'true' } }),
    },
    spec: {
      nodeName: pod.node,
      restartPolicy: pod.restartPolicy,
      terminationGracePeriodSeconds: pod.terminationGracePeriodSeconds,
      ...(pod.activeDeadlineSeconds !== null && { activeDeadlineSeconds: pod.activeDeadlineSeconds }),
      ...(pod.readinessGates.length > 0 && {
        readinessGates: pod.readinessGates.map((conditionType) => ({ conditionType })),
      }),
      ...(pod.initContainers.length > 0 && { initContainers: pod.initContainers.map(containerOf) }),
      containers: pod.containers.map(containerOf),
    },
  };
}

const hookOf = (hook: Hook): object =>
  hook.type === 'sleep' ? { sleep: { seconds: hook.seconds } } : { [hook.type]: {} };

const restartOf = ({ isSidecar, restart }: ContainerInput): object => ({
  ...(isSidecar && { restartPolicy: 'Always' }),
  ...(restart && {
    restartPolicy: restart.policy,
    restartPolicyRules: restart.rules.map(({ action, operator, exitCodes }) => ({
      action,
      exitCodes: { operator, values: exitCodes },
    })),
  }),
});

const containerOf = (container: ContainerInput): object => {
  const { name, image, postStart, preStop, probes } = container;
  return {
    name,
    image,
    ...restartOf(container),
    ...((postStart || preStop) && {
      lifecycle: {
        ...(postStart && { postStart: hookOf(postStart) }),
        ...(preStop && { preStop: hookOf(preStop) }),
      },
    }),
    ...Object.fromEntries(
      PROBE_KINDS.flatMap((kind) => {
        const spec = probes[kind];
        return spec ? [[`${kind}Probe`, probeOf(spec)]] : [];
      }),
    ),
  };
};

function probeOf({ handler, terminationGracePeriodSeconds, ...numbers }: ProbeSpec): object {
  const asks = handler.type === 'exec' ? { command: [handler.target] } : { target: handler.target };
  const grace = terminationGracePeriodSeconds === null ? {} : { terminationGracePeriodSeconds };
  return { [handler.type]: asks, ...numbers, ...grace };
}

function worldOf(scenario: Scenario, wallClock: number): object {
  const { kubelet } = scenario;
  const seconds = Math.floor(wallClock / MICROS_PER_SECOND);
  return {
    durationMs: scenario.duration / MICROS_PER_MS,
    seed: scenario.seed,
    featureGates: Object.fromEntries((kubelet.featureGates ?? []).map((gate) => [gate, true])),
    kubelet: {
      startWall: new Date(seconds * 1000).toISOString(),
      startPhaseUs: wallClock - seconds * MICROS_PER_SECOND,
      syncLoopDelayUs: kubelet.syncLoopDelay,
      syncFrequencySeconds: kubelet.syncFrequencySeconds,
      processStartUs: kubelet.processStart,
      maxContainerRestartPeriodSeconds: kubelet.maxContainerRestartPeriodSeconds,
    },
    latencyUs: scenario.latency,
    clockSkewUs: scenario.clockSkew,
    nodes: scenario.nodes,
    faults: Object.fromEntries(scenario.pods.map(({ name, faults }) => [name, faults])),
    apps: scenario.pods.flatMap((pod) =>
      [...pod.containers, ...pod.initContainers].map((container) => appOf(pod, container)),
    ),
    actions: [
      ...scenario.pods.map(creationOf),
      ...scenario.actions.map((action) => actionOf(action, scenario.pods)),
    ].sort((a, b) => a.atUs - b.atUs),
  };
}

const creationOf = ({ name, createdAt, isStatic }: PodInput): RecordedAction => ({
  atUs: createdAt,
  do: isStatic ? 'addStaticPod' : 'createPod',
  pod: name,
});

/** An action in the words of the folder, which names Pods, not identities; with fields of our own where it has none. */
function actionOf(action: Action, pods: readonly PodInput[]): RecordedAction {
  const { at: atUs, do: what } = action;
  if (action.do === 'restartKubelet') return { atUs, do: what, node: action.node, downUs: action.down };
  if ('node' in action) return { atUs, do: what, node: action.node, lastsUs: action.lasts };
  const pod = pods.find(({ identity }) => identity === action.pod)?.name ?? action.pod;
  if (action.do === 'deletePod') {
    return { atUs, do: what, pod, ...(action.graceSeconds !== null && { graceSeconds: action.graceSeconds }) };
  }
  if (action.do === 'patchCondition')
    return { atUs, do: what, pod, condition: action.condition, status: action.status };
  if (action.do === 'evictPod') return { atUs, do: what, pod, graceSeconds: action.graceSeconds };
  if (action.do === 'crash') return { atUs, do: what, pod, container: action.container, exitCode: action.exitCode };
  return { atUs, do: what, pod };
}

const appOf = (pod: PodInput, { name, latencyIndex, imagePull, runs }: ContainerInput): object => ({
  pod: pod.name,
  container: name,
  latencyIndex,
  ...(imagePull && { imagePull: { takesUs: imagePull.takes, failures: imagePull.failures } }),
  runs: runs.map(runOf),
});

const hookRunOf = ({ answer, script }: HookRun): object => ({ ...answerOf(answer), script: script.map(stepOf) });

function runOf({ script, postStart, preStop, onTerm }: AppRun): object {
  const hook = {
    ...(postStart && { postStart: hookRunOf(postStart) }),
    ...(preStop && { preStop: hookRunOf(preStop) }),
  };
  if (!onTerm) return { script: script.map(stepOf), ...hook };
  const { exitAfter, exitCode, script: after } = onTerm;
  const term = {
    afterUs: exitAfter ?? 0,
    exitCode,
    ...(exitAfter === null && { ignore: true }),
    script: after.map(stepOf),
  };
  return { script: script.map(stepOf), onTerm: term, ...hook };
}

/** JSON has no Infinity: an answer that never comes takes null. */
const answerOf = ({ outcome, takes, message }: Answer): object => ({
  outcome,
  takesUs: Number.isFinite(takes) ? takes : null,
  message,
});

const stepOf = ({ at, answers, exit }: AppStep): object => ({
  atUs: at,
  ...Object.fromEntries(Object.entries(answers).map(([kind, answer]) => [kind, answerOf(answer)])),
  ...(exit !== null && { exit }),
});

/** Draws under the recordings' keys, by Pod name; all others under their own names. */
function drawsOf(taken: readonly Taken[], names: ReadonlyMap<string, string>): object {
  const families = {
    workerInitialSleepUs: new Map<string, unknown[]>(),
    requeueUs: new Map<string, unknown[]>(),
    pendingCause: new Map<string, unknown[]>(),
    named: new Map<string, unknown[]>(),
  };
  const add = (family: keyof typeof families, key: string, entry: unknown): void => {
    const entries = families[family].get(key);
    if (entries) entries.push(entry);
    else families[family].set(key, [entry]);
  };
  for (const { name, at, value } of taken) {
    const key = (prefix: string): string => withPodName(name.slice(prefix.length), names);
    if (name.startsWith('prober/startSleep/')) add('workerInitialSleepUs', key('prober/startSleep/'), value);
    else if (name.startsWith('podWorkers/requeue/')) {
      add('requeueUs', key('podWorkers/requeue/'), { atUs: at, delayUs: value });
    } else if (name.startsWith('prober/select/')) {
      // The schema has the causes of turns, and whoever takes the stop has none.
      if (value !== 'stop') add('pendingCause', key('prober/select/'), { atUs: at, cause: value });
    } else add('named', withReadIdentity(name, names), value);
  }
  return Object.fromEntries(Object.entries(families).map(([family, entries]) => [family, Object.fromEntries(entries)]));
}

/** `status/batchOrder/default/web#1/0` → `status/batchOrder/default/web-x1y2z`: the identity that reading it back gives the Pod. */
function withReadIdentity(name: string, names: ReadonlyMap<string, string>): string {
  for (const [identity, pod] of names) {
    if (name.endsWith(`/${identity}`)) {
      const namespace = identity.slice(0, identity.indexOf('/'));
      return `${name.slice(0, -identity.length)}${namespace}/${pod}`;
    }
  }
  return name;
}

/** `default/web#1/0/app/readiness` → `web-x1y2z/app/readiness`. */
function withPodName(key: string, names: ReadonlyMap<string, string>): string {
  for (const [identity, name] of names) {
    if (key === identity) return name;
    if (key.startsWith(`${identity}/`)) return `${name}${key.slice(identity.length)}`;
  }
  return key;
}
