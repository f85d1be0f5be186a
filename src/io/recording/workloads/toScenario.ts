import {
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
  type MicrosSpan,
  micros,
  microsSpan,
  milliseconds,
} from '../../../base/units.ts';
import type { Labels, Resource, Taint } from '../../../sim/api/objects.ts';
import type { ApiFault, ClusterInput, ScriptedWrite, StoredInput } from '../../../sim/clusterInput.ts';
import type { Scenario } from '../../../sim/scenario.ts';
import {
  type AgentBehaviour,
  type GivenIdentity,
  KUBELET_REPORTS,
  NODE_LIFECYCLE,
  type PatchedResource,
  WORKLOAD_CONTROLLERS,
  type WorkloadAction,
  type WorkloadsInput,
} from '../../../sim/workloadsInput.ts';
import { NO_ENDPOINTS } from './noEndpoints.ts';
import { workloadPins } from './pins.ts';
import type { RecordedManifest, RecordedWorkloadAction, WorkloadsRecording } from './recording.ts';
import { TemplateHashes } from './templates.ts';
import {
  budgetOf,
  budgetSpec,
  daemonSetOf,
  daemonSetSpec,
  deploymentOf,
  deploymentSpec,
  nodeOf,
  nodePatch,
  podOf,
  statefulSetOf,
  statefulSetSpec,
} from './toObjects.ts';

/** Wall clock at t = 0: any whole second. */
const EPOCH_SECONDS = 946_684_800;
/** From the start of the controllers to the first manifest, and between manifests, µs. */
const BEFORE_MANIFESTS = 2 * MICROS_PER_SECOND;
/** Everything before t = 0 is so much later, µs. */
const BEFORE_ZERO_LAG = MICROS_PER_MS;
const MANIFEST_STEP = 211 * MICROS_PER_MS;
/** The third manifest and those after it come so much later, µs: the status reports of the third node show it. */
const THIRD_LAG = 137;

/** Resources beside Nodes whose objects are patched. */
export const PATCHED = [
  'deployments',
  'statefulsets',
  'daemonsets',
  'poddisruptionbudgets',
] as const satisfies readonly PatchedResource[];

/** The scenario that a recording played. `given`: the generated identity that it had. */
export function workloadsScenario(recording: WorkloadsRecording, given: GivenIdentity): Scenario {
  const { manifests, world } = recording.scenario;
  const warmup = world.warmupMs * MICROS_PER_MS;
  const objects = new Objects(recording, given);
  const firstAt = BEFORE_ZERO_LAG - warmup;
  const writes = manifests.map((manifest, place): ScriptedWrite => {
    const at = micros(firstAt + place * MANIFEST_STEP + (place < 2 ? 0 : THIRD_LAG));
    return { at, do: 'create', stored: objects.stored(manifest, at) };
  });
  const actions = world.actions.toSorted((a, b) => a.atUs - b.atUs).map((action) => objects.action(action, recording));
  return {
    duration: microsSpan(world.durationMs * MICROS_PER_MS),
    seed: world.seed,
    kubernetes: '1.37',
    wallClock: EPOCH_SECONDS * MICROS_PER_SECOND,
    clockSkew: {},
    kubelet: {
      processStart: micros(0),
      syncLoopDelay: null,
      syncFrequencySeconds: 60,
      maxContainerRestartPeriodSeconds: 300,
    },
    latency: NO_ENDPOINTS.kubeletLatency,
    nodes: [],
    perNode: {},
    pods: [],
    actions: [],
    cluster: clusterOf(
      recording,
      given,
      micros(firstAt - BEFORE_MANIFESTS),
      [...writes, ...actions.flatMap(({ write }) => write ?? [])],
      actions.flatMap(({ action }) => action ?? []),
    ),
    pins: workloadPins(recording),
  };
}

