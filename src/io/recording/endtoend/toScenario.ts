import { type Micros, micros, microsSpan, seconds } from '../../../base/units.ts';
import type { ClientInput } from '../../../sim/clientInput.ts';
import type { ClusterInput, RolloutInput, ScriptedWrite } from '../../../sim/clusterInput.ts';
import type { Latencies, NodeSettings, Pins, Scenario } from '../../../sim/scenario.ts';
import type { ControlPlaneRecording } from '../controlplane/recording.ts';
import { controlPlaneScenario } from '../controlplane/toScenario.ts';
import type { KubeletRecording, RecordedPod } from '../kubelet/recording.ts';
import { podOf, recordingToScenario } from '../kubelet/toScenario.ts';
import type { EndToEndAction, EndToEndRecording } from './recording.ts';

type World = EndToEndRecording['scenario']['world'];

const isPod = (manifest: { readonly kind: string }): manifest is RecordedPod => manifest.kind === 'Pod';

/** Actions of a single kubelet's recordings; the others belong to the control plane. */
const KUBELET_ACTIONS: ReadonlySet<string> = new Set(['createPod', 'deletePod', 'patchCondition', 'restartKubelet']);

/** Actions that are no kubelet's: of the actor that replaces Pods, and of whoever writes a slice. */
const OTHER_ACTIONS: ReadonlySet<string> = new Set(['rollingReplace', 'flipSlice']);

/** What of a recording of `traces/endtoend` the model does not have, in words; empty when it has everything. */
export function missingInWholePath({ scenario: { world } }: EndToEndRecording): readonly string[] {
  const actions = new Set(world.actions.map(({ do: what }) => what));
  return [...actions].flatMap((what) => (KUBELET_ACTIONS.has(what) || OTHER_ACTIONS.has(what) ? [] : `action ${what}`));
}

/** The scenario that a recording played: two kubelets, the control plane, a proxy on each node, and clients. */
export function endToEndScenario(recording: EndToEndRecording, pinned: boolean): Scenario {
  const { world, draws } = recording.scenario;
  const kubelets = recordingToScenario(kubeletPart(recording), pinned);
  const controlPlane = controlPlaneScenario(controlPlanePart(recording), pinned);
  const picks = Object.entries(draws.clientPick).map(([client, values]): [string, Pins[string]] => [
    `client/pick/${client}`,
    values.map((value) => ({ value, at: null })),
  ]);
  return {
    ...kubelets,
    nodes: world.kubelets.map(({ node }) => node),
    perNode: Object.fromEntries(world.kubelets.map((kubelet) => [kubelet.node, nodeSettings(kubelet)])),
    actions: kubelets.actions.map((action) =>
      action.do === 'restartKubelet'
        ? {
            ...action,
            node: world.actions.find(({ atUs, do: what }) => what === action.do && atUs === action.at)?.node ?? '',
          }
        : action,
    ),
    cluster: clusterOf(recording, controlPlane.cluster as ClusterInput),
    pins: { ...kubelets.pins, ...controlPlane.pins, ...(pinned && Object.fromEntries(picks)) },
  };
}

function kubeletPart({ scenario, ...rest }: EndToEndRecording): KubeletRecording {
  const { manifests, world, draws } = scenario;
  const [first] = world.kubelets;
  if (!first) throw new Error('a recording without a kubelet');
  return {
    ...rest,
    about: '',
    scenario: {
      manifests: manifests.filter(isPod),
      draws,
      world: {
        durationMs: world.durationMs,
        seed: world.seed,
        featureGates: {},
        kubelet: {
          startWall: world.startWall,
          startPhaseUs: world.startPhaseUs,
          syncLoopDelayUs: first.syncLoopDelayUs,
          syncFrequencySeconds: first.syncFrequencySeconds,
          processStartUs: first.startUs,
          maxContainerRestartPeriodSeconds: 300,
        },
        clockSkewUs: {},
        faults: {},
        latencyUs: first.latencyUs,
        apps: world.apps,
        actions: world.actions.filter(({ do: what }) => KUBELET_ACTIONS.has(what)),
      },
    },
  };
}

