import { MICROS_PER_SECOND, type MicrosSpan, milliseconds } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import { type BudgetStatus, withAllowedCondition } from '../../api/budgetStatus.ts';
import { type Informer, startAll } from '../../api/informer.ts';
import { keyOf, selects } from '../../api/objects.ts';
import type { PodDisruptionBudgetObject } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { WorkloadClient } from '../workloads/client.ts';
import { informerOf, subjectOf, type WorkloadContext } from '../workloads/context.ts';
import { WorkloadEvents } from '../workloads/events.ts';
import { WorkloadQueue } from '../workloads/syncQueue.ts';
import { WorkQueue } from '../workQueue.ts';
import { countsOwners, expectedOf, healthyOf, saysNothingNew, stillDisrupted } from './budgetCounts.ts';
import { OwnerScales } from './ownerScales.ts';

const WORKERS = 5;
const CONFLICT = 409;

/**
 * Says for each PodDisruptionBudget how many evictions it allows (C-014). It writes what its cache says, so that a write
 * soon after its own is a conflict. Source: pkg/controller/disruption/disruption.go.
 */
export class DisruptionController {
  private readonly context: WorkloadContext;
  private readonly client: WorkloadClient;
  private readonly events: WorkloadEvents;
  private readonly budgets: Informer<'poddisruptionbudgets'>;
  private readonly pods: Informer<'pods'>;
  private readonly scales: OwnerScales;
  private readonly work: WorkloadQueue;
  /** Budgets that are looked at again when an evicted Pod should have been deleted. */
  private readonly rechecks: WorkQueue;

  constructor(context: WorkloadContext) {
    this.context = context;
    this.client = new WorkloadClient(context, 'disruption');
    this.events = new WorkloadEvents(context, 'disruption');
    this.budgets = informerOf(context, 'disruption', 'poddisruptionbudgets');
    this.pods = informerOf(context, 'disruption', 'pods');
    this.scales = new OwnerScales(context);
    const failures = { told: 'syncError', most: Number.POSITIVE_INFINITY } as const;
    const sync = (key: string, ref: Ref): Task<string> => this.sync(key, ref);
    this.work = new WorkloadQueue({ context, controller: 'disruption', workers: WORKERS, failures, sync });
    const { kernel, trace } = context;
    this.rechecks = new WorkQueue({
      kernel,
      trace,
      subjectOf: (key) => subjectOf(context, 'disruption', `recheck/${key}`),
      workers: 1,
      baseDelay: milliseconds(5),
      maxDelay: (1000 * MICROS_PER_SECOND) as MicrosSpan,
      process: (key, causes) => this.recheck(key, causes),
    });
  }

  /** Lists and watches from now on. */
  start(): void {
    this.budgets.onEvent(({ key, ref }) => this.work.queue.add(key, ref));
    this.pods.onEvent((event) => {
      const labels = (event.now ?? event.old)?.labels ?? {};
      const budget = [...this.budgets.values()].find(({ spec }) => selects(spec.selector, labels));
      if (budget) this.work.queue.add(keyOf(budget), event.ref);
    });
    startAll([this.pods, this.budgets, ...this.scales.informers], () => {
      this.work.queue.run();
      this.rechecks.run();
    });
  }

  /** Takes no time. */
  private *recheck(key: string, causes: readonly Ref[]): Task<void> {
    yield 0 as MicrosSpan;
    for (const ref of causes) this.work.queue.addRateLimited(key, ref);
  }

  /** A conflict is retried; any other error closes the budget, so that nobody is evicted by mistake. */
  private *sync(key: string, ref: Ref): Task<string> {
    const budget = this.budgets.get(key);
    if (!budget) return '';
    const { code, error } = yield* this.trySync(key, budget, ref);
    if (error === '' || code === CONFLICT) return error;
    const { kernel, wall } = this.context;
    const closed = { ...budget.status, disruptionsAllowed: 0 };
    const said = { status: 'False', reason: 'SyncFailed' } as const;
    const status = withAllowedCondition(closed, wall.seconds(kernel.now), said, error);
    return (yield* this.write(budget, status, ref)).error;
  }

  private *trySync(key: string, budget: PodDisruptionBudgetObject, ref: Ref): Task<Outcome> {
    const { kernel, wall } = this.context;
    const { namespace } = budget.meta;
    const about = { kind: 'PodDisruptionBudget', key, uid: budget.meta.uid };
    const pods = [...this.pods.values()].filter(
      ({ input, labels }) => input.namespace === namespace && selects(budget.spec.selector, labels),
    );
    if (pods.length === 0) this.events.tell(about, 'NoPods', 'No matching pods found', ref);
    const scale = countsOwners(budget) ? this.scales.of(pods) : { scale: pods.length };
    if ('error' in scale) {
      const message = `Failed to calculate the number of expected pods: ${scale.error}`;
      this.events.warn(about, 'CalculateExpectedPodCountFailed', message, ref);
      return { code: 0, error: scale.error };
    }
    const now = wall.epoch + kernel.now;
    const { disrupted, late, next } = stillDisrupted(budget.status, pods, now);
    for (const pod of late) this.tellNotDeleted(budget, pod, ref);
    const outcome = yield* this.writeCounts(budget, pods, disrupted, scale.scale, ref);
    if (outcome.error === '' && next !== null) this.rechecks.addAfter(key, (next - now) as MicrosSpan, ref);
    return outcome;
  }

  private tellNotDeleted({ meta }: PodDisruptionBudgetObject, { input }: ApiPod, ref: Ref): void {
    const about = { kind: 'Pod', key: input.identity, uid: input.uid, name: input.name };
    // The real message, too, has the namespace twice.
    const message = `Pod was expected by PDB ${meta.namespace}/${meta.namespace} to be deleted but it wasn't`;
    this.events.warn(about, 'NotDeleted', message, ref);
  }

  private *writeCounts(
    budget: PodDisruptionBudgetObject,
    pods: readonly ApiPod[],
    disruptedPods: BudgetStatus['disruptedPods'],
    scale: number,
    ref: Ref,
  ): Task<Outcome> {
    const { kernel, wall } = this.context;
    const { expectedPods, desiredHealthy } = expectedOf(budget, scale);
    const currentHealthy = healthyOf(pods, disruptedPods);
    const room = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
    const counted = {
      observedGeneration: budget.meta.generation,
      disruptionsAllowed: room,
      currentHealthy,
      desiredHealthy,
      expectedPods,
      disruptedPods,
      conditions: budget.status.conditions,
    };
    if (saysNothingNew(budget, counted)) return { code: 0, error: '' };
    return yield* this.write(budget, withAllowedCondition(counted, wall.seconds(kernel.now)), ref);
  }

  private *write(budget: PodDisruptionBudgetObject, status: BudgetStatus, ref: Ref): Task<Outcome> {
    const answer = yield* this.client.updateStatus('poddisruptionbudgets', { ...budget, status }, ref);
    return 'error' in answer ? { code: answer.code, error: answer.error } : { code: 0, error: '' };
  }
}

/** Of a write: HTTP status and error, 0 and '' without one. */
interface Outcome {
  readonly code: number;
  readonly error: string;
}
