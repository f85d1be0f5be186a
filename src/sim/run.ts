import { MICROS_PER_SECOND, type Micros, micros } from '../base/units.ts';
import { ApiServer } from './api/apiServer.ts';
import { ObjectStore } from './api/store.ts';
import type { startCluster } from './cluster.ts';
import { ErrorHandler } from './controllers/errorHandler.ts';
import { type DrawDifference, type DrawRecord, Draws } from './kernel/draws.ts';
import { HopLengths } from './kernel/hopLengths.ts';
import { Kernel } from './kernel/kernel.ts';
import { asStored, behaviourOf } from './kubelet/behaviour.ts';
import type { NodeContext } from './kubelet/context.ts';
import { NodeLinks } from './kubelet/nodeLinks.ts';
import { NodeMachine } from './kubelet/nodeMachine.ts';
import type { Scenario } from './scenario.ts';
import type { TraceData } from './trace/trace.ts';
import { TraceWriter } from './trace/writer.ts';
import { NameServer } from './world/nameServer.ts';
import { playWorld } from './world/play.ts';
import { WallClock } from './world/wallClock.ts';

/** 2026-01-01T00:00:00Z: where the wall clock of a scenario stands that does not say. */
const DEFAULT_EPOCH = 1_767_225_600 * MICROS_PER_SECOND;

/** A simulation under way. */
export interface Run {
  /** Runs at most `budget` pending calls. True while there is more to do. */
  advance(budget: number): boolean;
  /** How far the run has come, µs. */
  readonly now: Micros;
  /** The trace so far; of the whole run once `advance` has returned false. */
  trace(): TraceData;
  /** What chance did: pins that were consumed elsewhere or never, and all draws if they were recorded. */
  draws(): { readonly differences: readonly DrawDifference[]; readonly taken: readonly DrawRecord[] };
}

export interface RunOptions {
  /** Queues every tick, makes every status, and gives each event a row of its own: slow, and the yardstick of the tests. */
  readonly everyTick?: boolean;
  /** Keep a list of all draws. */
  readonly recordDraws?: boolean;
}

/** What starts the control plane and the proxies: given by the caller, so that the page loads it only when it is needed. */
export type ClusterStarter = typeof startCluster;

/** Starts a simulation that the caller advances. A scenario with a cluster needs `clusterStarter`. */
export function startRunWith(
  clusterStarter: ClusterStarter | null,
  scenario: Scenario,
  { everyTick = false, recordDraws = false }: RunOptions = {},
): Run {
  const start = micros(Math.min(0, scenario.kubelet.processStart));
  const { cluster } = scenario;
  const kernel = new Kernel(cluster?.start ?? micros(0), scenario.duration as number as Micros);
  const trace = new TraceWriter({ packing: !everyTick });
  const draws = new Draws(scenario.seed, scenario.pins, recordDraws);
  const hops = new HopLengths(draws, scenario.jitter ?? {});
  const wall = new WallClock(
    scenario.wallClock ??
      DEFAULT_EPOCH + draws.number('world/wallClock', start, (u) => Math.floor(u * MICROS_PER_SECOND)),
  );
  const store = new ObjectStore(kernel, trace, cluster !== null);
  const api = new ApiServer(kernel, store, wall);
  const nameServer = new NameServer();
  const behaviour = behaviourOf(scenario.kubernetes, scenario.kubelet.featureGates);
  const machines = scenario.nodes.map((node, place) => {
    const { latency, kubelet, podSubnet } = scenario.perNode[node] ?? {};
    const context: NodeContext = {
      node,
      kernel,
      trace,
      draws,
      wall: new WallClock(wall.epoch + (scenario.clockSkew[node] ?? 0)),
      api,
      latency: latency ?? scenario.latency,
      hops,
      links: new NodeLinks(),
      nameServer,
      config: kubelet ?? scenario.kubelet,
      podSubnet: podSubnet ?? subnetOf(place),
      isDualStack: cluster?.isDualStack ?? false,
      everyTick,
      behaviour,
      subjects: new Map(),
    };
    return new NodeMachine(context);
  });
  const pods = scenario.pods.map((pod) => asStored(pod, behaviour));
  playWorld({ ...scenario, pods }, { kernel, trace, api, machines });
  if (cluster) {
    if (!clusterStarter) throw new Error('a scenario with a cluster, and nothing that starts it');
    const minor = Number(scenario.kubernetes.split('.')[1]);
    const errors = new ErrorHandler(kernel, cluster.controllers.clockSetBack);
    clusterStarter(
      { kernel, trace, draws, hops, wall, store, input: cluster, errors, minor },
      api,
      machines,
      nameServer,
    );
  }
  let flushed = false;
  return {
    advance(budget) {
      const more = kernel.advance(budget);
      if (!more && !flushed) {
        flushed = true;
        for (const machine of machines) machine.flush();
      }
      return more;
    },
    get now() {
      return kernel.now;
    },
    trace: () => trace.finish(scenario.duration as number as Micros, wall.epoch),
    draws: () => ({
      differences: draws.differencesUntil(scenario.duration as number as Micros),
      taken: draws.taken ?? [],
    }),
  };
}

/** A range of 65,536 addresses for each node. */
const subnetOf = (place: number): string => `10.${(place % 255) + 1}.0.0`;
