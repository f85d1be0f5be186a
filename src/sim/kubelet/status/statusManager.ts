import { type Micros, type MicrosSpan, seconds } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiServer.ts';
import {
  EMPTY_STATUS,
  identicalStatus,
  isTerminal,
  type PodStatus,
  sameStatus,
  statusToJson,
} from '../../api/podStatus.ts';
import type { Process, Timer } from '../../kernel/kernel.ts';
import type { PodInput } from '../../scenario.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { type NodeContext, subjectOf } from '../context.ts';
import { type NewCondition, readyConditions, withConditions } from './conditions.ts';

/** Period of the ticker that looks at every Pod (K-182). */
const SYNC_PERIOD = seconds(10);

/** What the status manager asks of the kubelet around it. */
export interface StatusHost {
  readonly context: NodeContext;
  /** The pod manager's object: the API server's, as far as the watch has told. */
  apiPod(pod: PodInput): ApiPod | undefined;
  /** Whether containers of the Pod could still run: its worker has not terminated (K-189). */
  couldRun(pod: PodInput): boolean;
}

/** versionedPodStatus (K-170). */
interface Entry {
  readonly pod: PodInput;
  readonly version: number;
  readonly status: PodStatus;
  readonly ref: Ref;
}

/** A status as a pass makes it, before transition times. */
export interface NewStatus extends Omit<PodStatus, 'conditions' | 'startTime' | 'observedGeneration'> {
  readonly conditions: readonly NewCondition[];
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

  /** Takes the status that a pass generated (K-173). False when nothing changed. */
  setPodStatus(pod: PodInput, status: NewStatus, cause: Ref): boolean {
    const { wall, kernel } = this.host.context;
    const old = this.old(pod);
    const { conditions, ...rest } = status;
    const generation = this.host.apiPod(pod)?.generation ?? 1;
    const now = wall.seconds(kernel.now);
    const times = { startTime: old.startTime ?? now, observedGeneration: Math.max(old.observedGeneration, generation) };
    return this.update(pod, withConditions(old, { ...rest, ...times }, conditions, now), 'setPodStatus', cause);
  }

  /** Sets `ready` of the container with that id, and Ready and ContainersReady with it (K-174). */
  setContainerReadiness(pod: PodInput, containerID: string, ready: boolean, cause: Ref): void {
    const { wall, kernel } = this.host.context;
    const changed = this.changeContainer(pod, containerID, 'ready', ready);
    if (!changed) return;
    const made = readyConditions(pod, changed.containerStatuses, changed.phase);
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

  /** The last word of a terminated Pod: accepted even when equal, so that it is sent once more (K-176). */
  terminatePod(pod: PodInput, cause: Ref): void {
    const status = this.get(pod);
    if (!status) return;
    const phase = isTerminal(status.phase) ? status.phase : 'Failed';
    this.update(pod, { ...status, phase }, 'terminatePod', cause, true);
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
    const container = status?.containerStatuses.find((candidate) => candidate.containerID === containerID);
    if (!status || !container || container[field] === value) return null;
    const containerStatuses = status.containerStatuses.map((other) =>
      other === container ? { ...other, [field]: value } : other,
    );
    return { ...status, containerStatuses };
  }

  /** updateStatusInternal (K-177 steps 8 to 10). */
  private update(pod: PodInput, status: PodStatus, op: string, cause: Ref, force = false): boolean {
    const { trace, kernel } = this.host.context;
    const cached = this.entries.get(pod.identity);
    if (cached && !force && sameStatus(cached.status, status)) return false;
    const version = (cached?.version ?? 0) + 1;
    const subject = subjectOf(this.host.context, 'status', pod);
    const ref = trace.event('statusSet', kernel.now, subject, { op, version, object: -1 }, [cause]);
    const text = JSON.stringify({ version, status: statusToJson(status) });
    trace.setVersion(ref, 'object', trace.object(`status/Pod/${pod.identity}`, text, kernel.now, ref));
    this.entries.set(pod.identity, { pod, version, status, ref });
    this.unsettled.add(pod.identity);
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

  /** Pods with a version that was not sent. */
  private newVersions(): readonly Entry[] {
    return [...this.unsettled].flatMap((identity) => {
      const entry = this.entries.get(identity);
      return entry && entry.version > (this.sent.get(identity) ?? 0) ? [entry] : [];
    });
  }

  /** At a tick also those whose API object differs from the cache (K-183, K-184); the others need no tick any more. */
  private needingSync(): readonly Entry[] {
    const found: Entry[] = [];
    for (const identity of this.unsettled) {
      const entry = this.entries.get(identity);
      if (!entry) continue;
      const stored = this.host.apiPod(entry.pod)?.status;
      const reconcile = stored !== undefined && !sameStatus(stored, entry.status);
      if (reconcile) this.sent.delete(identity);
      if (reconcile || entry.version > (this.sent.get(identity) ?? 0)) found.push(entry);
      else this.unsettled.delete(identity);
    }
    return found;
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

  /** GET, merge, PATCH unless it would be empty (K-185). The status is the one that the batch began with. */
  private *syncPod({ pod, version, status, ref }: Entry): Process {
    const { latency, api } = this.host.context;
    const get = this.request(pod, 'get', '', version, ref);
    yield latency.apiRequest;
    const found = api.get(pod.identity);
    yield latency.apiResponse;
    if (!found) return;
    const merged = this.merge(found.status, pod, status);
    if (!identicalStatus(found.status, merged)) {
      const patch = this.request(pod, 'patch', 'status', version, get);
      yield latency.apiRequest;
      this.host.context.trace.setVersion(patch, 'object', api.patchStatus(pod.identity, merged, patch));
      yield latency.apiResponse;
    }
    this.sent.set(pod.identity, version);
  }

  private request(pod: PodInput, verb: string, subresource: string, version: number, cause: Ref): Ref {
    const { trace, kernel, latency } = this.host.context;
    const committedAt = kernel.now + latency.apiRequest;
    const payload = { verb, subresource, committedAt, version, object: -1 };
    const length = latency.apiRequest + latency.apiResponse;
    return trace.event(
      'apiRequest',
      kernel.now,
      subjectOf(this.host.context, 'api', pod),
      payload,
      [cause],
      NO_REF,
      length,
    );
  }

  /** A terminal phase is held back while containers could run (K-189). */
  private merge(stored: PodStatus, pod: PodInput, status: PodStatus): PodStatus {
    if (!isTerminal(status.phase) || isTerminal(stored.phase) || !this.host.couldRun(pod)) return status;
    const { phase, reason, message } = stored;
    return { ...status, phase, reason, message };
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
