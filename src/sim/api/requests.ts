import { fnv1a64 } from '../../base/hash.ts';
import { later, type MicrosSpan } from '../../base/units.ts';
import type { ApiFault, ControllerName } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Task } from '../kernel/kernel.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { ObjectMeta } from './objects.ts';
import type { Stored } from './store.ts';
import {
  decideWrite,
  RESOURCE_NAMES,
  UNDECIDED,
  type Verb,
  type WriteRequest,
  type WrittenResource,
} from './writes.ts';

/** What came back: the object as it stands (null after a deletion), or an error by its HTTP status and text. */
export type Answer<T> = { readonly object: T | null; readonly ref: Ref } | ApiError;
export interface ApiError {
  readonly code: number;
  readonly error: string;
  readonly ref: Ref;
}

/**
 * One controller's client: commit `latency.request` after the call, answer `latency.response` later; conflicts, injected
 * faults and writes that change nothing as the API server decides them (C-002, C-003).
 */
export class ControllerClient {
  private readonly context: ClusterContext;
  private readonly actor: ControllerName;
  private readonly subject: number;
  private readonly faults: { readonly fault: ApiFault; left: number }[];

  constructor(context: ClusterContext, actor: ControllerName) {
    this.context = context;
    this.actor = actor;
    const nowhere = { node: '', pod: '', container: '', probe: '' } as const;
    this.subject = context.trace.subjectOf({ component: 'api', ...nowhere, object: actor });
    this.faults = context.input.faults
      .filter((fault) => fault.actor === actor)
      .map((fault) => ({ fault, left: fault.count }));
  }

  /**
   * Sends one request. create: an object without a name gets one from its `generateName`. update: replaces the object;
   * one that carries a resource version only if that is the stored one. delete: by name.
   */
  *send<R extends WrittenResource>(verb: Verb, resource: R, object: Stored[R], cause: Ref): Task<Answer<Stored[R]>> {
    const { trace, kernel, input } = this.context;
    const { meta } = object;
    const wait = later(kernel.now, (input.latency.request[this.actor] + this.spread(meta)) as MicrosSpan);
    const payload = { ...UNDECIDED, actor: this.actor, verb, resource, name: meta.name, committedAt: wait };
    const ref = trace.event('apiWrite', kernel.now, this.subject, payload, [cause], NO_REF, Number.NaN);
    yield (wait - kernel.now) as MicrosSpan;
    const answer = this.decideWithFaults({ verb, resource, object }, ref);
    yield input.latency.response[this.actor];
    return answer;
  }

  /** Requests for objects of one name come to the API server in a time of their own. */
  private spread({ name, generateName }: ObjectMeta): number {
    const { requestNameSpread } = this.context.input.latency;
    if (requestNameSpread === 0) return 0;
    const stem = generateName ? generateName.replace(/-$/, '') : name;
    return Number(fnv1a64(stem) % BigInt(requestNameSpread));
  }

  private decideWithFaults<R extends WrittenResource>(request: WriteRequest<R>, ref: Ref): Answer<Stored[R]> {
    const fault = this.takeFault(request);
    const decision = !fault || fault.committed ? decideWrite(this.context, request, ref) : null;
    const refused = decision && 'error' in decision;
    const error = fault && !refused ? injectedError(fault.code, request) : refused ? decision.error : '';
    const code = fault && !refused ? fault.code : (decision?.code ?? 0);
    const stored = decision && 'object' in decision ? decision : null;
    const { trace, kernel, input } = this.context;
    trace.end<'apiWrite'>(
      ref,
      later(kernel.now, input.latency.response[this.actor]),
      {
        code,
        error,
        injected: fault ? 1 : 0,
        committed: fault?.committed ? 1 : 0,
        noop: stored?.noop ? 1 : 0,
        name: stored?.object?.meta.name ?? request.object.meta.name,
        generateName: request.verb === 'create' ? request.object.meta.generateName : '',
        resourceVersion: stored?.resourceVersion ?? 0,
        generation: stored?.object?.meta.generation ?? 0,
      },
      false,
    );
    return error || !stored ? { code, error, ref } : { object: stored.object, ref };
  }

  private takeFault({ verb, resource }: WriteRequest<WrittenResource>): ApiFault | null {
    const { now } = this.context.kernel;
    const found = this.faults.find(
      ({ fault, left }) => left > 0 && fault.verb === verb && fault.resource === resource && now >= fault.from,
    );
    if (!found) return null;
    found.left--;
    return found.fault;
  }
}

/** Texts of the API machinery's errors (apimachinery pkg/api/errors). */
function injectedError(code: number, { resource, object }: WriteRequest<WrittenResource>): string {
  switch (code) {
    case 409:
      return `Operation cannot be fulfilled on ${RESOURCE_NAMES[resource]} "${object.meta.name}": injected conflict`;
    case 500:
      return 'Internal error occurred: injected';
    case 504:
      return 'Timeout: injected timeout';
    default:
      return 'injected';
  }
}
