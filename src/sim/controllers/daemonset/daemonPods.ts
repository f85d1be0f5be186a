import type { ApiPod } from '../../api/apiPod.ts';
import { keyOf } from '../../api/objects.ts';
import { type DaemonSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import { RESOURCE_NAMES } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import { aggregate } from '../shared/aggregate.ts';
import type { WorkloadClient } from '../workloads/client.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import type { About, WorkloadEvents } from '../workloads/events.ts';
import type { Expectations } from '../workloads/expectations.ts';
import type { OwnWrites } from '../workloads/ownWrites.ts';
import { inBatches, inParallel } from '../workloads/parallel.ts';
import { podFromTemplate } from '../workloads/podFromTemplate.ts';
import type { DaemonPlan } from './daemonNodes.ts';
import { daemonTolerations } from './placement.ts';

/** Most Pods that one sync creates or deletes. */
const BURST = 250;

interface Tools {
  readonly context: WorkloadContext;
  readonly client: WorkloadClient;
  readonly events: WorkloadEvents;
  readonly expectations: Expectations;
  readonly ownWrites: OwnWrites;
}

const aboutOf = (set: DaemonSetObject): About => ({ kind: 'DaemonSet', key: keyOf(set), uid: set.meta.uid });

/** Creates and deletes the Pods of DaemonSets. Source: pkg/controller/daemon/daemon_controller.go syncNodes. */
export class DaemonPods {
  private readonly tools: Tools;

  constructor(tools: Tools) {
    this.tools = tools;
  }

  /** First the creations, in batches of 1, 2, 4 …, then the deletions; the result is the errors, '' without any. */
  *carryOut(set: DaemonSetObject, plan: DaemonPlan, ref: Ref): Task<string> {
    const { context, expectations } = this.tools;
    const key = keyOf(set);
    const create = plan.create.slice(0, BURST);
    const gone = plan.delete.slice(0, BURST);
    expectations.expect(key, create.length, gone.length);
    const creations = create.map((node) => () => this.create(set, node, ref));
    const created = yield* inBatches(context.kernel, creations, (error) => error !== '');
    for (let skipped = create.length - created.length; skipped > 0; skipped--) expectations.creationObserved(key);
    const deleted = yield* inParallel(
      context.kernel,
      gone.map((pod) => this.delete(set, pod, ref)),
    );
    return aggregate([...created, ...deleted].filter((error) => error !== ''));
  }

  private *create(set: DaemonSetObject, target: string, ref: Ref): Task<string> {
    const { client, context, events, expectations, ownWrites } = this.tools;
    const { meta, spec } = set;
    const owner = { kind: 'DaemonSet', name: meta.name, uid: meta.uid };
    const labels = { [WORKLOAD.controllerRevisionHash]: spec.template.hash };
    const input = podFromTemplate(spec.template, { namespace: meta.namespace, name: '', node: '', owner, labels });
    const placed = { ...input, target, tolerations: daemonTolerations(set) };
    const answer = yield* client.createPod(placed, `${meta.name}-`, target, ref);
    if (!('error' in answer)) {
      ownWrites.wrote(keyOf(set), RESOURCE_NAMES.pods, answer.object?.resourceVersion ?? 0);
      events.tell(aboutOf(set), 'SuccessfulCreate', `Created pod: ${answer.object?.input.name}`, answer.ref);
      return '';
    }
    events.warn(aboutOf(set), 'FailedCreate', `Error creating: ${answer.error}`, answer.ref);
    expectations.creationObserved(keyOf(set));
    yield context.errors.handle();
    return answer.error;
  }

  /** A Pod that is gone already is as good. */
  private *delete(set: DaemonSetObject, pod: ApiPod, ref: Ref): Task<string> {
    const { client, context, events, expectations } = this.tools;
    const answer = yield* client.deletePod(pod, null, ref);
    if (!('error' in answer)) {
      events.tell(aboutOf(set), 'SuccessfulDelete', `Deleted pod: ${pod.input.name}`, answer.ref);
      return '';
    }
    expectations.deletionObserved(keyOf(set));
    if (answer.code === 404) return '';
    events.warn(aboutOf(set), 'FailedDelete', `Error deleting: ${answer.error}`, answer.ref);
    yield context.errors.handle();
    return `unable to delete pods: ${answer.error}`;
  }
}
