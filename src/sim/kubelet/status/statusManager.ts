import { type Micros, type MicrosSpan, seconds } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import {
  type ContainerStatus,
  EMPTY_STATUS,
  identicalStatus,
  isTerminal,
  type PodStatus,
  sameContainer,
  sameList,
  sameStatus,
} from '../../api/podStatus.ts';
import { cachedStatusPieces } from '../../api/podText.ts';
import type { Process, Task, Timer } from '../../kernel/kernel.ts';
import { containersOf, type PodInput } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import { type ApiAnswer, type ApiCall, callApi, type Served } from '../apiClient.ts';
import { type KubeletContext, subjectOf } from '../context.ts';
import { mayRestartAll } from '../runtime/restartAll.ts';
import { restartsAfterExit } from '../runtime/restartRule.ts';
import { type AnyCondition, type NewCondition, readyConditions, withConditions } from './conditions.ts';
import { withLostContainers } from './lostContainers.ts';
import { endOf, mergeStatus, ownBeside } from './mergeStatus.ts';

/** Period of the ticker that looks at every Pod (K-182). */
const SYNC_PERIOD = seconds(10);

/** What the status manager asks of the kubelet around it. */
export interface StatusHost {
  readonly context: KubeletContext;
  /** The pod manager's object: the API server's, as far as the watch has told; of a static Pod its mirror (K-192). */
  apiPod(pod: PodInput): ApiPod | undefined;
  /** Whether a source still has the Pod. */
  isConfigured(pod: PodInput): boolean;
  /** Whether a static Pod has no mirror yet that its status could be written to. */
  awaitsMirror(pod: PodInput): boolean;
  /** Called before the cached status of the Pod changes. */
  beforeChange(pod: PodInput): void;
  /** Whether containers of the Pod could still run: its worker has not terminated (K-189). */
  couldRun(pod: PodInput): boolean;
}

/** versionedPodStatus (K-170). */
interface Entry {
  readonly pod: PodInput;
  readonly version: number;
  readonly status: PodStatus;
  /** TerminatePod has spoken. */
  readonly finished: boolean;
  readonly ref: Ref;
}

/** A status as a pass makes it, before transition times. */
export interface NewStatus extends Omit<PodStatus, 'conditions' | 'startTime' | 'observedGeneration'> {
  readonly conditions: readonly AnyCondition[];
}

/**
 * The kubelet's cache of Pod statuses, and the one goroutine that writes it to the API server:
 *
 *     set ─▶ version + 1 ─▶ wake-up (capacity 1) ─▶ batch: GET, PATCH, one Pod after another ─▶ version sent
 *
 * Source: pkg/kubelet/status/status_manager.go (K-170 to K-195).
 */
export class StatusManager {
  private readonly host: StatusHost;
  private readonly entries = new Map<string, Entry>();
  private readonly sent = new Map<string, number>();
  /** Pods whose version may not have been sent: the others have no news. */
  private readonly unsent = new Set<string>();
  /** Pods that the next 10 s tick could find work for; ticks with none are not queued. */
  private readonly unsettled = new Set<string>();
  private busy = false;
  private wakePending = false;
  private tickOwed = false;
  private tickTimer: Timer | null = null;

  constructor(host: StatusHost) {
    this.host = host;
  }

  /** The cached status. */
  get(pod: PodInput): PodStatus | undefined {
    return this.entries.get(pod.identity)?.status;
  }

  /** Takes the status that a pass generated of a Pod, `stored` as it had it (K-173). False when nothing changed. */
  setPodStatus(pod: PodInput, stored: ApiPod | undefined, status: NewStatus, cause: Ref): boolean {
    const { wall, kernel } = this.host.context;
    const old = this.old(pod);
    const generation = this.host.context.behaviour.observesGeneration ? (stored?.generation ?? 1) : 0;
    const force = stored?.deletionTimestamp != null;
    const now = wall.seconds(kernel.now);
    const taken: Omit<PodStatus, 'conditions'> = {
      phase: status.phase,
      reason: status.reason,
      message: status.message,
      podIPs: sameList(old.podIPs, status.podIPs, (a, b) => a === b) ? old.podIPs : status.podIPs,
      startTime: old.startTime ?? now,
      observedGeneration: Math.max(old.observedGeneration, generation),
      containerStatuses: withOldObjects(old.containerStatuses, status.containerStatuses),
      initContainerStatuses: withOldObjects(old.initContainerStatuses, status.initContainerStatuses),
    };
    return this.update(pod, withConditions(old, taken, status.conditions, now), 'setPodStatus', cause, { force });
  }

