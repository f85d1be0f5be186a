import type { Micros } from '../../base/units.ts';
import type { ApiServer } from '../api/apiServer.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { KubeletConfig, Latencies, PodInput } from '../scenario.ts';
import type { Component, Subject } from '../trace/kinds.ts';
import type { TraceWriter } from '../trace/writer.ts';
import type { WallClock } from '../world/wallClock.ts';

/** What the parts of one node share. */
export interface NodeContext {
  readonly node: string;
  readonly kernel: Kernel;
  readonly trace: TraceWriter;
  readonly draws: Draws;
  readonly wall: WallClock;
  readonly api: ApiServer;
  readonly latency: Latencies;
  readonly config: KubeletConfig;
  readonly phases: NodePhases;
}

/** Where the node's tickers stand, µs: an instant at which each of them ticks. Fixed when the kubelet starts. */
export interface NodePhases {
  /** Begin of a global relist. */
  readonly relist: Micros;
  /** The syncLoop's 1 s ticker. */
  readonly sync: Micros;
  /** The syncLoop's 2 s housekeeping ticker. */
  readonly housekeeping: Micros;
  /** The status manager's 10 s ticker. */
  readonly status: Micros;
}

/** Subject number of a component of this node, about one Pod (and container, and probe) if given. */
export function subjectOf(
  { trace, node }: NodeContext,
  component: Component,
  pod: PodInput | null = null,
  container = '',
  probe: Subject['probe'] = '',
): number {
  return trace.subjectOf({ component, node, pod: pod?.identity ?? '', container, probe });
}