function clusterOf(
  { components, scenario: { world, manifests } }: WorkloadsRecording,
  given: GivenIdentity,
  start: Micros,
  writes: readonly ScriptedWrite[],
  actions: readonly WorkloadAction[],
): ClusterInput {
  const workloads: WorkloadsInput = {
    running: WORKLOAD_CONTROLLERS.filter((controller) => components.includes(controller)),
    hops: {
      ...(world.latencyUs as Readonly<Record<string, MicrosSpan>>),
      'pass/nodelifecycle': microsSpan(world.controller.nodeMonitorPassUs),
    },
    agents: {
      nodes: [...manifests, ...world.actions.flatMap(({ object }) => object ?? [])].flatMap(({ kind, metadata }) =>
        kind === 'Node' ? [metadata.name] : [],
      ),
      behaviours: Object.fromEntries(
        Object.entries(world.behaviours).map(([image, behaviour]): [string, AgentBehaviour] => [
          image,
          {
            start: microsSpan(behaviour.startUs),
            ready: behaviour.readyUs < 0 ? null : microsSpan(behaviour.readyUs),
            spread: behaviour.spreadUs,
            flaps: behaviour.flaps.map(({ afterUs, ready }) => ({ at: microsSpan(afterUs), ready })),
            fail: behaviour.failUs === undefined ? null : microsSpan(behaviour.failUs),
            drain: microsSpan(behaviour.drainUs),
          },
        ]),
      ),
      clockSkew: world.kubelet.clockSkewUs,
      finalDelete: microsSpan(world.kubelet.finalDeleteUs),
      leaseRenew: microsSpan(world.kubelet.leaseRenewUs),
      leaseJitter: microsSpan(world.kubelet.leaseJitterUs),
      statusReport: microsSpan(world.kubelet.statusReportUs),
      back: {
        lease: microsSpan(world.kubelet.backLeaseUs),
        nodeStatus: microsSpan(world.kubelet.backNodeStatusUs),
        pods: microsSpan(world.kubelet.backPodsUs),
      },
    },
    reports: KUBELET_REPORTS,
    nodeLifecycle: {
      ...NODE_LIFECYCLE,
      monitorPeriod: milliseconds(world.controller.nodeMonitorPeriodMs),
      gracePeriod: milliseconds(world.controller.nodeMonitorGracePeriodMs),
      startupGracePeriod: milliseconds(world.controller.nodeStartupGracePeriodMs),
    },
    given,
    special: {},
    actions,
  };
  return {
    ...NO_ENDPOINTS.cluster,
    start,
    writes,
    workloads,
    faults: world.faults.map(
      ({ actor, verb, resource, code, fromUs, count, committed }): ApiFault => ({
        actor,
        verb,
        resource: resource as Resource,
        code,
        from: micros(fromUs),
        count,
        committed,
      }),
    ),
  };
}

type Loose = Readonly<Record<string, unknown>>;

/** The manifests as objects, and as patches leave them. */
class Objects {
  private readonly hashes: TemplateHashes;
  private readonly uids: GivenIdentity['uids'];
  private readonly specs = new Map<string, Loose>();

  constructor(recording: WorkloadsRecording, { uids }: GivenIdentity) {
    this.hashes = new TemplateHashes(recording);
    this.uids = uids;
  }

  stored(manifest: RecordedManifest, at: Micros): StoredInput {
    const { kind, metadata, spec } = manifest;
    const hashOf = (text: string, image: string): string | undefined =>
      this.hashes.hashOf(`${kind}/${metadata.name}`, text, image);
    this.specs.set(`${RESOURCE_OF[kind]}/${metadata.name}`, spec);
    switch (kind) {
      case 'Deployment':
        return { resource: 'deployments', object: deploymentOf(manifest, hashOf) };
      case 'StatefulSet':
        return { resource: 'statefulsets', object: statefulSetOf(manifest, hashOf) };
      case 'DaemonSet':
        return { resource: 'daemonsets', object: daemonSetOf(manifest, hashOf) };
      case 'Pod':
        return { resource: 'pods', object: podOf(manifest, at, this.uids[metadata.name]?.[0] ?? '') };
      case 'PodDisruptionBudget':
        return { resource: 'poddisruptionbudgets', object: budgetOf(manifest) };
      default:
        return { resource: 'nodes', object: nodeOf(manifest) };
    }
  }