  /** Sets `ready` of the container with that id, and Ready and ContainersReady with it (K-174). */
  setContainerReadiness(pod: PodInput, containerID: string, ready: boolean, cause: Ref): void {
    const { wall, kernel } = this.host.context;
    const changed = this.changeContainer(pod, containerID, 'ready', ready);
    if (!changed) return;
    const made = readyConditions({
      pod,
      containers: changed.containerStatuses,
      initContainers: changed.initContainerStatuses,
      phase: changed.phase,
      conditions: changed.conditions,
    });
    const conditions = changed.conditions.map((old) => {
      if (old.type === 'Ready') return made.ready;
      return old.type === 'ContainersReady' ? made.containersReady : old;
    });
    this.update(
      pod,
      withConditions(changed, changed, conditions, wall.seconds(kernel.now)),
      'setContainerReadiness',
      cause,
    );
  }

  /** Sets `started` of the container with that id; neither `ready` nor a condition moves (K-175). */
  setContainerStartup(pod: PodInput, containerID: string, started: boolean, cause: Ref): void {
    const changed = this.changeContainer(pod, containerID, 'started', started);
    if (changed) this.update(pod, changed, 'setContainerStartup', cause);
  }

  /** Sets PodReadyToStartContainers while the pass is still running (OnPodSandboxReady, K-070). */
  setSandboxReady(pod: PodInput, condition: NewCondition, cause: Ref): void {
    const { wall, kernel } = this.host.context;
    const old = this.get(pod);
    if (!old) return;
    const conditions = old.conditions.map((other) => (other.type === condition.type ? condition : other));
    this.update(pod, withConditions(old, old, conditions, wall.seconds(kernel.now)), 'setPodStatus', cause);
  }

  /** The last word of a terminated Pod, `stored` as its pass had it: accepted even when equal, so that it is sent once more (K-176). */
  terminatePod(pod: PodInput, stored: ApiPod | undefined, cause: Ref): void {
    const status = withLostContainers(pod, stored?.status, this.old(pod));
    const stays = isTerminal(status.phase) || pod.isStatic || !this.host.context.behaviour.endsPhaseBeforeRemoval;
    const phase = stays ? status.phase : 'Failed';
    this.update(pod, { ...status, phase }, 'terminatePod', cause, { force: true, finished: true });
  }

  /** Housekeeping: statuses of Pods that are no longer configured go (K-018). */
  removeOrphan(pod: PodInput): void {
    this.host.beforeChange(pod);
    this.entries.delete(pod.identity);
    this.unsettled.delete(pod.identity);
    this.unsent.delete(pod.identity);
  }

  /** The API's object is gone, and with it the memory of what was written to it. */
  forgetSent(pod: PodInput): void {
    this.sent.delete(pod.identity);
    this.unsent.add(pod.identity);
  }

  /** Pods that have an entry. */
  get pods(): readonly PodInput[] {
    return [...this.entries.values()].map(({ pod }) => pod);
  }

  /** The pod manager has a new object: the next tick compares it (K-184). */
  podChanged(pod: PodInput): void {
    if (!this.entries.has(pod.identity)) return;
    this.unsettled.add(pod.identity);
    this.armTick();
  }

  private old(pod: PodInput): PodStatus {
    return this.get(pod) ?? this.host.apiPod(pod)?.status ?? EMPTY_STATUS;
  }

  private changeContainer(
    pod: PodInput,
    containerID: string,
    field: 'ready' | 'started',
    value: boolean,
  ): PodStatus | null {
    const status = this.get(pod);
    if (!status) return null;
    const all = [...status.containerStatuses, ...status.initContainerStatuses];
    const container = all.find((candidate) => candidate.containerID === containerID);
    if (!container || container[field] === value) return null;
    const change = (other: ContainerStatus): ContainerStatus =>
      other === container ? { ...other, [field]: value } : other;
    return {
      ...status,
      containerStatuses: status.containerStatuses.map(change),
      initContainerStatuses: status.initContainerStatuses.map(change),
    };
  }

