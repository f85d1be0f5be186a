import { MICROS_PER_SECOND, type Micros, micros } from '../base/units.ts';
import { ApiServer } from './api/apiServer.ts';
import { type DrawDifference, type DrawRecord, Draws } from './kernel/draws.ts';
import { Kernel } from './kernel/kernel.ts';
import { asStored, behaviourOf } from './kubelet/behaviour.ts';
import type { NodeContext } from './kubelet/context.ts';
import { NodeLinks } from './kubelet/nodeLinks.ts';
import { NodeMachine } from './kubelet/nodeMachine.ts';
import type { Scenario } from './scenario.ts';
import type { TraceData } from './trace/trace.ts';
import { TraceWriter } from './trace/writer.ts';
import { playWorld } from './world/play.ts';
import { WallClock } from './world/wallClock.ts';

/** 2026-01-01T00:00:00Z: where the wall clock of a scenario stands that does not say. */
const DEFAULT_EPOCH = 1_767_225_600 * MICROS_PER_SECOND;

/** Pending calls run at once by `simulate`. */
const BUDGET = 1_000_000;

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

/** Simulates a scenario to its end. Same scenario, same bytes. */
export function simulate(scenario: Scenario): TraceData {
  const run = startRun(scenario);
  while (run.advance(BUDGET));
  return run.trace();
}

/** Starts a simulation that the caller advances. */
export function startRun(scenario: Scenario, { everyTick = false, recordDraws = false }: RunOptions = {}): Run {
  const start = micros(Math.min(0, scenario.kubelet.processStart));
  const kernel = new Kernel(micros(0), scenario.duration as number as Micros);
  const trace = new TraceWriter({ packing: !everyTick });
  const draws = new Draws(scenario.seed, scenario.pins, recordDraws);
  const wall = new WallClock(
    scenario.wallClock ??
      DEFAULT_EPOCH + draws.number('world/wallClock', start, (u) => Math.floor(u * MICROS_PER_SECOND)),
  );
  const api = new ApiServer(kernel, trace, wall);
  const behaviour = behaviourOf(scenario.kubernetes);
  const machines = scenario.nodes.map((node) => {
    const context: NodeContext = {
      node,
      kernel,
      trace,
      draws,
      wall: new WallClock(wall.epoch + (scenario.clockSkew[node] ?? 0)),
      api,
      latency: scenario.latency,
      links: new NodeLinks(),
      config: scenario.kubelet,
      everyTick,
      behaviour,
      subjects: new Map(),
    };
    return new NodeMachine(context);
  });
  const pods = scenario.pods.map((pod) => asStored(pod, behaviour));
  playWorld({ ...scenario, pods }, { kernel, trace, api, machines });
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
