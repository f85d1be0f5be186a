import { sameData } from '../../../base/equal.ts';
import type { ApiError } from '../../api/client.ts';
import type {
  DeploymentObject,
  DeploymentStatus,
  ReplicaSetObject,
  WorkloadCondition,
} from '../../api/workloadObjects.ts';
import { WORKLOAD } from '../../api/workloadObjects.ts';
import { alreadyExists } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import { conditionOf, hasDeadline, newCondition, REASON, withCondition } from './conditions.ts';
import type { Cached, DeploymentWriter } from './deploymentWriter.ts';
import { newSetOf } from './newSet.ts';
import { annotationsOf, byCreation, findNewSet, revisionOf, sameLabels } from './revisions.ts';
import { actualSize, availableSize, maxSurge, maxUnavailable, newSetSize, proportionOf, specSize } from './sizes.ts';
import { calculateStatus, isComplete, rolloutStatus } from './status.ts';

interface Options {
  readonly context: WorkloadContext;
  readonly writer: DeploymentWriter;
  /** As the cache had them at the begin of the sync. */
  readonly deployment: DeploymentObject;
  readonly sets: readonly ReplicaSetObject[];
  /** As the cache has them now. */
  readonly cached: Cached;
  /** Whether Pods of other sets than the new one have not ended. */
  readonly hasOldPods: (newSet: ReplicaSetObject | null) => boolean;
  readonly log: (message: string, values: object) => void;
  /** Nothing was written: come back for the deadline. */
  readonly requeue: (status: DeploymentStatus) => void;
  readonly ref: Ref;
}

/** The API server refused a write: the sync ends and is tried again. */
class SyncError extends Error {}

/** The sets as one sync sees them. */
interface Sets {
  readonly newSet: ReplicaSetObject | null;
  readonly old: readonly ReplicaSetObject[];
}
const allOf = ({ newSet, old }: Sets): readonly ReplicaSetObject[] => (newSet ? [...old, newSet] : old);

/** One sync of a Deployment. Source: pkg/controller/deployment/{sync,rolling,recreate,progress}.go. */
export class DeploymentSync {
  private readonly options: Options;
  /** The cached object with what this sync has found out; its resource version stays that of the cache. */
  private deployment: DeploymentObject;

  constructor(options: Options) {
    this.options = options;
    this.deployment = options.deployment;
  }

  /** Returns the error, '' when it went well. */
  *run(): Task<string> {
    try {
      yield* this.sync();
      return '';
    } catch (error) {
      if (error instanceof SyncError) return error.message;
      throw error;
    }
  }

  private *sync(): Task<void> {
    if (this.deployment.meta.deletionTimestamp !== null) return yield* this.writeStatusOnly();
    yield* this.tellPaused();
    if (this.deployment.spec.paused) return yield* this.scaleOnly();
    if (yield* this.isScaled()) return yield* this.scaleOnly();
    if (this.deployment.spec.strategy === 'Recreate') yield* this.recreate();
    else yield* this.roll();
  }

  /** Marks the Progressing condition when the rollout is paused or goes on (checkPausedConditions). */
  private *tellPaused(): Task<void> {
    const { spec, status } = this.deployment;
    const current = conditionOf(status, 'Progressing');
    if (!hasDeadline(this.deployment) || current?.reason === REASON.timedOut) return;
    const isTold = current?.reason === REASON.paused;
    if (spec.paused === isTold) return;
    const condition = spec.paused
      ? this.progressing('Unknown', REASON.paused, 'Deployment is paused')
      : this.progressing('Unknown', REASON.resumed, 'Deployment is resumed');
    this.set(condition);
    yield* this.writeStatus(this.deployment.status);
  }

  /** Whether a set was sized for another number of replicas (isScalingEvent). */
  private *isScaled(): Task<boolean> {
    const sets = yield* this.findSets(false);
    return allOf(sets).some(({ meta, spec }) => {
      const desired = meta.annotations[WORKLOAD.desiredReplicas];
      return spec.replicas > 0 && desired !== undefined && Number(desired) !== this.deployment.spec.replicas;
    });
  }

  private *writeStatusOnly(): Task<void> {
    yield* this.writePlainStatus(yield* this.findSets(false));
  }