  /** updateStatusInternal (K-177, K-178). */
  private update(
    pod: PodInput,
    status: PodStatus,
    op: string,
    cause: Ref,
    { force = false, finished = false }: { readonly force?: boolean; readonly finished?: boolean } = {},
  ): boolean {
    const { trace, kernel } = this.host.context;
    const cached = this.entries.get(pod.identity);
    if (illegalTransition(pod, cached?.status ?? this.old(pod), status)) return false;
    if (cached && !force && sameStatus(cached.status, status)) return false;
    this.host.beforeChange(pod);
    const version = (cached?.version ?? 0) + 1;
    const subject = subjectOf(this.host.context, 'status', pod);
    const ref = trace.event('statusSet', kernel.now, subject, { op, version, object: -1 }, [cause]);
    const text = cachedStatusPieces(version, status);
    const object = trace.objectOf(`status/Pod/${pod.identity}`);
    trace.setVersion(ref, 'object', trace.object(object, text, kernel.now, ref));
    this.entries.set(pod.identity, { pod, version, status, finished: finished || (cached?.finished ?? false), ref });
    this.unsettled.add(pod.identity);
    this.unsent.add(pod.identity);
    this.armTick();
    this.wakePending = true;
    if (!this.busy) kernel.start(this.loop(), 'kubelet');
    return true;
  }

  private *loop(): Process {
    const { kernel, draws, node } = this.host.context;
    this.busy = true;
    for (;;) {
      const ready: ('channel' | 'ticker')[] = [];
      if (this.wakePending) ready.push('channel');
      if (this.tickOwed) ready.push('ticker');
      if (ready.length === 0) break;
      const taken = ready.length === 1 ? ready[0] : draws.choice(`status/select/${node}`, kernel.now, ready);
      if (taken === 'channel') {
        this.wakePending = false;
        yield* this.syncBatch(this.newVersions());
      } else {
        this.tickOwed = false;
        yield* this.syncBatch(this.needingSync());
      }
    }
    this.busy = false;
    this.armTick();
  }

  /** Pods with a version that was not sent; a static Pod without mirror has nowhere to send it (K-183). */
  private newVersions(): readonly Entry[] {
    const found: Entry[] = [];
    for (const identity of this.unsent) {
      const entry = this.unsettled.has(identity) && this.entries.get(identity);
      if (entry && this.hasNews(entry)) found.push(entry);
    }
    return found;
  }

  private hasNews(entry: Entry): boolean {
    if (this.host.awaitsMirror(entry.pod)) return false;
    return entry.version > (this.sent.get(entry.pod.identity) ?? 0);
  }

  /** At a tick also those whose API object differs from the cache, or can be deleted (K-183, K-184); the others need no tick any more. */
  private needingSync(): readonly Entry[] {
    const found: Entry[] = [];
    for (const identity of this.unsettled) {
      const entry = this.entries.get(identity);
      if (!entry) continue;
      const stored = this.host.apiPod(entry.pod);
      const isKnown = stored !== undefined && this.host.isConfigured(entry.pod);
      const reconcile = isKnown && !sameStatus(stored.status, entry.status);
      if (reconcile) this.forgetSent(entry.pod);
      if (reconcile || this.hasNews(entry) || (stored && this.canBeDeleted(entry, stored, stored.status)))
        found.push(entry);
      else if (!this.host.awaitsMirror(entry.pod)) this.unsettled.delete(identity);
    }
    return found;
  }

  /** K-186: the API knows that it has ended, and so does the kubelet. Mirrors are never deleted by it. */
  private canBeDeleted({ pod, finished }: Entry, stored: ApiPod, status: PodStatus): boolean {
    const hasEnded = isTerminal(status.phase) || !this.host.context.behaviour.endsPhaseBeforeRemoval;
    return !pod.isStatic && stored.deletionTimestamp !== null && hasEnded && finished;
  }

  private *syncBatch(entries: readonly Entry[]): Process {
    for (const entry of this.inMapOrder(entries)) yield* this.syncPod(entry);
  }

