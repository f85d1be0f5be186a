import { fnv1a64 } from '../../base/hash.ts';
import { later, type MicrosSpan } from '../../base/units.ts';
import type { ApiFault, ControllerName } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Task } from '../kernel/kernel.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { generatedName } from './generatedName.ts';
import type { ObjectMeta } from './objects.ts';
import { textOf } from './objectText.ts';
import type { Stored } from './store.ts';

/** Resources that controllers write. */
type WrittenResource = 'endpoints' | 'endpointslices';
type Verb = ApiFault['verb'];

/** What came back: the object as it stands (null after a deletion), or an error by its HTTP status and text. */
export type Answer<T> = { readonly object: T | null; readonly ref: Ref } | ApiError;
export interface ApiError {
  readonly code: number;
  readonly error: string;
  readonly ref: Ref;
}

interface Request<R extends WrittenResource> {
  readonly verb: Verb;
  readonly resource: R;
  readonly object: Stored[R];
}
/** What the API server made of a request. `noop`: nothing changed, so nothing was stored. */
type Decision<T> =
  | { readonly code: number; readonly object: T | null; readonly noop: boolean }
  | { readonly code: number; readonly error: string };

/** How messages name the resources. */
const NAMES: Readonly<Record<WrittenResource, string>> = {
  endpoints: 'endpoints',
  endpointslices: 'endpointslices.discovery.k8s.io',
};

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

  private decideWithFaults<R extends WrittenResource>(request: Request<R>, ref: Ref): Answer<Stored[R]> {
    const fault = this.takeFault(request);
    const decision = !fault || fault.committed ? this.decide(request, ref) : null;
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
        resourceVersion: stored && !stored.noop ? this.context.store.lastRevision : 0,
        generation: stored?.object?.meta.generation ?? 0,
      },
      false,
    );
    return error || !stored ? { code, error, ref } : { object: stored.object, ref };
  }

  private takeFault({ verb, resource }: Request<WrittenResource>): ApiFault | null {
    const { now } = this.context.kernel;
    const found = this.faults.find(
      ({ fault, left }) => left > 0 && fault.verb === verb && fault.resource === resource && now >= fault.from,
    );
    if (!found) return null;
    found.left--;
    return found.fault;
  }

  private decide<R extends WrittenResource>({ verb, resource, object }: Request<R>, ref: Ref): Decision<Stored[R]> {
    const { store, wall, kernel } = this.context;
    const { meta } = object;
    const named = meta.name ? meta : { ...meta, name: generatedName(this.context, meta, resource) };
    const key = `${named.namespace}/${named.name}`;
    const stored = store.get(resource, key);
    if (verb === 'create') {
      if (stored) return { code: 409, error: `${NAMES[resource]} "${named.name}" already exists` };
      const uid = meta.uid || `${resource}-${named.name}-${store.lastRevision + 1}`;
      const generation = resource === 'endpointslices' ? 1 : 0;
      const born = { ...named, uid, generation, creationTimestamp: wall.seconds(kernel.now) };
      return { code: 201, object: this.put(resource, key, { ...object, meta: born }, ref), noop: false };
    }
    if (!stored) return { code: 404, error: `${NAMES[resource]} "${named.name}" not found` };
    if (verb === 'delete') {
      store.remove(resource, key, ref);
      return { code: 200, object: null, noop: false };
    }
    if (meta.resourceVersion > 0 && meta.resourceVersion !== stored.meta.resourceVersion)
      return { code: 409, error: `Operation cannot be fulfilled on ${NAMES[resource]} "${meta.name}": ${STALE}` };
    const { uid, generateName, creationTimestamp, generation } = stored.meta;
    const merged: Stored[R] = { ...object, meta: { ...meta, uid, generateName, creationTimestamp, generation } };
    if (bytesOf(resource, merged) === bytesOf(resource, stored)) return { code: 200, object: stored, noop: true };
    const raised =
      generation > 0 && specOf(resource, merged) !== specOf(resource, stored) ? generation + 1 : generation;
    const next = { ...merged, meta: { ...merged.meta, generation: raised } };
    return { code: 200, object: this.put(resource, key, next, ref), noop: false };
  }

  private put<R extends WrittenResource>(resource: R, key: string, object: Stored[R], ref: Ref): Stored[R] {
    const { store } = this.context;
    store.put(resource, key, (resourceVersion) => ({ ...object, meta: { ...object.meta, resourceVersion } }), ref);
    return store.get(resource, key) as Stored[R];
  }
}

const STALE = 'the object has been modified; please apply your changes to the latest version and try again';

const UNDECIDED = {
  generateName: '',
  code: 0,
  resourceVersion: 0,
  generation: 0,
  error: '',
  injected: 0,
  committed: 0,
  noop: 0,
};

/** What is stored, but for the resource version (C-002). */
const bytesOf = <R extends WrittenResource>(resource: R, object: Stored[R]): string =>
  textOf(resource, { ...object, meta: { ...object.meta, resourceVersion: 0 } });

/** What a change of raises a slice's generation: all but the metadata, and the labels (C-006). */
const specOf = <R extends WrittenResource>(resource: R, object: Stored[R]): string =>
  textOf(resource, { ...object, meta: { ...object.meta, resourceVersion: 0, generation: 0, annotations: {} } });

/** Texts of the API machinery's errors (apimachinery pkg/api/errors). */
function injectedError(code: number, { resource, object }: Request<WrittenResource>): string {
  switch (code) {
    case 409:
      return `Operation cannot be fulfilled on ${NAMES[resource]} "${object.meta.name}": injected conflict`;
    case 500:
      return 'Internal error occurred: injected';
    case 504:
      return 'Timeout: injected timeout';
    default:
      return 'injected';
  }
}
