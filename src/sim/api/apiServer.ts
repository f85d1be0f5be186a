import type { Micros } from '../../base/units.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import type { TraceWriter } from '../trace/writer.ts';
import { EMPTY_STATUS, type PodStatus, statusToJson } from './podStatus.ts';

/** A Pod as stored: immutable, one object for each resource version. */
export interface ApiPod {
  readonly input: PodInput;
  readonly resourceVersion: number;
  readonly generation: number;
  readonly status: PodStatus;
}

/** Called at the instant of a commit; `ref` is the event that made it. */
export type Watcher = (pod: ApiPod, ref: Ref) => void;

/**
 * The API server as far as the kubelet meets it: Pods, one revision counter for all, watches.
 * Latencies belong to the clients and are theirs to add.
 */
export class ApiServer {
  private readonly kernel: Kernel;
  private readonly trace: TraceWriter;
  private readonly pods = new Map<string, ApiPod>();
  private readonly watchers: { readonly node: string; readonly watcher: Watcher }[] = [];
  private revision = 1;

  constructor(kernel: Kernel, trace: TraceWriter) {
    this.kernel = kernel;
    this.trace = trace;
  }

  /** Calls `watcher` for each commit of a Pod bound to `node`. */
  watchNode(node: string, watcher: Watcher): void {
    this.watchers.push({ node, watcher });
  }

  /** All Pods bound to `node`, in order of creation. */
  podsOf(node: string): readonly ApiPod[] {
    return [...this.pods.values()].filter((pod) => pod.input.node === node);
  }

  get(identity: string): ApiPod | undefined {
    return this.pods.get(identity);
  }

  create(input: PodInput, ref: Ref): void {
    this.commit({ input, resourceVersion: 0, generation: 1, status: EMPTY_STATUS }, ref);
  }

  /** Replaces the status subresource. Returns the index of the stored version. */
  patchStatus(identity: string, status: PodStatus, ref: Ref): number {
    const pod = this.pods.get(identity);
    if (!pod) throw new Error(`no Pod ${identity} to patch`);
    return this.commit({ ...pod, status }, ref);
  }

  private commit(pod: ApiPod, ref: Ref): number {
    const stored: ApiPod = { ...pod, resourceVersion: this.revision++ };
    const { identity, node } = stored.input;
    this.pods.set(identity, stored);
    const version = this.trace.object(`api/Pod/${identity}`, podText(stored), this.kernel.now as Micros, ref);
    for (const { node: watched, watcher } of this.watchers) if (watched === node) watcher(stored, ref);
    return version;
  }
}

/** The object as `kubectl get -o json` would show it, without the spec that was given. */
const podText = (pod: ApiPod): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: pod.input.name,
      namespace: pod.input.namespace,
      uid: pod.input.uid,
      resourceVersion: String(pod.resourceVersion),
      generation: pod.generation,
    },
    spec: { nodeName: pod.input.node },
    status: statusToJson(pod.status),
  });
