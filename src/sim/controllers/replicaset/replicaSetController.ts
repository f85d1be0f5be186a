import { sameData } from '../../../base/equal.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import type { Answer } from '../../api/client.ts';
import { type InformerEvent, startAll } from '../../api/informer.ts';
import { keyOf } from '../../api/objects.ts';
import type { ReplicaSetObject, ReplicaSetStatus } from '../../api/workloadObjects.ts';
import { RESOURCE_NAMES } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { hop, type WorkloadContext } from '../workloads/context.ts';
import { PodExpectations } from '../workloads/expectations.ts';
import { inParallel } from '../workloads/parallel.ts';
import { podFromTemplate } from '../workloads/podFromTemplate.ts';
import { isPodActive, isPodTerminating } from '../workloads/pods.ts';
import { nextAvailable, SetSync } from '../workloads/setSync.ts';
import { chooseVictims } from './chooseVictims.ts';
import { statusOf } from './replicaSetStatus.ts';

const WORKERS = 5;
/** Most Pods that one sync creates or deletes. */
const BURST = 500;

/** Keeps as many Pods as a ReplicaSet wants (N-020). Source: pkg/controller/replicaset/replica_set.go. */
export class ReplicaSetController {
  private readonly context: WorkloadContext;
  private readonly own: SetSync<'replicasets'>;
  private readonly expectations: PodExpectations;

  constructor(context: WorkloadContext) {
    this.context = context;
    this.expectations = new PodExpectations(context.kernel);
    this.own = new SetSync({
      context,
      resource: 'replicasets',
      workers: WORKERS,
      sync: (key, set, ref) => this.sync(key, set, ref),
      forget: (key) => this.expectations.forget(key),
    });
  }

  /** Lists and watches from now on. */
  start(): void {
    const { sets, pods, work } = this.own;
    sets.onEvent(({ key, now, ref }) => {
      if (!now) this.expectations.forget(key);
      work.queue.add(key, ref);
    });
    pods.onEvent((event) => this.onPod(event));
    startAll([sets, pods], () => work.queue.run());
  }

  private onPod(event: InformerEvent<'pods'>): void {
    const { old, now } = event;
    const owner = this.own.ownerOf(old, now);
    if (!owner) return;
    const { ref } = event;
    const { key } = owner;
    if (!now || now.deletionTimestamp !== null)
      this.expectations.deletionObserved(key, (now ?? old)?.input.identity ?? '');
    else if (!old) this.expectations.creationObserved(key);
    this.own.work.queue.add(key, ref);
  }

  private *sync(key: string, set: ReplicaSetObject, ref: Ref): Task<string> {
    const mayAct = this.expectations.satisfied(key);
    const all = this.own.podsOf.of(set.meta);
    const active = all.filter(isPodActive);
    const terminating = all.filter(isPodTerminating);
    const { kernel, wall } = this.context;
    const acted =
      mayAct && set.meta.deletionTimestamp === null ? yield* this.manage(key, set, active, ref) : { error: '' };
    // Pods are judged once it has acted, and the next look goes by the same instant.
    const { now } = kernel;
    const difference = active.length - set.spec.replicas;
    const status = statusOf({ set, active, terminating, difference, error: acted.error, now }, this.context);
    const written = yield* this.writeStatus(key, set, status, ref);
    if (written) return written;
    if (acted.error) return acted.error;
    const next = nextAvailable(this.context, active, set.spec.minReadySeconds, { now, wall });
    if (next !== null) this.own.work.queue.addAfter(key, next, ref);
    return '';
  }

  private *manage(key: string, set: ReplicaSetObject, active: readonly ApiPod[], ref: Ref): Task<{ error: string }> {
    const difference = active.length - set.spec.replicas;
    if (difference < 0) return { error: yield* this.createPods(key, set, Math.min(-difference, BURST), ref) };
    if (difference > 0) return { error: yield* this.deletePods(key, set, active, Math.min(difference, BURST), ref) };
    return { error: '' };
  }

  /** In batches of 1, 2, 4 …, until one fails. */
  private *createPods(key: string, set: ReplicaSetObject, count: number, ref: Ref): Task<string> {
    this.expectations.expectCreations(key, count);
    this.own.work.log(key, 'tooFew', { need: set.spec.replicas, creating: count }, ref);
    let made = 0;
    let error = '';
    for (let batch = 1; made < count && !error; batch *= 2) {
      const size = Math.min(batch, count - made);
      const answers = yield* inParallel(
        this.context.kernel,
        Array.from({ length: size }, (_, place) => this.createPod(set, place, ref)),
      );
      error = answers.find((answer) => answer !== '') ?? '';
      made += answers.filter((answer) => answer === '').length;
    }
    const skipped = count - made;
    if (skipped > 0) this.own.work.log(key, 'slowStartFailure', { podsSkipped: skipped }, ref);
    for (let i = 0; i < skipped; i++) this.expectations.creationObserved(key);
    return error;
  }

