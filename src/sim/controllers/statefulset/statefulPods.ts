import type { ApiPod } from '../../api/apiPod.ts';
import { keyOf } from '../../api/objects.ts';
import { type PodTemplate, type StatefulSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import { RESOURCE_NAMES } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadClient } from '../workloads/client.ts';
import type { WorkloadEvents } from '../workloads/events.ts';
import type { OwnWrites } from '../workloads/ownWrites.ts';
import { podFromTemplate } from '../workloads/podFromTemplate.ts';
import type { Replica } from './replicas.ts';

/** Creates and deletes the Pods of StatefulSets. Source: pkg/controller/statefulset/stateful_pod_control.go. */
export class StatefulPods {
  private readonly client: WorkloadClient;
  private readonly events: WorkloadEvents;
  private readonly ownWrites: OwnWrites;

  constructor(client: WorkloadClient, events: WorkloadEvents, ownWrites: OwnWrites) {
    this.client = client;
    this.events = events;
    this.ownWrites = ownWrites;
  }

  /** Creates a replica's Pod; the result is the error, '' when it went well. */
  *create(set: StatefulSetObject, { name, ordinal, revision }: Replica, template: PodTemplate, ref: Ref): Task<string> {
    const { namespace, uid, name: setName } = set.meta;
    const labels = {
      [WORKLOAD.statefulSetPodName]: name,
      [WORKLOAD.podIndex]: String(ordinal),
      [WORKLOAD.controllerRevisionHash]: revision,
    };
    const owner = { kind: 'StatefulSet', name: setName, uid };
    const input = podFromTemplate(template, { namespace, name, node: '', owner, labels });
    const named = { ...input, hostname: name, subdomain: set.spec.serviceName };
    const answer = yield* this.client.createPod(named, '', name, ref);
    const error = 'error' in answer ? answer.error : '';
    if ('error' in answer && answer.code === 409) return error;
    if (!('error' in answer))
      this.ownWrites.wrote(keyOf(set), RESOURCE_NAMES.pods, answer.object?.resourceVersion ?? 0);
    this.tell('Create', set, name, error, answer.ref);
    return error;
  }

  /** Deletes a Pod; one that is gone already is as good. */
  *delete(set: StatefulSetObject, pod: ApiPod, ref: Ref): Task<string> {
    const answer = yield* this.client.deletePod(pod, null, ref);
    const error = 'error' in answer && answer.code !== 404 ? answer.error : '';
    this.tell('Delete', set, pod.input.name, error, answer.ref);
    return error;
  }

  private tell(verb: 'Create' | 'Delete', set: StatefulSetObject, pod: string, error: string, ref: Ref): void {
    const about = { kind: 'StatefulSet', key: keyOf(set), uid: set.meta.uid };
    const done = `${verb} Pod ${pod} in StatefulSet ${set.meta.name}`;
    if (error === '') this.events.tell(about, `Successful${verb}`, `${done} successful`, ref);
    else this.events.warn(about, `Failed${verb}`, `${done} failed error: ${error}`, ref);
  }
}
