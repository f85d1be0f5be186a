import * as z from 'zod';
import { type MicrosSpan, micros, microsSpan, milliseconds, seconds } from '../../base/units.ts';
import type { ClientInput } from '../../sim/clientInput.ts';
import type { ClusterInput, ScriptedWrite } from '../../sim/clusterInput.ts';
import type { Action, Latencies, Scenario } from '../../sim/scenario.ts';
import { readScenario } from '../readScenario.ts';
import { type GivenDeletion, givenDeletions } from './deletions.ts';
import { ANSWER_US, jitterOf } from './hopDistributions.ts';
import { incarnations, keyAt } from './incarnations.ts';
import { kubeletPhases } from './kubeletPhases.ts';
import { podManifests, type RecordedPod } from './manifests.ts';
import { neighbourSyncs } from './neighbours.ts';
import type { Observations } from './observations.ts';
import { podObjects } from './podObjects.ts';
import { type Listens, mountLength, recordedPods, volumeLooks, withObjects } from './recordedPods.ts';
import { jsonLines, needed, type ReadFile, RecordingError } from './recordingFiles.ts';
import { runtimePins } from './runtimeCalls.ts';
import { settingsText } from './settings.ts';
import type { World, WorldAction } from './world.ts';

/**
 * From the commit of a slice to the controller that wrote it, µs: before it has its answer. In each of the recordings'
 * four cases in which a Pod's change waited for the write of the one before, the next write came within 12 ms, and none
 * a second later as with a cache that is out of date.
 */
const OWN_WRITE = microsSpan(250);
/** One way to a Pod on the node, µs. */
const NETWORK = microsSpan(100);

/** What a recording says of its cluster, ready to be simulated with one seed after another. */
export interface Reality {
  readonly scenario: Scenario;
  readonly deletions: readonly GivenDeletion[];
}

/**
 * The scenario of a recording: objects, app, actions, client and the proxy's other syncs as they were, starts of
 * containers too; everything else is left to the simulator. Throws a RecordingError that says what is wrong with a file.
 */
export function realityOf(read: ReadFile, world: World, seen: Observations): Reality {
  const recorded = withObjects(incarnations(world), podObjects(read));
  const built = builtFrom(needed(read, 'manifests.yaml'), recorded, world);
  const looks = volumeLooks(world);
  const phases = kubeletPhases(read, world, built.nodes[0] ?? '');
  const latency: Latencies = {
    ...built.latency,
    ...LATENCIES,
    plegRelist: phases.relist,
    syncPodVolumes: mountLength(looks),
  };
  const lead = microsSpan(latency.watch + latency.syncPod + looks * 300_000);
  const pods = recordedPods(built, recorded, world, lead, listenInstants(read));
  const identityAt = (pod: string, at: number): string => {
    const key = keyAt(recorded, pod, at + world.t0Us);
    return pods.find(({ identity }) => identity.endsWith(`/${key}`))?.identity ?? pod;
  };
  const identityOf = (uid: string, pod: string): string => {
    const own = recorded.find((one) => one.uid === uid);
    return identityAt(pod, own ? own.begunUs - world.t0Us : 0);
  };
  const kubeletStarts = world.kubelet.startedUs.map((at) => at - world.t0Us);
  const processStart = kubeletStarts.findLast((at) => at <= 0) ?? kubeletStarts[0] ?? 0;
  return {
    scenario: {
      ...built,
      duration: microsSpan(world.endUs - world.t0Us),
      wallClock: world.t0Us,
      kubelet: { ...built.kubelet, processStart: micros(processStart), relists: phases.relists },
      latency,
      jitter: jitterOf(world.proxy.mode),
      pods,
      cluster: clusterOf(built, world, seen),
      actions: world.actions.flatMap((action) =>
        actionOf(action, world, identityAt, built.nodes[0] ?? '', kubeletStarts),
      ),
      pins: { ...runtimePins(read, identityOf), ...phases.pins },
    },
    deletions: givenDeletions(seen, identityAt),
  };
}

/** Lengths that do not vary here, or lie before what is measured. */
const LATENCIES: Partial<Latencies> = {
  watch: milliseconds(1.5),
  criStopContainer: milliseconds(1),
  criStopPodSandbox: milliseconds(15),
  criRemove: milliseconds(2),
  perContainer: microsSpan(0),
  syncPod: milliseconds(0.15),
};

function builtFrom(manifests: string, pods: readonly RecordedPod[], world: World): Scenario {
  const { scenario, issues } = readScenario(`${podManifests(manifests, pods)}---\n${settingsText(world)}`);
  if (scenario?.cluster) return scenario;
  const issue = issues.find(({ severity }) => severity === 'error');
  throw new RecordingError(`manifests.yaml: ${issue ? issue.message : 'there is no Service in it'}`);
}