  /** An action of the world: a write of the script, or something that is decided at run time. */
  action(
    recorded: RecordedWorkloadAction,
    recording: WorkloadsRecording,
  ): { readonly write?: ScriptedWrite; readonly action?: WorkloadAction } {
    const at = micros(recorded.atUs);
    const { name = '', node = '', note, resource = '' } = recorded;
    const told = recording.events.find(
      ({ t, lane, type }) => t === recorded.atUs && lane === 'action' && type === recorded.do,
    );
    const pod = `default/${told?.pod ?? ''}`;
    switch (recorded.do) {
      case 'create':
        return this.create(recorded, recording, at);
      case 'patch':
        return { action: refusalOf(recorded, recording, at, resource, name) ?? this.patch(recorded, at, name) };
      case 'deletePod':
        return { action: { at, do: 'deletePod', pod, graceSeconds: recorded.graceSeconds ?? null } };
      case 'evict':
        return { action: { at, do: 'evict', pod } };
      case 'setReady':
        return { action: { at, do: 'setReady', pod, ready: recorded.ready === true } };
      case 'patchPod': {
        const { annotations = {}, labels = {} } = (recorded.patch?.metadata ?? {}) as Readonly<Record<string, Labels>>;
        return { action: { at, do: 'patchPod', pod, annotations, labels, note } };
      }
      case 'nodeReady':
        return { action: { at, do: 'nodeReady', node, ready: recorded.ready === true } };
      case 'stopNode':
        return { action: { at, do: 'stopNode', node, powerOff: recorded.powerOff } };
      case 'drain':
      case 'deleteNode':
      case 'startNode':
        return { action: { at, do: recorded.do, node } };
      case 'addTaint':
      case 'removeTaint':
        return { action: { at, do: recorded.do, node, taint: taintOf(note), note } };
      default:
        return {};
    }
  }

  private create(
    recorded: RecordedWorkloadAction,
    recording: WorkloadsRecording,
    at: Micros,
  ): { readonly write?: ScriptedWrite; readonly action?: WorkloadAction } {
    const { object } = recorded;
    if (!object) return {};
    const refused = refusalOf(recorded, recording, at, RESOURCE_OF[object.kind] ?? '', object.metadata.name);
    return refused ? { action: refused } : { write: { at, do: 'create', stored: this.stored(object, at) } };
  }

  private patch({ resource, patch, note }: RecordedWorkloadAction, at: Micros, name: string): WorkloadAction {
    if (resource === 'nodes') return { at, do: 'patchNode', node: name, note, ...nodePatch(patch?.spec ?? {}) };
    const patched = PATCHED.find((one) => one === resource) as (typeof PATCHED)[number];
    const key = `${patched}/${name}`;
    const spec = mergePatch(this.specs.get(key) ?? {}, (patch?.spec ?? {}) as Loose);
    this.specs.set(key, spec);
    const kind = Object.keys(RESOURCE_OF).find((one) => RESOURCE_OF[one] === patched) ?? '';
    const hashOf = (text: string, image: string): string | undefined =>
      this.hashes.hashOf(`${kind}/${name}`, text, image);
    const make = {
      deployments: deploymentSpec,
      statefulsets: statefulSetSpec,
      daemonsets: daemonSetSpec,
      poddisruptionbudgets: budgetSpec,
    };
    const made = make[patched](spec, hashOf);
    return { at, do: 'patch', resource: patched, key: `default/${name}`, spec: made, note };
  }
}

/** An object or a patch that the API server refuses is told with the recorded answer. */
function refusalOf(
  { do: verb, note }: RecordedWorkloadAction,
  { events }: WorkloadsRecording,
  at: Micros,
  resource: string,
  name: string,
): WorkloadAction | null {
  const answer = events.find(
    (event) =>
      event.t === at &&
      event.lane === 'api' &&
      event.type === resource &&
      event.actor === 'script' &&
      event.verb === verb &&
      event.name === name &&
      Number(event.code) >= 400,
  );
  if (!answer || (verb !== 'create' && verb !== 'patch')) return null;
  const { code, error = '' } = answer as { readonly code?: number; readonly error?: string };
  return { at, do: 'refused', verb, resource: resource as Resource, name, note, code: Number(code), error };
}

const RESOURCE_OF: Readonly<Record<string, string>> = {
  Deployment: 'deployments',
  StatefulSet: 'statefulsets',
  DaemonSet: 'daemonsets',
  PodDisruptionBudget: 'poddisruptionbudgets',
  Node: 'nodes',
  Pod: 'pods',
};

/** `key:effect`, with `key=value` if it has one. */
function taintOf(note: string): Taint {
  const colon = note.lastIndexOf(':');
  const [key = '', value = ''] = note.slice(0, colon).split('=');
  return { key, value, effect: note.slice(colon + 1) as Taint['effect'], timeAdded: null };
}

/** RFC 7386. */
function mergePatch(target: Loose, patch: Loose): Loose {
  const merged: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (value === null) delete merged[key];
    else merged[key] = isObject ? mergePatch((merged[key] ?? {}) as Loose, value as Loose) : value;
  }
  return merged;
}
