import { later, type Micros } from '../../base/units.ts';
import type { Task } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { type KubeletContext, subjectOf } from './context.ts';
import type { NodeLinks } from './nodeLinks.ts';

/** A request for one Pod. `version`: the status manager's, 0 for others. */
export interface ApiCall {
  readonly pod: PodInput;
  readonly verb: 'get' | 'create' | 'patch' | 'delete';
  readonly subresource: '' | 'status';
  readonly version: number;
}

/** What the API server did: an answer, or an error by its reason. `object` is the stored version, -1 for none. */
export type Served<T> = { readonly answer: T; readonly object: number } | { readonly error: 'NotFound' };

/** What came back. `answer` is null after an error. */
export interface ApiAnswer<T> {
  readonly ref: Ref;
  readonly answer: T | null;
}

const REFUSED = 'connection refused';

/** Why a request that arrives at `t` is not served; null when it is. */
function refusalOf(verb: ApiCall['verb'], links: NodeLinks, t: Micros): string | null {
  if (!links.apiReachable(t)) return REFUSED;
  return verb === 'get' || links.writesTaken(t) ? null : 'Conflict';
}

/**
 * Sends one request to the API server: commit after `apiRequest` (`statusGet`), answer `apiResponse` later. While
 * the node does not reach the API server, or that takes no writes, the request fails, and nothing is committed.
 */
export function* callApi<T>(
  context: KubeletContext,
  { pod, verb, subresource, version }: ApiCall,
  cause: Ref,
  serve: (ref: Ref) => Served<T>,
): Task<ApiAnswer<T>> {
  const { trace, kernel, latency, links, hops } = context;
  const hop = verb === 'get' ? 'statusGet' : 'apiRequest';
  const request = hops.next(hop, pod.identity, kernel.now, latency.apiRequest);
  const response = hops.next('apiResponse', pod.identity, kernel.now, latency.apiResponse);
  const committedAt = later(kernel.now, request);
  const payload = { verb, subresource, committedAt, version, object: -1, error: '' };
  const length = request + response;
  const subject = subjectOf(context, 'api', pod);
  const ref = trace.event('apiRequest', kernel.now, subject, payload, [cause], NO_REF, length);
  yield request;
  const refusal = refusalOf(verb, links, kernel.now);
  const served: Served<T> | { readonly error: string } = refusal === null ? serve(ref) : { error: refusal };
  if ('error' in served) trace.end<'apiRequest'>(ref, later(kernel.now, response), { error: served.error }, false);
  else if (served.object >= 0) trace.setVersion(ref, 'object', served.object);
  yield response;
  return { ref, answer: 'error' in served ? null : served.answer };
}
