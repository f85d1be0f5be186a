import { MICROS_PER_SECOND, type Micros, micros, seconds } from '../base/units.ts';
import { ApiServer } from './api/apiServer.ts';
import { type DrawDifference, type DrawRecord, Draws } from './kernel/draws.ts';
import { Kernel } from './kernel/kernel.ts';
import type { NodeContext, NodePhases } from './kubelet/context.ts';
import { Kubelet } from './kubelet/kubelet.ts';
import type { Scenario } from './scenario.ts';
import type { TraceData } from './trace/trace.ts';
import { TraceWriter } from './trace/writer.ts';
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
  /** False gives each repeating tick a row of its own. */
  readonly packing?: boolean;
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
export function startRun(scenario: Scenario, { packing = true, recordDraws = false }: RunOptions = {}): Run {
  const start = micros(Math.min(0, scenario.kubelet.processStart));
  const kernel = new Kernel(micros(0), scenario.duration as number as Micros);
  const trace = new TraceWriter({ packing });
  const draws = new Draws(scenario.seed, scenario.pins, recordDraws);
  const wall = new WallClock(
    scenario.wallClock ??
      DEFAULT_EPOCH + draws.number('world/wallClock', start, (u) => Math.floor(u * MICROS_PER_SECOND)),
  );
  const api = new ApiServer(kernel, trace);
  const kubelets = scenario.nodes.map((node) => {
    const phases = phasesOf(scenario, node, draws);
    const context: NodeContext = {
      node,
      kernel,
      trace,
      draws,
      wall,
      api,
      latency: scenario.latency,
      config: scenario.kubelet,
      phases,
    };
    return new Kubelet(context);
  });
  for (const pod of scenario.pods) {
    const subject = trace.subjectOf({ component: 'world', node: '', pod: pod.identity, container: '', probe: '' });
    kernel.at(pod.createdAt, 'app', () =>
      api.create(pod, trace.event('action', kernel.now, subject, { action: 'createPod' })),
    );
  }
  let flushed = false;
  return {
    advance(budget) {
      const more = kernel.advance(budget);
      if (!more && !flushed) {
        flushed = true;
        for (const kubelet of kubelets) kubelet.flush();
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

/** Where a node's tickers stand: from the process start if that is part of the scenario, else drawn. */
function phasesOf({ kubelet, latency }: Scenario, node: string, draws: Draws): NodePhases {
  const { processStart, syncLoopDelay } = kubelet;
  if (syncLoopDelay !== null) {
    const loop = micros(processStart + syncLoopDelay);
    return { relist: processStart, sync: loop, housekeeping: loop, status: processStart };
  }
  const phase = (ticker: string, period: number): Micros =>
    draws.number(`kubelet/${ticker}Phase/${node}`, micros(0), (u) => Math.floor(u * period)) as Micros;
  return {
    relist: phase('relist', seconds(1) + latency.plegRelist),
    sync: phase('sync', seconds(1)),
    housekeeping: phase('housekeeping', seconds(2)),
    status: phase('status', seconds(10)),
  };
}
