import { MICROS_PER_SECOND, type MicrosSpan } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import { type Informer, type InformerEvent, startAll } from '../../api/informer.ts';
import { isTerminal } from '../../api/podStatus.ts';
import type { DeploymentObject, DeploymentStatus, ReplicaSetObject } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { informerOf, type WorkloadContext } from '../workloads/context.ts';
import { OwnedObjects } from '../workloads/ownedObjects.ts';
import { WorkloadQueue } from '../workloads/syncQueue.ts';
import { conditionOf, hasDeadline, REASON } from './conditions.ts';
import { DeploymentSync } from './deploymentSync.ts';
import { DeploymentWriter } from './deploymentWriter.ts';
import { isComplete } from './status.ts';

const WORKERS = 5;
const MAX_RETRIES = 15;

/** Rolls Deployments out (N-010 to N-014). Source: pkg/controller/deployment/deployment_controller.go. */
export class DeploymentController {
  private readonly context: WorkloadContext;
  private readonly writer: DeploymentWriter;
  private readonly deployments: Informer<'deployments'>;
  private readonly sets: Informer<'replicasets'>;
  private readonly setsOf: OwnedObjects<'replicasets'>;
  private readonly pods: Informer<'pods'>;
  private readonly work: WorkloadQueue;

  constructor(context: WorkloadContext) {
    this.context = context;
    this.writer = new DeploymentWriter(context);
    this.deployments = informerOf(context, 'deployment', 'deployments');
    this.sets = informerOf(context, 'deployment', 'replicasets');
    this.setsOf = new OwnedObjects(this.sets, ({ meta }) => meta.ownerUid);
    this.pods = informerOf(context, 'deployment', 'pods');
    const failures = { told: 'retry', most: MAX_RETRIES } as const;
    const sync = (key: string, ref: Ref): Task<string> => this.sync(key, ref);
    this.work = new WorkloadQueue({ context, controller: 'deployment', workers: WORKERS, failures, sync });
  }

  /** Lists and watches from now on. */
  start(): void {
    this.deployments.onEvent(({ key, ref }) => this.work.queue.add(key, ref));
    this.sets.onEvent(({ old, now, ref }) => {
      if (old && now && old.meta.resourceVersion === now.meta.resourceVersion) return;
      const key = this.ownerKey(now ?? old);
      if (key) this.work.queue.add(key, ref);
    });
    this.pods.onEvent((event) => {
      if (event.old && !event.now) this.onPodGone(event.old, event);
    });
    startAll([this.deployments, this.sets, this.pods], () => this.work.queue.run());
  }

  private ownerKey(set: ReplicaSetObject | null): string | null {
    if (!set?.meta.ownerName.startsWith('Deployment/')) return null;
    const key = `${set.meta.namespace}/${set.meta.ownerName.slice('Deployment/'.length)}`;
    return this.deployments.get(key)?.meta.uid === set.meta.ownerUid ? key : null;
  }

  /** A Recreate rollout goes on when old Pods are gone. */
  private onPodGone({ input }: ApiPod, event: InformerEvent<'pods'>): void {
    const { owner, namespace } = input;
    const set = owner?.kind === 'ReplicaSet' ? this.sets.get(`${namespace}/${owner.name}`) : undefined;
    const key = this.ownerKey(set ?? null);
    if (key && this.deployments.get(key)?.spec.strategy === 'Recreate') this.work.queue.add(key, event.ref);
  }

  private *sync(key: string, ref: Ref): Task<string> {
    const deployment = this.deployments.get(key);
    if (!deployment) return '';
    const sets = this.setsOf.of(deployment.meta);
    // Its Pods count as they are now, whatever the sync writes before it looks at them; only Recreate does.
    const pods = deployment.spec.strategy === 'Recreate' ? [...this.pods.values()] : [];
    const sync = new DeploymentSync({
      context: this.context,
      writer: this.writer,
      deployment,
      sets,
      cached: () => this.setsOf.of(deployment.meta),
      hasOldPods: (newSet) => hasOldPods(pods, sets, newSet),
      log: (message, values) => this.work.log(key, message, values, ref),
      requeue: (status) => this.lookAtProgress(key, deployment, status, ref),
      ref,
    });
    return yield* sync.run();
  }

  /** Comes back for the progress deadline (requeueStuckDeployment; N-014). */
  private lookAtProgress(key: string, deployment: DeploymentObject, status: DeploymentStatus, ref: Ref): void {
    const current = conditionOf(deployment.status, 'Progressing');
    if (!current || !hasDeadline(deployment)) return;
    if (isComplete(deployment, status) || current.reason === REASON.timedOut) return;
    const { kernel, wall } = this.context;
    const due = (current.lastUpdateTime + deployment.spec.progressDeadlineSeconds) * MICROS_PER_SECOND;
    const after = due - (wall.epoch + kernel.now);
    if (after < MICROS_PER_SECOND) return this.work.queue.addRateLimited(key, ref);
    this.work.log(key, 'progressCheckIn', { queueAfter: Math.trunc(after / MICROS_PER_SECOND) }, ref);
    this.work.queue.addAfter(key, (after + MICROS_PER_SECOND) as MicrosSpan, ref);
  }
}

/** Whether Pods of old sets are there that have not ended (oldPodsRunning; N-012). */
function hasOldPods(
  pods: readonly ApiPod[],
  sets: readonly ReplicaSetObject[],
  newSet: ReplicaSetObject | null,
): boolean {
  const old = new Set(sets.map(({ meta }) => meta.uid).filter((uid) => uid !== newSet?.meta.uid));
  return pods.some(({ input, status }) => old.has(input.owner?.uid ?? '') && !isTerminal(status.phase));
}
