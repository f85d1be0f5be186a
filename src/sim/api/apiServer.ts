import { sameData } from '../../base/equal.ts';
import type { Scheduler } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import type { WallClock } from '../world/wallClock.ts';
import type { ApiPod } from './apiPod.ts';
import type { ConditionStatus, Labels } from './objects.ts';
import { EMPTY_STATUS, isTerminal, type PodStatus } from './podStatus.ts';
import type { ObjectStore } from './store.ts';

/** Called at the instant of a commit; `ref` is the event that made it. A removed Pod is null. */
export type Watcher = (identity: string, pod: ApiPod | null, ref: Ref) => void;

/**
 * What clients may do to Pods at the API server, and what it makes of that.
 * Latencies belong to the clients and are theirs to add.
 */
export class ApiServer {
  private readonly kernel: Scheduler;
  private readonly wall: WallClock;
  readonly store: ObjectStore;
  private readonly watchers = new Map<string, Watcher>();
  /** Pods that a script speaks for: kubelets do not see them. */
  private readonly scripted = new Set<string>();

  constructor(kernel: Scheduler, store: ObjectStore, wall: WallClock) {
    this.kernel = kernel;
    this.store = store;
    this.wall = wall;
    store.subscribe('pods', ({ key, before, now, ref }) => {
      if (this.scripted.has(key)) return;
      const node = (now ?? before)?.input.node ?? '';
      this.watchers.get(node)?.(key, now, ref);
    });
  }

  /** Calls `watcher` for each commit of a Pod bound to `node`: one for each node. */
  watchNode(node: string, watcher: Watcher): void {
    this.watchers.set(node, watcher);
  }

  /** All Pods bound to `node` that its kubelet sees, in order of creation. */
  podsOf(node: string): readonly ApiPod[] {
    return this.store.list('pods').filter(({ input }) => input.node === node && !this.scripted.has(input.identity));
  }

  get(identity: string): ApiPod | undefined {
    return this.store.get('pods', identity);
  }

  /** The Pod of that name. */
  named(namespace: string, name: string): ApiPod | undefined {
    return this.store.list('pods').find(({ input }) => input.name === name && input.namespace === namespace);
  }

  /** The Pod of an identity, else of a name (`namespace/name`), else each Pod of a workload of that name. */
  meant(named: string): readonly ApiPod[] {
    const pod = this.get(named);
    if (pod) return [pod];
    const all = this.store.list('pods');
    const itsName = all.find(({ input: { namespace, name } }) => `${namespace}/${name}` === named);
    return itsName ? [itsName] : all.filter(({ input }) => input.identity.startsWith(`${named}#`));
  }

  /** Stores a new Pod that no kubelet runs, with a status that the real server would wipe (C-007). */
  createScripted(input: PodInput, status: PodStatus, ref: Ref): void {
    this.scripted.add(input.identity);
    this.create(input, ref, status);
  }

  /** Stores a new Pod. */
  create(input: PodInput, ref: Ref, status: PodStatus = EMPTY_STATUS): void {
    this.commit(
      {
        input,
        resourceVersion: 0,
        generation: 1,
        creationTimestamp: this.wall.seconds(this.kernel.now),
        labels: input.labels,
        annotations: {},
        deletionTimestamp: null,
        deletionGracePeriodSeconds: null,
        status,
      },
      ref,
    );
  }

  /** Replaces the status subresource. Returns the index of the stored version. */
  patchStatus(identity: string, status: PodStatus, ref: Ref): number {
    const pod = this.get(identity);
    if (!pod) throw new Error(`no Pod ${identity}`);
    return this.commit({ ...pod, status }, ref);
  }

