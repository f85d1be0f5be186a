/** A finished run as the invariants look at it: events with their causes, statuses as they were stored, lives of containers and workers. */
import { MICROS_PER_SECOND } from '../../src/base/units.ts';
import type { ContainerInput, PodInput, ProbeSpec, Scenario } from '../../src/sim/scenario.ts';
import type { EventRef } from '../../src/sim/trace/kinds.ts';
import { apiPodKey, type PodCondition } from '../../src/sim/trace/podObject.ts';
import type { TraceEvent } from '../../src/sim/trace/reader.ts';
import { type Instance, instancesOf, type WorkerLife, workerLivesOf } from './lives.ts';
import { RunEvents } from './runEvents.ts';

export interface ContainerJson {
  readonly name: string;
  readonly containerID?: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: { readonly waiting?: object; readonly running?: object; readonly terminated?: object };
}
export interface StatusJson {
  readonly reason?: string;
  readonly phase: string;
  readonly conditions: readonly PodCondition[];
  readonly containerStatuses: readonly ContainerJson[];
  readonly initContainerStatuses?: readonly ContainerJson[];
  readonly observedGeneration?: number;
}
interface PodJson {
  readonly metadata: {
    readonly generation: number;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly status: StatusJson;
}

/** A version of the kubelet's cached status. */
export interface CachedStatus {
  readonly pod: PodInput;
  readonly at: number;
  readonly version: number;
  readonly op: string;
  readonly set: TraceEvent<'statusSet'>;
  readonly status: StatusJson;
}
/** A version of the API's object. */
export interface StoredPod extends PodJson {
  readonly pod: PodInput;
  readonly at: number;
  /** The event that made it. */
  readonly by: TraceEvent;
}

export const allContainers = ({ status }: { readonly status: StatusJson }): readonly ContainerJson[] => [
  ...status.containerStatuses,
  ...(status.initContainerStatuses ?? []),
];
export const isTerminal = ({ phase }: StatusJson): boolean => phase === 'Succeeded' || phase === 'Failed';
export const condition = ({ conditions }: StatusJson, type: string): PodCondition | undefined =>
  conditions.find((one) => one.type === type);

/** Everything is computed once, on first use. Instants are µs. */
export class Observation extends RunEvents {
  readonly instances: readonly Instance[];
  readonly workers: readonly WorkerLife[];
  private readonly cachedByPod = new Map<string, readonly CachedStatus[]>();
  private readonly storedByPod = new Map<string, readonly StoredPod[]>();

  constructor(scenario: Scenario) {
    super(scenario);
    this.instances = instancesOf(this);
    this.workers = workerLivesOf(this);
  }

  get pods(): readonly PodInput[] {
    return this.scenario.pods;
  }

  pod(identity: string): PodInput {
    return this.pods.find((pod) => pod.identity === identity) as PodInput;
  }

  container(identity: string, name: string): ContainerInput {
    const { containers, initContainers } = this.pod(identity);
    return [...containers, ...initContainers].find((container) => container.name === name) as ContainerInput;
  }

  probe({ subject }: TraceEvent): ProbeSpec {
    return this.container(subject.pod, subject.container).probes[subject.probe || 'startup'] as ProbeSpec;
  }

  /** Which kubelet process of the node: how many have ended by then. */
  process(node: string, at: number): number {
    return this.of('processStop').filter((stop) => stop.subject.node === node && stop.at <= at).length;
  }

  /** When the kubelet was told that the Pod is gone from its source; Infinity when never. */
  removedAt(pod: PodInput): number {
    const removal = this.of('syncLoop').find(({ payload }) => payload.op === 'REMOVE' && concerns(payload, pod));
    return removal?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Whether one kubelet process of the node was there from `from` to `to`. */
  isUp(node: string, from: number, to: number): boolean {
    const inside = (event: TraceEvent): boolean => event.subject.node === node && event.at >= from && event.at <= to;
    return ![...this.of('processStop'), ...this.of('processStart')].some(inside);
  }

  /** Whether the node reaches the API server all the time. */
  isConnected(node: string): boolean {
    return !this.scenario.actions.some((action) => action.do === 'cutApi' && action.node === node);
  }

  /** Whole wall-clock seconds, cut down (G-5). */
  wallSecond(at: number): number {
    return Math.floor((this.reader.data.wallClock + at) / MICROS_PER_SECOND);
  }

  /** Versions of the cached status, of all kubelet processes in turn. */
  cached(pod: PodInput): readonly CachedStatus[] {
    return memoized(this.cachedByPod, pod.identity, () =>
      this.of('statusSet')
        .filter(({ subject }) => subject.pod === pod.identity)
        .map((set) => {
          const { version, status } = this.json(set.payload.object) as { version: number; status: StatusJson };
          return { pod, at: set.at, version, op: set.payload.op, set, status };
        }),
    );
  }

  /** Versions of the Pod (or mirror) as the API server stored them. */
  stored(pod: PodInput): readonly StoredPod[] {
    return memoized(this.storedByPod, pod.identity, () =>
      this.reader.versionsOf(apiPodKey(pod.identity)).map(({ index, since, row }) => ({
        ...(this.json(index) as PodJson),
        pod,
        at: since,
        by: this.reader.event({ row, ordinal: 0 }),
      })),
    );
  }

  /** Statuses that may have been the cached one at an instant: more than one if it changed in that instant. */
  cachedAround(pod: PodInput, at: number): readonly StatusJson[] {
    const versions = this.cached(pod);
    const before = versions.filter((version) => version.at < at).slice(-1);
    return [...before, ...versions.filter((version) => version.at === at)].map(({ status }) => status);
  }
}

function memoized<T>(memo: Map<string, T>, key: string, make: () => T): T {
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = make();
  memo.set(key, made);
  return made;
}

/** Whether a message of the syncLoop names the Pod. */
export const concerns = ({ pods }: { readonly pods: string }, { name }: PodInput): boolean =>
  pods.split(',').includes(name);
export const sameRef = (a: EventRef, b: EventRef): boolean => a.row === b.row && a.ordinal === b.ordinal;

/** Who and when, for messages. */
export const place = ({ kind, at, subject }: TraceEvent): string =>
  `${at} ${kind} ${[subject.node, subject.pod, subject.container, subject.probe].filter(Boolean).join(' ')}`;
