import { later, type MicrosSpan } from '../../base/units.ts';
import type { ApiFault } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Task } from '../kernel/kernel.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { Resource } from './objects.ts';
import type { Stored } from './store.ts';
import { type Decision, RESOURCE_NAMES, undecided } from './writes.ts';

/** What came back: the object as it stands (null after a deletion), or an error by its HTTP status and text. */
export type Answer<T> = { readonly object: T | null; readonly ref: Ref } | ApiError;
export interface ApiError {
  readonly code: number;
  readonly error: string;
  readonly ref: Ref;
}

export interface ApiCall<R extends Resource> {
  readonly verb: ApiFault['verb'];
  readonly resource: R;
  readonly subresource: '' | 'status' | 'binding';
  /** As it is called; '' when the API server makes the name. */
  readonly name: string;
  readonly generateName: string;
  /** Call to commit, and commit to return, µs. */
  readonly request: MicrosSpan;
  readonly response: MicrosSpan;
  /** JSON of what the caller reckoned with; '' without. */
  readonly basis: string;
  /** Decides at the instant of the commit; `ref` is the request. */
  readonly decide: (ref: Ref) => Decision<Stored[R]>;
}

/** Sends requests to the API server on behalf of one component, and meets the faults that are injected for it. */
export class ApiClient {
  private readonly context: ClusterContext;
  private readonly actor: string;
  private readonly subject: number;
  private readonly faults: { readonly fault: ApiFault; left: number }[];

  constructor(context: ClusterContext, actor: string) {
    this.context = context;
    this.actor = actor;
    const nowhere = { node: '', pod: '', container: '', probe: '' } as const;
    this.subject = context.trace.subjectOf({ component: 'api', ...nowhere, object: actor });
    this.faults = context.input.faults
      .filter((fault) => fault.actor === actor)
      .map((fault) => ({ fault, left: fault.count }));
  }

  /** Sends one request and waits for the answer. */
  *send<R extends Resource>(call: ApiCall<R>, cause: Ref): Task<Answer<Stored[R]>> {
    const { trace, kernel } = this.context;
    const { verb, resource, subresource, name, request, response, basis } = call;
    const { actor } = this;
    const committedAt = later(kernel.now, request);
    const payload = undecided({ actor, verb, resource, subresource, name, committedAt, basis });
    const ref = trace.event('apiWrite', kernel.now, this.subject, payload, [cause], NO_REF, Number.NaN);
    yield request;
    const answer = this.decide(call, ref);
    yield response;
    return answer;
  }

  private decide<R extends Resource>(call: ApiCall<R>, ref: Ref): Answer<Stored[R]> {
    const fault = this.takeFault(call);
    const decision = !fault || fault.committed ? call.decide(ref) : null;
    const refused = decision && 'error' in decision;
    const error = fault && !refused ? injectedError(fault.code, call) : refused ? decision.error : '';
    const code = fault && !refused ? fault.code : (decision?.code ?? 0);
    const stored = decision && 'object' in decision ? decision : null;
    const { trace, kernel } = this.context;
    const result = {
      code,
      error,
      injected: fault ? 1 : 0,
      committed: fault?.committed ? 1 : 0,
      noop: stored?.noop ? 1 : 0,
      name: nameOf(stored?.object) ?? call.name,
      generateName: call.verb === 'create' ? call.generateName : '',
      resourceVersion: stored?.resourceVersion ?? 0,
      generation: generationOf(stored?.object),
    };
    trace.end<'apiWrite'>(ref, later(kernel.now, call.response), result, false);
    return error || !stored ? { code, error, ref } : { object: stored.object, ref };
  }

  private takeFault({ verb, resource }: ApiCall<Resource>): ApiFault | null {
    const { now } = this.context.kernel;
    const found = this.faults.find(
      ({ fault, left }) => left > 0 && fault.verb === verb && fault.resource === resource && now >= fault.from,
    );
    if (!found) return null;
    found.left--;
    return found.fault;
  }
}

const nameOf = (object: Stored[Resource] | null | undefined): string | undefined =>
  object ? ('meta' in object ? object.meta.name : object.input.name) : undefined;
const generationOf = (object: Stored[Resource] | null | undefined): number =>
  object ? ('meta' in object ? object.meta.generation : object.generation) : 0;

/** Texts of the API machinery's errors (apimachinery pkg/api/errors). */
function injectedError(code: number, { resource, name }: ApiCall<Resource>): string {
  switch (code) {
    case 409:
      return `Operation cannot be fulfilled on ${RESOURCE_NAMES[resource]} "${name}": injected conflict`;
    case 500:
      return 'Internal error occurred: injected';
    case 504:
      return 'Timeout: injected timeout';
    default:
      return 'injected';
  }
}