  /** Another client writes one condition of the status. */
  patchCondition(identity: string, type: string, status: ConditionStatus, ref: Ref): void {
    const pod = this.get(identity);
    if (!pod) return;
    const now = this.wall.seconds(this.kernel.now);
    const before = pod.status.conditions.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
    const made = { type, status, reason: '', message: '', lastTransitionTime };
    const conditions = before
      ? pod.status.conditions.map((condition) => (condition === before ? made : condition))
      : [...pod.status.conditions, made];
    this.change(pod, { status: { ...pod.status, conditions } }, ref);
  }

  /** Stores another version of a Pod that is there. */
  replace(pod: ApiPod, ref: Ref): void {
    this.commit(pod, ref);
  }

  /** Replaces the labels. */
  setLabels(identity: string, labels: Labels, ref: Ref): void {
    const pod = this.get(identity);
    if (pod) this.change(pod, { labels }, ref);
  }

  /** Adds annotations. */
  annotate(identity: string, annotations: Labels, ref: Ref): void {
    const pod = this.get(identity);
    if (pod) this.change(pod, { annotations: { ...pod.annotations, ...annotations } }, ref);
  }

  /** Sets the deletion timestamp and nothing else: a script speaks for the Pod. */
  markDeleted(identity: string, graceSeconds: number, ref: Ref): void {
    const pod = this.get(identity);
    if (!pod) return;
    const deletionTimestamp = this.wall.seconds(this.kernel.now) + graceSeconds;
    this.change(pod, { deletionTimestamp, deletionGracePeriodSeconds: graceSeconds }, ref);
  }

  /**
   * A deletion (C-010): the first one sets the end of the grace period and raises the generation (K-191), a later one can
   * only bring the end forward. `graceSeconds` null: the Pod's own. Without any grace the object goes at once; with
   * `tellsGraceZero` watchers first see that grace stored, as the real server does (C-012) and only the recordings of
   * workloads do. Source: apiserver pkg/registry/rest/delete.go BeforeDelete.
   */
  delete(identity: string, graceSeconds: number | null, ref: Ref, tellsGraceZero = false): void {
    const pod = this.get(identity);
    if (!pod) return;
    const { deletionTimestamp, deletionGracePeriodSeconds: stored, generation } = pod;
    const now = this.wall.seconds(this.kernel.now);
    const end = (grace: number, deletionTimestamp: number, changes: Partial<ApiPod> = {}): void => {
      if (grace > 0 || tellsGraceZero)
        this.commit({ ...pod, ...changes, deletionTimestamp, deletionGracePeriodSeconds: grace }, ref);
      if (grace === 0) this.remove(identity, ref);
    };
    if (deletionTimestamp === null || stored === null) {
      const grace = this.graceOf(pod, graceSeconds);
      return end(grace, now + grace, { generation: generation + 1 });
    }
    if (stored === 0) return this.remove(identity, ref);
    if (graceSeconds === null || graceSeconds >= stored) return;
    const sooner = deletionTimestamp - stored + graceSeconds;
    if (sooner >= now) end(graceSeconds, sooner);
    else end(graceSeconds > 0 ? 1 : 0, now);
  }

  /** The grace that a deletion gets: none for a Pod that has ended or is on no node (pkg/registry/core/pod/strategy.go, CheckGracefulDelete). */
  graceOf({ input, status }: ApiPod, graceSeconds: number | null): number {
    if (input.node === '' || isTerminal(status.phase)) return 0;
    return graceSeconds ?? input.terminationGracePeriodSeconds;
  }

  /** Removes the object: a deletion with grace 0. */
  remove(identity: string, ref: Ref): void {
    this.store.remove('pods', identity, ref);
  }

  /** Stores a change; one that changes nothing keeps its resource version and is told to nobody (C-002). */
  private change(pod: ApiPod, changes: Partial<ApiPod>, ref: Ref): void {
    const next = { ...pod, ...changes };
    if (!sameData(next, pod)) this.commit(next, ref);
  }

  private commit(pod: ApiPod, ref: Ref): number {
    return this.store.put('pods', pod.input.identity, (resourceVersion) => ({ ...pod, resourceVersion }), ref);
  }
}
