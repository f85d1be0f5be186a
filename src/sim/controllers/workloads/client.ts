import type { MicrosSpan } from '../../../base/units.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import { type Answer, ApiClient } from '../../api/client.ts';
import type { ObjectMeta, Resource } from '../../api/objects.ts';
import { sameObject } from '../../api/objectText.ts';
import { invalidStatefulSetStatus } from '../../api/statusValidation.ts';
import type { Stored } from '../../api/store.ts';
import type { StatefulSetObject } from '../../api/workloadObjects.ts';
import { specText } from '../../api/workloadText.ts';
import { alreadyExists, conflict, type Decision, decideWrite, notFound } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import { asStored } from '../../kubelet/behaviour.ts';
import type { PodInput } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import { hop, spreadOf, type WorkloadContext } from './context.ts';

/** Resources with a main part and a status of their own. */
export type WorkloadResource =
  | 'deployments'
  | 'replicasets'
  | 'statefulsets'
  | 'daemonsets'
  | 'controllerrevisions'
  | 'poddisruptionbudgets';
type Owned<R extends WorkloadResource> = Stored[R] & { readonly meta: ObjectMeta };

interface Options {
  /** On top of the request's length: requests of one instant come one after the other. */
  readonly extra?: number;
  readonly basis?: object;
}

/** A controller's client for workloads and Pods. Requests go in parallel if they are started so. */
export class WorkloadClient {
  private readonly context: WorkloadContext;
  /** Call to commit, and commit to return, µs. */
  private readonly request: MicrosSpan;
  private readonly response: MicrosSpan;
  private readonly client: ApiClient;

  /** `component`: whose hops its requests take. */
  constructor(context: WorkloadContext, actor: string, component = actor) {
    this.context = context;
    this.request = hop(context, `request/${component}`);
    this.response = hop(context, `response/${component}`);
    this.client = new ApiClient(context, actor);
  }

  /** Stores a new object under its name. */
  create<R extends WorkloadResource>(
    resource: R,
    object: Owned<R>,
    cause: Ref,
    options?: Options,
  ): Task<Answer<Stored[R]>> {
    return this.call('create', resource, '', object.meta.name, cause, options, (ref) =>
      decideWrite(this.context, { verb: 'create', resource, object }, ref),
    );
  }

  /** Replaces all but the status of an object, if it is still the version that was read (C-003). */
  update<R extends WorkloadResource>(
    resource: R,
    object: Owned<R>,
    cause: Ref,
    options?: Options,
  ): Task<Answer<Stored[R]>> {
    return this.replace(resource, '', object, cause, options, (stored) => {
      const next = 'status' in stored ? { ...object, status: stored.status } : object;
      const raised = raisesGeneration(resource, stored, next);
      return { ...next, meta: { ...object.meta, generation: stored.meta.generation + (raised ? 1 : 0) } };
    });
  }

  /** Replaces the status and the annotations of an object, if it is still the version that was read. */
  updateStatus<R extends WorkloadResource>(
    resource: R,
    object: Owned<R>,
    cause: Ref,
    options?: Options,
  ): Task<Answer<Stored[R]>> {
    return this.replace(resource, 'status', object, cause, options, (stored) => ({
      ...stored,
      ...('status' in object && { status: object.status }),
      meta: { ...stored.meta, annotations: object.meta.annotations },
    }));
  }

  delete<R extends WorkloadResource>(resource: R, object: Owned<R>, cause: Ref): Task<Answer<Stored[R]>> {
    return this.call('delete', resource, '', object.meta.name, cause, undefined, (ref) =>
      decideWrite(this.context, { verb: 'delete', resource, object }, ref),
    );
  }

  /** Creates a Pod; `input.name` '' takes a name from `generateName`. `spreadBy`: what its request's length goes by. */
  createPod(input: PodInput, generateName: string, spreadBy: string, cause: Ref, extra = 0): Task<Answer<ApiPod>> {
    const options = { extra, spreadBy, generateName };
    return this.call('create', 'pods', '', input.name, cause, options, (ref) => {
      const { api, names, behaviour } = this.context;
      if (input.name && api.named(input.namespace, input.name)) return alreadyExists('pods', input.name);
      const asked = asStored(input, behaviour);
      const named = input.name ? names.named(asked, input.name) : names.podOf(asked, generateName);
      api.create(named, ref);
      return this.written(201, api.get(named.identity) ?? null);
    });
  }