function controlPlanePart({ scenario, initial, ...rest }: EndToEndRecording): ControlPlaneRecording {
  const { manifests, world, draws } = scenario;
  return {
    ...rest,
    about: '',
    initial: { ...initial, totals: { endpoints: null, endpointslices: null } },
    final: { endpoints: null, endpointslices: null },
    scenario: {
      manifests: manifests.filter((one) => !isPod(one)) as ControlPlaneRecording['scenario']['manifests'],
      draws,
      world: {
        durationMs: world.durationMs,
        seed: world.seed,
        featureGates: {},
        cold: false,
        controller: world.controller,
        proxies: world.proxies,
        latencyUs: world.latencyUs,
        podSets: [],
        faults: [],
        conntrack: [],
        recording: {
          summariseOver: Number.POSITIVE_INFINITY,
          hideWatch: false,
          anonymousSlices: false,
          countBackends: false,
        },
        actions: [],
      },
    },
  };
}

const nodeSettings = (kubelet: World['kubelets'][number]): NodeSettings => ({
  kubelet: {
    processStart: micros(kubelet.startUs),
    syncLoopDelay: microsSpan(kubelet.syncLoopDelayUs),
    syncFrequencySeconds: kubelet.syncFrequencySeconds,
    maxContainerRestartPeriodSeconds: 300,
  },
  latency: kubelet.latencyUs as unknown as Latencies,
  podSubnet: kubelet.podSubnet.replace(/\/\d+$/, ''),
});

function clusterOf(recording: EndToEndRecording, controlPlane: ClusterInput): ClusterInput {
  const { world } = recording.scenario;
  const flips = world.actions.flatMap((action): ScriptedWrite[] =>
    action.do === 'flipSlice'
      ? [
          {
            at: micros(action.atUs),
            do: 'flipSlice',
            slice: `default/${action.slice}`,
            every: microsSpan(action.everyUs),
            count: action.count,
          },
        ]
      : [],
  );
  return {
    ...controlPlane,
    controllers: { ...controlPlane.controllers, clockSetBack: seconds(0) },
    writes: [...controlPlane.writes, ...flips],
    rollouts: world.actions.filter(({ do: what }) => what === 'rollingReplace').map((one) => rolloutOf(one, recording)),
    clients: world.clients.map(
      (client): ClientInput => ({
        name: client.name,
        from: { type: 'node', node: client.node },
        to: addressOf(client.frontend),
        service: servicePortOf(client.service),
        protocol: 'TCP',
        path: '/',
        start: micros(client.startUs),
        every: microsSpan(client.everyUs),
        count: client.count,
        network: microsSpan(client.networkUs),
        timeout: microsSpan(client.timeoutUs),
        keepAlive: null,
        retries: { count: 0, on: [], delay: microsSpan(0) },
      }),
    ),
  };
}

/** `web:http`, in the only namespace of these recordings. */
function servicePortOf(name: string): ClientInput['service'] {
  const colon = name.indexOf(':');
  return { service: `default/${name.slice(0, colon)}`, port: name.slice(colon + 1) };
}

/** Of a frontend, `ip:port/tcp`. */
function addressOf(frontend: string): ClientInput['to'] {
  const [address = ''] = frontend.split('/');
  const colon = address.lastIndexOf(':');
  return { type: 'address', ip: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
}

function rolloutOf(action: EndToEndAction, recording: EndToEndRecording): RolloutInput {
  const { manifests, world } = recording.scenario;
  const { world: kubeletWorld } = kubeletPart(recording).scenario;
  const of = (name: string) => microsSpan(world.latencyUs[name] ?? 0);
  return {
    at: micros(action.atUs),
    replace: action.new.flatMap((name, i) => {
      const manifest = manifests.filter(isPod).find(({ metadata }) => metadata.name === name);
      const remove = `default/${action.old[i] ?? ''}`;
      return manifest ? [{ add: podOf(manifest, kubeletWorld, micros(0) as Micros), remove }] : [];
    }),
    minReady: microsSpan(action.minReadyUs),
    waitGone: action.waitGone,
    request: of('request/rollout'),
    response: of('response/rollout'),
    watch: of('watch/rollout/pods'),
  };
}
