import { fnv1a64 } from '../../base/hash.ts';
import type { MicrosSpan } from '../../base/units.ts';
import type { ControllerName } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Task } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import { type Answer, ApiClient } from './client.ts';
import type { ObjectMeta } from './objects.ts';
import type { Stored } from './store.ts';
import { decideWrite, type Verb, type WrittenResource } from './writes.ts';

/** The client of one endpoint controller: commit `latency.request` after the call, answer `latency.response` later. */
export class ControllerClient {
  private readonly context: ClusterContext;
  private readonly actor: ControllerName;
  private readonly client: ApiClient;

  constructor(context: ClusterContext, actor: ControllerName) {
    this.context = context;
    this.actor = actor;
    this.client = new ApiClient(context, actor);
  }

  /**
   * Sends one request. create: an object without a name gets one from its `generateName`. update: replaces the object;
   * one that carries a resource version only if that is the stored one. delete: by name.
   */
  *send<R extends WrittenResource>(verb: Verb, resource: R, object: Stored[R], cause: Ref): Task<Answer<Stored[R]>> {
    const { kernel, hops } = this.context;
    const { latency } = this.context.input;
    const { meta } = object;
    const call = {
      verb,
      resource,
      subresource: '' as const,
      name: meta.name,
      generateName: meta.generateName,
      request: hops.next(
        'controllerRequest',
        this.actor,
        kernel.now,
        (latency.request[this.actor] + this.spread(meta)) as MicrosSpan,
      ),
      response: hops.next('controllerResponse', this.actor, kernel.now, latency.response[this.actor]),
      basis: '',
      decide: (ref: Ref) => decideWrite(this.context, { verb, resource, object }, ref),
    };
    return yield* this.client.send(call, cause);
  }

  /** Requests for objects of one name come to the API server in a time of their own. */
  private spread({ name, generateName }: ObjectMeta): number {
    const { requestNameSpread } = this.context.input.latency;
    if (requestNameSpread === 0) return 0;
    const stem = generateName ? generateName.replace(/-$/, '') : name;
    return Number(fnv1a64(stem) % BigInt(requestNameSpread));
  }
}