  /** Scales, and rolls nothing out (Controller.sync). */
  private *scaleOnly(): Task<void> {
    const sets = yield* this.findSets(false);
    yield* this.scaleProportionally(sets);
    if (this.deployment.spec.paused) yield* this.cleanUp(sets.old);
    yield* this.writePlainStatus(sets);
  }

  /** N-011. */
  private *roll(): Task<void> {
    const sets = yield* this.findSets(true);
    const { newSet } = sets;
    if (!newSet) return;
    const { replicas } = this.deployment.spec;
    if (newSet.spec.replicas !== replicas) {
      const size =
        newSet.spec.replicas > replicas ? replicas : newSetSize(this.deployment, allOf(sets), newSet.spec.replicas);
      if (yield* this.resize(newSet, size)) return yield* this.writeRolloutStatus(sets);
    }
    if (yield* this.shrinkOld(sets)) return yield* this.writeRolloutStatus(sets);
    if (isComplete(this.deployment, this.deployment.status)) yield* this.cleanUp(sets.old);
    yield* this.writeRolloutStatus(sets);
  }

  private *recreate(): Task<void> {
    const sets = yield* this.findSets(false);
    let scaled = false;
    for (const set of sets.old) if (yield* this.resize(set, 0)) scaled = true;
    if (scaled) return yield* this.writeRolloutStatus(sets);
    if (actualSize(sets.old) > 0 || this.options.hasOldPods(sets.newSet)) return yield* this.writeRolloutStatus(sets);
    const made = sets.newSet ? sets : yield* this.findSets(true);
    if (made.newSet) yield* this.resize(made.newSet, this.deployment.spec.replicas);
    if (isComplete(this.deployment, this.deployment.status)) yield* this.cleanUp(made.old);
    yield* this.writeRolloutStatus(made);
  }

  /**
   * Unhealthy Pods of old sets first, then as many as availability allows (reconcileOldReplicaSets). True when a set was
   * made smaller; the status that follows still speaks of the sets as they were.
   */
  private *shrinkOld(sets: Sets): Task<boolean> {
    const { newSet } = sets;
    const active = byCreation(sets.old.filter(({ spec }) => spec.replicas > 0));
    if (!newSet || active.length === 0) return false;
    const least = this.deployment.spec.replicas - maxUnavailable(this.deployment);
    const newUnavailable = newSet.spec.replicas - newSet.status.availableReplicas;
    const room = specSize(allOf(sets)) - least - newUnavailable;
    if (room <= 0) return false;
    const cleaned = yield* this.shrink(active, room, ({ spec, status }) => spec.replicas - status.availableReplicas);
    if (cleaned.failed) return false;
    if (cleaned.count > 0) this.options.log('cleanedUpUnhealthy', { count: cleaned.count });
    const most = availableSize([...cleaned.old, newSet]) - least;
    const shrunk = yield* this.shrink(cleaned.old, most, ({ spec }) => spec.replicas);
    if (shrunk.failed) return false;
    if (shrunk.count > 0) this.options.log('scaledDownOld', { count: shrunk.count });
    return cleaned.count + shrunk.count > 0;
  }

  /**
   * Takes up to `most` Pods from the old sets in order, and from each no more than `spare` says. One that has less than
   * nothing to spare, since its status is that of a larger size, ends it as a failure does (cleanupUnhealthyReplicas).
   */
  private *shrink(
    sets: readonly ReplicaSetObject[],
    most: number,
    spare: (set: ReplicaSetObject) => number,
  ): Task<{ readonly count: number; readonly old: readonly ReplicaSetObject[]; readonly failed: boolean }> {
    const { options, deployment } = this;
    const old = [...sets];
    let count = 0;
    for (const [place, set] of sets.entries()) {
      if (most <= count) break;
      const less = Math.min(most - count, spare(set));
      if (less === 0) continue;
      if (less < 0) return { count, old, failed: true };
      const scaled = yield* options.writer.scale(
        deployment,
        set,
        set.spec.replicas - less,
        options.cached,
        options.ref,
      );
      if (scaled.error) return { count, old, failed: true };
      old[place] = scaled.set;
      count += less;
    }
    return { count, old, failed: false };
  }

