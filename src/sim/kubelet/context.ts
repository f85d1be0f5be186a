import { MICROS_PER_SECOND, type Micros } from '../../base/units.ts';
import type { ApiServer } from '../api/apiServer.ts';
import type { Draws } from '../kernel/draws.ts';
import type { HopLengths } from '../kernel/hopLengths.ts';
import type { Scheduler } from '../kernel/kernel.ts';
import type { KubeletConfig, Latencies, PodInput } from '../scenario.ts';
import type { Component, Subject } from '../trace/kinds.ts';
import type { TraceWriter } from '../trace/writer.ts';
import type { NameServer } from '../world/nameServer.ts';
import type { WallClock } from '../world/wallClock.ts';
import type { Behaviour } from './behaviour.ts';
import type { NodeLinks } from './nodeLinks.ts';

/** A subject about a Pod, and its number. */
interface KnownSubject extends Pick<Subject, 'component' | 'container' | 'probe'> {
  readonly number: number;
}

/** What the parts of one node share. */
export interface NodeContext {
  readonly node: string;
  /** The kubelet's process; for the container runtime, which outlives it, the machine. */
  readonly kernel: Scheduler;
  readonly trace: TraceWriter;
  readonly draws: Draws;
  readonly wall: WallClock;
  readonly api: ApiServer;
  readonly latency: Latencies;
  readonly hops: HopLengths;
  readonly links: NodeLinks;
  readonly nameServer: NameServer;
  /** First address of the range of the node's Pods. */
  readonly podSubnet: string;
  /** They have an IPv6 address beside it. */
  readonly isDualStack: boolean;
  readonly config: KubeletConfig;
  /** What the scenario's Kubernetes version does. */
  readonly behaviour: Behaviour;
  /** The yardstick of the tests: no probe worker coasts, and each pass makes the status anew. */
  readonly everyTick: boolean;
  /** Subjects that were asked for, by Pod (see subjectOf). */
  readonly subjects: Map<PodInput | null, KnownSubject[]>;
}

/** What the parts of one kubelet process share. */
export interface KubeletContext extends NodeContext {
  /** Start of this process: construction of the prober manager (K-001). */
  readonly startedAt: Micros;
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
  { trace, node, subjects }: NodeContext,
  component: Component,
  pod: PodInput | null = null,
  container = '',
  probe: Subject['probe'] = '',
): number {
  let known = subjects.get(pod);
  if (!known) {
    known = [];
    subjects.set(pod, known);
  }
  // A Pod has a dozen: to look through them takes less than to make a key.
  for (const one of known)
    if (one.component === component && one.container === container && one.probe === probe) return one.number;
  const number = trace.subjectOf({ component, node, pod: pod?.identity ?? '', container, probe, object: '' });
  known.push({ component, container, probe, number });
  return number;
}

/** Margin by which a container must be older than the kubelet to count as old, s (K-123). */
const OLD_CONTAINER_MARGIN_SECONDS = 10;

/** Whether a container that started at a wall-clock second was there before this kubelet process (K-123, K-206). */
export const isOldContainer = ({ wall, startedAt }: KubeletContext, containerStartedAt: number): boolean =>
  containerStartedAt * MICROS_PER_SECOND < wall.epoch + startedAt - OLD_CONTAINER_MARGIN_SECONDS * MICROS_PER_SECOND;