  private *createPod(set: ReplicaSetObject, place: number, ref: Ref): Task<string> {
    const { meta, spec } = set;
    const owner = { kind: 'ReplicaSet', name: meta.name, uid: meta.uid };
    const input = podFromTemplate(spec.template, { namespace: meta.namespace, name: '', node: '', owner });
    const generateName = `${meta.name}-`;
    const extra = place * hop(this.context, 'request/createStep');
    const answer = yield* this.own.client.createPod(input, generateName, generateName, ref, extra);
    const about = { kind: 'ReplicaSet', key: keyOf(set), uid: meta.uid } as const;
    if ('error' in answer) {
      this.own.events.warn(about, 'FailedCreate', `Error creating: ${answer.error}`, answer.ref);
      return answer.error;
    }
    this.own.ownWrites.wrote(keyOf(set), RESOURCE_NAMES.pods, answer.object?.resourceVersion ?? 0);
    this.own.events.tell(about, 'SuccessfulCreate', `Created pod: ${answer.object?.input.name}`, answer.ref);
    return '';
  }

  private *deletePods(
    key: string,
    set: ReplicaSetObject,
    active: readonly ApiPod[],
    count: number,
    ref: Ref,
  ): Task<string> {
    const { candidates, victims } = chooseVictims(this.context, set, active, this.relatives(set), count);
    this.expectations.expectDeletions(
      key,
      victims.map(({ input }) => input.identity),
    );
    this.own.work.log(key, 'tooMany', { need: set.spec.replicas, deleting: count, candidates }, ref);
    const answers = yield* inParallel(
      this.context.kernel,
      victims.map((pod) => this.deletePod(key, set, pod, ref)),
    );
    const error = answers.find((answer) => answer !== '');
    return error ? `unable to delete pods: ${error}` : '';
  }

  private *deletePod(key: string, set: ReplicaSetObject, pod: ApiPod, ref: Ref): Task<string> {
    const answer = yield* this.own.client.deletePod(pod, null, ref);
    const about = { kind: 'ReplicaSet', key, uid: set.meta.uid } as const;
    if (!('error' in answer)) {
      this.own.events.tell(about, 'SuccessfulDelete', `Deleted pod: ${pod.input.name}`, answer.ref);
      return '';
    }
    this.expectations.deletionObserved(key, pod.input.identity);
    if (answer.code === 404) return '';
    this.own.events.warn(about, 'FailedDelete', `Error deleting: ${answer.error}`, answer.ref);
    return answer.error;
  }

  /** Active Pods of all sets of the same owner (getIndirectlyRelatedPods). */
  private relatives(set: ReplicaSetObject): readonly ApiPod[] {
    const { ownerUid } = set.meta;
    if (!ownerUid) return this.own.podsOf.of(set.meta).filter(isPodActive);
    const sets = [...this.own.sets.values()].filter(({ meta }) => meta.ownerUid === ownerUid);
    return sets.flatMap(({ meta }) => this.own.podsOf.of(meta).filter(isPodActive));
  }

  /** Writes a status that differs; a conflict is tried once more on the live object (updateReplicaSetStatus). */
  private *writeStatus(key: string, set: ReplicaSetObject, status: ReplicaSetStatus, ref: Ref): Task<string> {
    if (sameStatus(set, status)) return '';
    const next = { ...set, status: { ...status, observedGeneration: set.meta.generation } };
    let answer: Answer<ReplicaSetObject> = yield* this.own.client.updateStatus('replicasets', next, ref);
    if ('error' in answer) {
      const live = yield* this.own.client.get('replicasets', key, set.meta.name);
      if (!live) return answer.error;
      const again = { ...live, status: next.status };
      answer = yield* this.own.client.updateStatus('replicasets', again, ref);
    }
    if ('error' in answer) return answer.error;
    this.own.ownWrites.wrote(key, RESOURCE_NAMES.replicasets, answer.object?.meta.resourceVersion ?? 0);
    return '';
  }
}

/** Whether a status says nothing new, and of the present generation. */
function sameStatus({ meta, status: before }: ReplicaSetObject, now: ReplicaSetStatus): boolean {
  return (
    before.replicas === now.replicas &&
    before.fullyLabeledReplicas === now.fullyLabeledReplicas &&
    before.readyReplicas === now.readyReplicas &&
    before.availableReplicas === now.availableReplicas &&
    before.terminatingReplicas === now.terminatingReplicas &&
    before.observedGeneration === meta.generation &&
    sameData(before.conditions, now.conditions)
  );
}