  /** Gives all active sets their share of a new size (scale). */
  private *scaleProportionally(sets: Sets): Task<void> {
    const { replicas, strategy } = this.deployment.spec;
    const active = allOf(sets).filter(({ spec }) => spec.replicas > 0);
    const single = active.length > 1 ? null : (active[0] ?? sets.newSet ?? byCreation(sets.old).at(-1) ?? null);
    if (single) {
      yield* this.resize(single, replicas);
      return;
    }
    if (this.isSaturated(sets.newSet)) {
      for (const set of sets.old) yield* this.resize(set, 0);
      return;
    }
    if (strategy === 'RollingUpdate') yield* this.scaleShares(active);
  }

  private *scaleShares(active: readonly ReplicaSetObject[]): Task<void> {
    const { replicas } = this.deployment.spec;
    const allowed = replicas > 0 ? replicas + maxSurge(this.deployment) : 0;
    const toAdd = allowed - specSize(active);
    const ordered = toAdd === 0 ? active : bySize(active, toAdd > 0);
    const sizes = new Map<string, number>();
    let added = 0;
    for (const set of ordered) {
      const share = toAdd === 0 ? 0 : proportionOf(set, this.deployment, toAdd, added);
      sizes.set(set.meta.name, set.spec.replicas + share);
      added += share;
    }
    const [first] = ordered;
    if (first && toAdd !== 0)
      sizes.set(first.meta.name, Math.max(0, (sizes.get(first.meta.name) ?? 0) + toAdd - added));
    for (const set of ordered) yield* this.scale(set, sizes.get(set.meta.name) ?? 0);
  }

  /** All wanted Pods are of the new set, and available (IsSaturated). */
  private isSaturated(newSet: ReplicaSetObject | null): boolean {
    const { replicas } = this.deployment.spec;
    return (
      newSet !== null &&
      newSet.spec.replicas === replicas &&
      Number(newSet.meta.annotations[WORKLOAD.desiredReplicas]) === replicas &&
      newSet.status.availableReplicas === replicas
    );
  }

  /** Gives a set another size, if it has not that already; true when it did (scaleReplicaSetAndRecordEvent). */
  private *resize(set: ReplicaSetObject, replicas: number): Task<boolean> {
    return set.spec.replicas !== replicas && (yield* this.scale(set, replicas));
  }

  /** Gives a set a size and the annotations that go with it; true when the size is another one. */
  private *scale(set: ReplicaSetObject, replicas: number): Task<boolean> {
    const { options, deployment } = this;
    const { scaled, error } = yield* options.writer.scale(deployment, set, replicas, options.cached, options.ref);
    if (error) throw new SyncError(error);
    return scaled;
  }

  /** The new set, with its revision told, and the old ones (getAllReplicaSetsAndSyncRevision). */
  private *findSets(creates: boolean): Task<Sets> {
    const { sets } = this.options;
    const found = findNewSet(this.deployment, sets);
    const old = sets.filter(({ meta }) => meta.uid !== found?.meta.uid);
    const revision = Math.max(0, ...old.map(revisionOf)) + 1;
    if (found) return { newSet: yield* this.tellRevision(found, revision), old };
    return { newSet: creates ? yield* this.createNewSet(old, revision) : null, old };
  }

  private *tellRevision(set: ReplicaSetObject, revision: number): Task<ReplicaSetObject> {
    const { minReadySeconds } = this.deployment.spec;
    const annotations = annotationsOf(this.deployment, set.meta.annotations, revision, true);
    if (!sameLabels(annotations, set.meta.annotations) || set.spec.minReadySeconds !== minReadySeconds) {
      const next = { ...set, meta: { ...set.meta, annotations }, spec: { ...set.spec, minReadySeconds } };
      const { writer, ref } = this.options;
      return this.answered(yield* writer.updateSet(next, ref)) ?? set;
    }
    const told = this.setRevision(set.meta.annotations[WORKLOAD.revision] ?? '');
    const isNew = hasDeadline(this.deployment) && !conditionOf(this.deployment.status, 'Progressing');
    if (isNew) this.set(this.progressing('True', REASON.found, `Found new replica set "${set.meta.name}"`));
    if (told || isNew) yield* this.writeStatus(this.deployment.status);
    return set;
  }

  private *createNewSet(old: readonly ReplicaSetObject[], revision: number): Task<ReplicaSetObject | null> {
    const { deployment, options } = this;
    const set = newSetOf(deployment, old, revision);
    const answer = yield* options.writer.createSet(deployment, set, options.cached, options.ref);
    const isMade = !('error' in answer);
    const created = isMade ? answer.object : yield* this.notCreated(set, answer);
    const told = this.setRevision(String(revision));
    const isNews = isMade && hasDeadline(deployment);
    if (isNews) this.set(this.progressing('True', REASON.created, `Created new replica set "${set.meta.name}"`));
    if (told || isNews) yield* this.writeStatus(this.deployment.status);
    return created;
  }

