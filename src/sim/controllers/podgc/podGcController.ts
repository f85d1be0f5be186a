import { later, type Micros, seconds } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import { asDisruptionTarget } from '../../api/disruptionTarget.ts';
import { type Informer, startAll } from '../../api/informer.ts';
import { isTerminal } from '../../api/podStatus.ts';
import type { Task } from '../../kernel/kernel.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { WorkloadClient } from '../workloads/client.ts';
import { informerOf, type WorkloadContext } from '../workloads/context.ts';
import { logLine } from '../workloads/log.ts';
import { forever, phaseOf, startLoops } from '../workloads/loops.ts';
import { inParallel } from '../workloads/parallel.ts';

/** From pass to pass, and how long a node has to be missing. */
const PERIOD = seconds(20);
const QUARANTINE = seconds(40);
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';
const REASON = 'DeletionByPodGC';
const MESSAGE = 'PodGC: node no longer exists';

/**
 * Removes Pods that nobody else will: of nodes that are gone or out of service, and unbound ones that are being deleted
 * (N-037). Source: pkg/controller/podgc/gc_controller.go. Left out: ended Pods above the threshold of 12 500.
 */
export class PodGcController {
  private readonly context: WorkloadContext;
  private readonly client: WorkloadClient;
  private readonly nodes: Informer<'nodes'>;
  private readonly pods: Informer<'pods'>;
  /** Missing nodes: when their quarantine is over. */
  private readonly quarantine = new Map<string, Micros>();

  constructor(context: WorkloadContext) {
    this.context = context;
    this.client = new WorkloadClient(context, 'podgc');
    this.nodes = informerOf(context, 'podgc', 'nodes');
    this.pods = informerOf(context, 'podgc', 'pods');
  }

  /** Lists and watches from now on. */
  start(): void {
    startAll([this.pods, this.nodes], () => {});
    const phase = phaseOf(this.context, 'podgc', PERIOD);
    startLoops(this.context.kernel, () => [forever(() => this.pass(), PERIOD, phase)]);
  }

  private *pass(): Task<void> {
    const present = new Set([...this.nodes.values()].map(({ meta }) => meta.name));
    const pods = this.inDrawnOrder([...this.pods.values()], present);
    yield* this.collectOutOfService(pods);
    yield* this.collectOrphans(pods, present);
    for (const pod of pods.filter(isUnboundTerminating)) {
      const ref = this.log(pod.input.identity, 'unscheduledTerminating');
      yield* this.failAndDelete(pod, false, ref);
    }
  }

  /** Pods that a pass may collect come in the order of a Go map: drawn. */
  private inDrawnOrder(pods: readonly ApiPod[], present: ReadonlySet<string>): readonly ApiPod[] {
    const { draws, kernel } = this.context;
    const due = pods.filter((pod) => {
      const { node } = pod.input;
      const isOrphan = node !== '' && !present.has(node) && (this.quarantine.get(node) ?? Infinity) <= kernel.now;
      return isOrphan || isUnboundTerminating(pod) || this.isOutOfService(pod);
    });
    const others = pods.filter((pod) => !due.includes(pod));
    if (due.length < 2) return [...others, ...due];
    const byName = new Map(due.map((pod) => [pod.input.name, pod]));
    const names = draws.order('podgc/order', kernel.now, [...byName.keys()]);
    return [...others, ...names.flatMap((name) => byName.get(name) ?? [])];
  }

  /** Source: gcTerminating. */
  private *collectOutOfService(pods: readonly ApiPod[]): Task<void> {
    const due = pods
      .filter((pod) => this.isOutOfService(pod))
      .toSorted((a, b) => a.creationTimestamp - b.creationTimestamp || (a.input.name < b.input.name ? -1 : 1));
    const tasks = due.map((pod) => this.failAndDelete(pod, false, this.log(pod.input.identity, 'outOfServicePod')));
    yield* inParallel(this.context.kernel, tasks);
  }

  private isOutOfService({ deletionTimestamp, input }: ApiPod): boolean {
    const node = this.nodes.get(input.node);
    if (deletionTimestamp === null || !node) return false;
    return node.ready !== 'True' && node.taints.some(({ key }) => key === OUT_OF_SERVICE);
  }

  /** Source: gcOrphaned, discoverDeletedNodes. */
  private *collectOrphans(pods: readonly ApiPod[], present: ReadonlySet<string>): Task<void> {
    const { now } = this.context.kernel;
    const over = [...this.quarantine].filter(([, until]) => until <= now).map(([node]) => node);
    for (const node of over) this.quarantine.delete(node);
    for (const { input } of pods)
      if (input.node && !present.has(input.node) && !this.quarantine.has(input.node))
        this.quarantine.set(input.node, later(now, QUARANTINE));
    const gone = new Set<string>();
    for (const node of over.filter((one) => !present.has(one)))
      if (!(yield* this.client.get('nodes', node, node))) gone.add(node);
    for (const pod of pods) {
      const { node, name } = pod.input;
      if (gone.has(node)) yield* this.failAndDelete(pod, true, this.log(node, 'orphan', { node, pod: name }));
    }
  }

  /** Source: markFailedAndDeletePodWithCondition. */
  private *failAndDelete(pod: ApiPod, isOrphan: boolean, ref: Ref): Task<void> {
    const { client, context } = this;
    const now = context.wall.seconds(context.kernel.now);
    if (!isTerminal(pod.status.phase)) {
      const answer = yield* client.changePod('patch', 'status', pod, ref, (stored) => {
        const failed: ApiPod = { ...stored, status: { ...stored.status, phase: 'Failed' } };
        return isOrphan ? asDisruptionTarget(failed, REASON, MESSAGE, now) : failed;
      });
      if ('error' in answer) return void (yield context.errors.handle());
    }
    if ('error' in (yield* client.deletePod(pod, 0, ref))) yield context.errors.handle();
  }

  private log(key: string, message: string, values: object = {}): Ref {
    return logLine(this.context, 'podgc', { key, message, values }, NO_REF);
  }
}

const isUnboundTerminating = ({ deletionTimestamp, input }: ApiPod): boolean =>
  deletionTimestamp !== null && input.node === '';