  /** Go walks a map in random order (D-5). */
  private inMapOrder(entries: readonly Entry[]): readonly Entry[] {
    if (entries.length < 2) return entries;
    const { draws, kernel } = this.host.context;
    return entries
      .map((entry) => ({ entry, rank: draws.number(`status/batchOrder/${entry.pod.identity}`, kernel.now, (u) => u) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ entry }) => entry);
  }

  /** GET, merge, PATCH unless it would be empty, DELETE if it was the last word (K-185). The status is the one that the batch began with. */
  private *syncPod(entry: Entry): Process {
    const { pod, version, status, ref } = entry;
    const { api, wall, kernel } = this.host.context;
    const { identity } = pod;
    const get = yield* this.call({ pod, verb: 'get', subresource: '', version }, ref, () => found(api.get(identity)));
    if (!get.answer) return;
    const end = endOf(get.answer.status, status, this.host.couldRun(pod));
    const merged = mergeStatus(get.answer.status, status, end, wall.seconds(kernel.now));
    let last = get.ref;
    if (!identicalStatus(get.answer.status, merged)) {
      const patch = yield* this.call({ pod, verb: 'patch', subresource: 'status', version }, get.ref, (request) => {
        const now = api.get(identity);
        if (!now) return { error: 'NotFound' };
        // The PATCH names only what differs from the GET: what others wrote in between stays.
        const status = { ...merged, conditions: ownBeside(now.status, merged, end) };
        return { answer: true, object: api.patchStatus(identity, status, request) };
      });
      if (!patch.answer) return;
      last = patch.ref;
    }
    this.sent.set(identity, version);
    if (this.entries.get(identity)?.version === version) this.unsent.delete(identity);
    if (!this.canBeDeleted(entry, get.answer, merged)) return;
    const remove = yield* this.call({ pod, verb: 'delete', subresource: '', version }, last, (request) => {
      api.remove(identity, request);
      return { answer: true, object: -1 };
    });
    if (remove.answer) this.removeOrphan(pod);
  }

  private call<T>(call: ApiCall, cause: Ref, serve: (ref: Ref) => Served<T>): Task<ApiAnswer<T>> {
    return callApi(this.host.context, call, cause, serve);
  }

  private armTick(): void {
    const { kernel, phases } = this.host.context;
    if (this.tickTimer || this.unsettled.size === 0) return;
    const turns = Math.floor((kernel.now - phases.status) / SYNC_PERIOD) + 1;
    const at = (phases.status + turns * SYNC_PERIOD) as Micros;
    this.tickTimer = kernel.after((at - kernel.now) as MicrosSpan, 'kubelet', () => {
      this.tickTimer = null;
      this.tickOwed = true;
      if (!this.busy) kernel.start(this.loop(), 'kubelet');
      this.armTick();
    });
  }
}

/** The statuses, with those objects of the old ones that say the same: they are then neither compared nor written. */
const withOldObjects = (
  old: readonly ContainerStatus[],
  made: readonly ContainerStatus[],
): readonly ContainerStatus[] =>
  made.length === 0
    ? made
    : made.map((one) => old.find((before) => before.image === one.image && sameContainer(before, one)) ?? one);

const found = (pod: ApiPod | undefined): Served<ApiPod> => (pod ? { answer: pod, object: -1 } : { error: 'NotFound' });

/** K-178: a terminated container does not come back unless its restart rule says so. */
function illegalTransition(pod: PodInput, old: PodStatus, status: PodStatus): boolean {
  if (pod.restartPolicy === 'Always' || mayRestartAll(pod)) return false;
  const revived = (before: readonly ContainerStatus[], now: readonly ContainerStatus[]): readonly string[] =>
    before.flatMap(({ name, state }) => {
      const after = now.find((one) => one.name === name);
      const ended = state.is === 'terminated' && after !== undefined && after.state.is !== 'terminated';
      const container = containersOf(pod).find((one) => one.name === name);
      return ended && container && !restartsAfterExit(pod, container, state.exitCode) ? [name] : [];
    });
  return (
    revived(old.containerStatuses, status.containerStatuses).length > 0 ||
    revived(old.initContainerStatuses, status.initContainerStatuses).length > 0
  );
}
