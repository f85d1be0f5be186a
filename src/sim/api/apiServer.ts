import type { Scheduler } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import type { TraceWriter } from '../trace/writer.ts';
import { rfc3339, type WallClock } from '../world/wallClock.ts';
import { EMPTY_STATUS, isTerminal, type PodStatus, statusToJson } from './podStatus.ts';

/** A Pod as stored: immutable, one object for each resource version. */
export interface ApiPod {
  readonly input: PodInput;
  readonly resourceVersion: number;
  readonly generation: number;
  /** Counts changes of labels. */
  readonly labels: number;
  /** Whole seconds since the Unix epoch; null while nobody asked for a deletion. */
  readonly deletionTimestamp: number | null;
  readonly deletionGracePeriodSeconds: number | null;
  readonly status: PodStatus;
}

/** Called at the instant of a commit; `ref` is the event that made it. A removed Pod is null. */
export type Watcher = (identity: string, pod: ApiPod | null, ref: Ref) => void;

/**
 * The API server as far as the kubelet meets it: Pods, one revision counter for all, watches.
 * Latencies belong to the clients and are theirs to add.
 */
export class ApiServer {
  private readonly kernel: Scheduler;
  private readonly trace: TraceWriter;
  private readonly wall: WallClock;
  private readonly pods = new Map<string, ApiPod>();
  private readonly watchers: { readonly node: string; readonly watcher: Watcher }[] = [];
  private revision = 1;

  constructor(kernel: Scheduler, trace: TraceWriter, wall: WallClock) {
    this.kernel = kernel;
    this.trace = trace;
    this.wall = wall;
  }

  /** Calls `watcher` for each commit of a Pod bound to `node`. */
  watchNode(node: string, watcher: Watcher): void {
    this.watchers.push({ node, watcher });
  }

  /** All Pods bound to `node`, in order of creation. */
  podsOf(node: string): readonly ApiPod[] {
    return [...this.pods.values()].filter((pod) => pod.input.node === node);
  }

  get(identity: string): ApiPod | undefined {
    return this.pods.get(identity);
  }

  create(input: PodInput, ref: Ref): void {
    const fresh = {
      generation: 1,
      labels: 0,
      deletionTimestamp: null,
      deletionGracePeriodSeconds: null,
      status: EMPTY_STATUS,
    };
    this.commit({ input, resourceVersion: 0, ...fresh }, ref);
  }

  /** Replaces the status subresource. Returns the index of the stored version. */
  patchStatus(identity: string, status: PodStatus, ref: Ref): number {
    return this.commit({ ...this.existing(identity), status }, ref);
  }

  /** Another client writes one condition of the status. */
  patchCondition(identity: string, type: string, status: 'True' | 'False', ref: Ref): void {
    const pod = this.pods.get(identity);
    if (!pod) return;
    const now = this.wall.seconds(this.kernel.now);
    const before = pod.status.conditions.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
    const made = { type, status, reason: '', message: '', lastTransitionTime };
    const conditions = before
      ? pod.status.conditions.map((condition) => (condition === before ? made : condition))
      : [...pod.status.conditions, made];
    this.commit({ ...pod, status: { ...pod.status, conditions } }, ref);
  }

  changeLabel(identity: string, ref: Ref): void {
    const pod = this.pods.get(identity);
    if (!pod) return;
    this.commit({ ...pod, labels: pod.labels + 1 }, ref);
  }

  /** A graceful deletion sets the timestamp and raises the generation (K-191); a second one can only shorten the grace. */
  deleteGracefully(identity: string, graceSeconds: number | null, ref: Ref): void {
    const pod = this.pods.get(identity);
    if (!pod) return;
    const grace = this.graceOf(pod, graceSeconds);
    if (grace === 0) return this.remove(identity, ref);
    if (pod.deletionGracePeriodSeconds !== null && grace >= pod.deletionGracePeriodSeconds) return;
    const deletionTimestamp = this.wall.seconds(this.kernel.now) + grace;
    this.commit({ ...pod, deletionTimestamp, deletionGracePeriodSeconds: grace, generation: pod.generation + 1 }, ref);
  }

  /** The grace that a deletion gets: none for a Pod that has ended (pkg/registry/core/pod/strategy.go, CheckGracefulDelete). */
  graceOf({ input, status }: ApiPod, graceSeconds: number | null): number {
    return isTerminal(status.phase) ? 0 : (graceSeconds ?? input.terminationGracePeriodSeconds);
  }

  /** Removes the object: a deletion with grace 0. */
  remove(identity: string, ref: Ref): void {
    const pod = this.pods.get(identity);
    if (!pod) return;
    this.pods.delete(identity);
    this.tell(pod, null, ref);
  }

  private existing(identity: string): ApiPod {
    const pod = this.pods.get(identity);
    if (!pod) throw new Error(`no Pod ${identity}`);
    return pod;
  }

  private commit(pod: ApiPod, ref: Ref): number {
    const stored: ApiPod = { ...pod, resourceVersion: this.revision++ };
    const { identity } = stored.input;
    this.pods.set(identity, stored);
    const version = this.trace.object(`api/Pod/${identity}`, podText(stored), this.kernel.now, ref);
    this.tell(stored, stored, ref);
    return version;
  }

  private tell({ input }: ApiPod, now: ApiPod | null, ref: Ref): void {
    for (const { node, watcher } of this.watchers) if (node === input.node) watcher(input.identity, now, ref);
  }
}

/** The object as `kubectl get -o json` would show it, without the spec that was given. */
const podText = (pod: ApiPod): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: pod.input.name,
      namespace: pod.input.namespace,
      uid: pod.input.uid,
      resourceVersion: String(pod.resourceVersion),
      generation: pod.generation,
      ...(pod.deletionTimestamp !== null && {
        deletionTimestamp: rfc3339(pod.deletionTimestamp),
        deletionGracePeriodSeconds: pod.deletionGracePeriodSeconds,
      }),
    },
    spec: { nodeName: pod.input.node },
    status: statusToJson(pod.status),
  });