  /** Deletes a Pod; `graceSeconds` null: its own grace. */
  deletePod(pod: ApiPod, graceSeconds: number | null, cause: Ref, extra = 0): Task<Answer<ApiPod>> {
    const { identity, name } = pod.input;
    return this.call('delete', 'pods', '', name, cause, { extra }, (ref) => {
      const { api } = this.context;
      const stored = api.get(identity);
      if (!stored || stored.input.uid !== pod.input.uid) return notFound('pods', name);
      api.delete(identity, graceSeconds, ref, true);
      const now = api.get(identity) ?? null;
      return now === stored ? this.unchanged(stored) : this.written(200, now);
    });
  }

  /** Writes part of a Pod by `change`, which sees the stored one; null or the same leaves it as it is. */
  changePod(
    verb: 'patch' | 'update',
    subresource: 'status' | 'binding' | '',
    pod: ApiPod,
    cause: Ref,
    change: (stored: ApiPod) => ApiPod | Decision<ApiPod>,
  ): Task<Answer<ApiPod>> {
    const { identity, name } = pod.input;
    return this.call(verb, 'pods', subresource, name, cause, undefined, (ref) => {
      const { api } = this.context;
      const stored = api.get(identity);
      if (!stored) return notFound('pods', name);
      const next = change(stored);
      if ('code' in next) return next;
      if (sameObject('pods', next, stored)) return this.unchanged(stored);
      api.replace(next, ref);
      return this.written(200, api.get(identity) ?? null);
    });
  }

  /** The live object, after as long as a request takes that changes nothing. */
  *get<R extends Resource>(resource: R, key: string, name: string): Task<Stored[R] | null> {
    const { context, request, response } = this;
    yield (request + spreadOf(context, name)) as MicrosSpan;
    const live = context.store.get(resource, key) ?? null;
    yield response;
    return live;
  }

  /** Any other request. */
  *call<R extends Resource>(
    verb: 'create' | 'update' | 'patch' | 'delete',
    resource: R,
    subresource: '' | 'status' | 'binding',
    name: string,
    cause: Ref,
    options: (Options & { readonly spreadBy?: string; readonly generateName?: string }) | undefined,
    decide: (ref: Ref) => Decision<Stored[R]>,
  ): Task<Answer<Stored[R]>> {
    const { context, request, response } = this;
    const spread = spreadOf(context, options?.spreadBy ?? name) + (options?.extra ?? 0);
    return yield* this.client.send(
      {
        verb,
        resource,
        subresource,
        name,
        generateName: options?.generateName ?? '',
        request: (request + spread) as MicrosSpan,
        response,
        basis: options?.basis ? JSON.stringify(options.basis) : '',
        decide,
      },
      cause,
    );
  }

  private replace<R extends WorkloadResource>(
    resource: R,
    subresource: '' | 'status',
    { meta }: Owned<R>,
    cause: Ref,
    options: Options | undefined,
    merge: (stored: Stored[R]) => Stored[R],
  ): Task<Answer<Stored[R]>> {
    return this.call('update', resource, subresource, meta.name, cause, options, (ref) => {
      const key = `${meta.namespace}/${meta.name}`;
      const stored = this.context.store.get(resource, key);
      if (!stored) return notFound(resource, meta.name);
      if (stored.meta.resourceVersion !== meta.resourceVersion) return conflict(resource, meta.name);
      const next = merge(stored);
      const { resourceVersion } = stored.meta;
      const invalid = resource === 'statefulsets' ? invalidStatefulSetStatus(next as StatefulSetObject) : null;
      if (invalid) return { code: 422, error: invalid };
      if (sameObject(resource, { ...next, meta: { ...next.meta, resourceVersion } }, stored))
        return { code: 200, object: stored, resourceVersion, noop: true };
      return this.written(200, this.put(resource, key, next, ref));
    });
  }

  /** A decision that stored something just now. */
  private written<T>(code: number, object: T | null): Decision<T> {
    const { lastRevision: resourceVersion } = this.context.store;
    return object
      ? { code, object, resourceVersion, noop: false }
      : { code, object: null, resourceVersion, noop: false };
  }

  private unchanged(pod: ApiPod): Decision<ApiPod> {
    return { code: 200, object: pod, resourceVersion: pod.resourceVersion, noop: true };
  }

  private put<R extends WorkloadResource>(resource: R, key: string, object: Stored[R], ref: Ref): Stored[R] {
    const { store } = this.context;
    store.put(resource, key, (resourceVersion) => ({ ...object, meta: { ...object.meta, resourceVersion } }), ref);
    return store.get(resource, key) as Stored[R];
  }
}

/** Whether a write changes what raises the generation: anything but metadata and status. */
export const raisesGeneration = <R extends WorkloadResource>(
  resource: R,
  before: Stored[R],
  next: Stored[R],
): boolean => specText(resource, before) !== specText(resource, next);