const listenLine = z.object({
  t: z.number(),
  kind: z.string(),
  pod: z.string(),
  container: z.string(),
});
const AT_START = seconds(1);

/** When each run first opened a port by itself: within a second of its start. */
function listenInstants(read: ReadFile): Listens {
  const file = 'app-probes.jsonl';
  const lines = jsonLines(needed(read, file), file, listenLine, (line) => /"kind":"(listen|start)"/.test(line));
  return (pod, container, startedUs) => {
    const own = lines.filter((line) => line.pod === pod && line.container === container);
    const start = own.find(({ kind, t }) => kind === 'start' && Math.abs(t - startedUs) < AT_START);
    const listen = own.find(
      ({ kind, t }) => kind === 'listen' && start !== undefined && t >= start.t && t - start.t < AT_START,
    );
    return listen?.t ?? start?.t ?? null;
  };
}

function clusterOf({ cluster, nodes }: Scenario, world: World, seen: Observations): ClusterInput {
  if (!cluster) throw new RecordingError('manifests.yaml: there is no Service in it');
  const writes = cluster.writes.map((write) => atItsTime(write, world));
  const ownAt = [...writes.map(({ at }) => at + ANSWER_US), ...seen.sliceWrites.flatMap(({ seenAt }) => seenAt ?? [])];
  const { endpointslices: slices } = cluster.latency.watch;
  return {
    ...cluster,
    controllers: { ...cluster.controllers, mirroring: null },
    latency: {
      ...cluster.latency,
      watch: { ...cluster.latency.watch, endpointslices: { ...slices, endpointslices: OWN_WRITE } },
    },
    proxies: cluster.proxies.map((proxy) => ({ ...proxy, neighbours: neighbourSyncs(seen, ownAt, proxy) })),
    writes,
    clients: clientsOf(cluster, world, seen, nodes[0] ?? ''),
  };
}

/** Services are created when the recording says. */
function atItsTime(write: ScriptedWrite, { created, t0Us }: World): ScriptedWrite {
  if (write.do !== 'create' || write.stored.resource !== 'services') return write;
  const { name } = write.stored.object.meta;
  const own = created.find((one) => one.kind === 'Service' && one.name === name);
  return own ? { ...write, at: micros(own.endUs - t0Us - ANSWER_US) } : write;
}

/** A client for each Service whose client the recording shows. */
function clientsOf({ writes }: ClusterInput, { client }: World, seen: Observations, node: string): ClientInput[] {
  return writes.flatMap((write): ClientInput[] => {
    if (write.do !== 'create' || write.stored.resource !== 'services') return [];
    const { meta, spec } = write.stored.object;
    const attempts = seen.attempts.get(meta.name) ?? [];
    const [first] = attempts;
    const port = spec.ports[0]?.port;
    if (!first || port === undefined || spec.clusterIP === 'None') return [];
    return [
      {
        name: meta.name,
        from: { type: 'node', node },
        to: { type: 'address', ip: spec.clusterIP, port },
        service: null,
        protocol: 'TCP',
        path: '/',
        start: micros(first.at),
        every: milliseconds(client.everyMs),
        count: attempts.length,
        network: NETWORK,
        timeout: milliseconds(client.timeoutMs),
        keepAlive: null,
        retries: { count: 0, on: [], delay: microsSpan(0) },
      },
    ];
  });
}

/** What is done by making and deleting Pods, which the recording shows. */
const BY_PODS = /^deletePod$|(Deployment|ReplicaSet|StatefulSet|DaemonSet)$/;

/** An action of `world.json` that the simulator takes; deletions are read of the audit log, rollouts are Pods that come and go. */
function actionOf(
  { do: what, args, t, endUs }: WorldAction,
  { t0Us }: World,
  identityAt: (pod: string, at: number) => string,
  node: string,
  kubeletStarts: readonly number[],
): Action[] {
  const [begun, committed] = [t - t0Us, endUs - t0Us - ANSWER_US];
  const text = (key: string): string => String(args[key] ?? '');
  const pod = identityAt(text('name'), begun);
  switch (what) {
    case 'condition': {
      const status = text('value') === 'True' ? 'True' : 'False';
      return [{ do: 'patchCondition', at: micros(committed), pod, condition: text('key'), status }];
    }
    case 'label':
      return [{ do: 'labelPod', at: micros(committed), pod, labels: { [text('key')]: text('value') } }];
    case 'restartKubelet': {
      const next = kubeletStarts.find((start) => start > begun) ?? begun;
      return [{ do: 'restartKubelet', at: micros(begun), node, down: microsSpan(next - begun) as MicrosSpan }];
    }
    default:
      if (BY_PODS.test(what)) return [];
      throw new RecordingError(
        `world.json: the action ${what} is not simulated (deletePod, condition, label, restartKubelet and those of workloads are)`,
      );
  }
}