  /**
   * A set that is there already is the new one, as soon as the cache shows it. Any other refusal is told by the Progressing
   * condition, whatever becomes of that write, and by an Event (getNewReplicaSet).
   */
  private *notCreated({ meta: { name } }: ReplicaSetObject, { error, ref }: ApiError): Task<ReplicaSetObject> {
    const { cached, writer } = this.options;
    if (error === alreadyExists('replicasets', name).error) {
      const found = cached().find(({ meta }) => meta.name === name);
      if (!found) throw new SyncError(`replicaset.apps "${name}" not found`);
      return found;
    }
    const message = `Failed to create new replica set "${name}": ${error}`;
    if (hasDeadline(this.deployment)) {
      this.set(this.progressing('False', REASON.failedCreate, message));
      yield* writer.updateStatus(this.deployment, this.deployment.status, this.options.ref);
    }
    writer.tellFailure(this.deployment, REASON.failedCreate, message, ref);
    throw new SyncError(error);
  }

  /** Old sets beyond the history that is kept are deleted (cleanupDeployment). */
  private *cleanUp(old: readonly ReplicaSetObject[]): Task<void> {
    const most = this.deployment.spec.revisionHistoryLimit;
    const alive = old.filter(({ meta }) => meta.deletionTimestamp === null);
    const surplus = alive.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, alive.length - most));
    for (const set of surplus) {
      const isBusy = set.status.replicas !== 0 || set.spec.replicas !== 0;
      if (isBusy || set.meta.generation > set.status.observedGeneration) continue;
      const answer = yield* this.options.writer.deleteSet(set, this.options.ref);
      if ('error' in answer && answer.code !== 404) throw new SyncError(answer.error);
    }
  }

  private *writeRolloutStatus(sets: Sets): Task<void> {
    const { kernel, wall } = this.options.context;
    const status = rolloutStatus(this.deployment, allOf(sets), sets.newSet, { now: kernel.now, wall });
    if (sameData(status, this.deployment.status)) return this.options.requeue(status);
    yield* this.writeStatus(status);
  }

  private *writePlainStatus(sets: Sets): Task<void> {
    const { kernel, wall } = this.options.context;
    const status = calculateStatus(this.deployment, allOf(sets), sets.newSet, { now: kernel.now, wall });
    if (!sameData(status, this.deployment.status)) yield* this.writeStatus(status);
  }

  /** Writes with the cached resource version, whatever this sync has written before: that is how conflicts come about. */
  private *writeStatus(status: DeploymentStatus): Task<void> {
    this.answered(yield* this.options.writer.updateStatus(this.deployment, status, this.options.ref));
  }

  private answered<T>(answer: { readonly object: T | null } | { readonly error: string }): T | null {
    if ('error' in answer) throw new SyncError(answer.error);
    return answer.object;
  }

  private set(condition: WorkloadCondition): void {
    const { status } = this.deployment;
    this.deployment = {
      ...this.deployment,
      status: { ...status, conditions: withCondition(status.conditions, condition) },
    };
  }

  /** Notes the Deployment's revision; false when it says so already. */
  private setRevision(revision: string): boolean {
    const { meta } = this.deployment;
    if (meta.annotations[WORKLOAD.revision] === revision) return false;
    const annotations = { ...meta.annotations, [WORKLOAD.revision]: revision };
    this.deployment = { ...this.deployment, meta: { ...meta, annotations } };
    return true;
  }

  private progressing(status: WorkloadCondition['status'], reason: string, message: string): WorkloadCondition {
    const { kernel, wall } = this.options.context;
    return newCondition('Progressing', status, reason, message, wall.seconds(kernel.now));
  }
}

/** Larger first; of equal ones the newer first when there is more to give, else the older. */
const bySize = (sets: readonly ReplicaSetObject[], newerFirst: boolean): readonly ReplicaSetObject[] => {
  const older = byCreation(sets);
  return (newerFirst ? older.toReversed() : [...older]).sort((a, b) => b.spec.replicas - a.spec.replicas);
};
