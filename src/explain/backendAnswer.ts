/** What follows behind the API server: is the Pod a backend, or which hop is missing. Facts only; `words` says them. */
import type { Micros } from '../base/units.ts';
import { meantOf, type ServiceView } from './backendAt.ts';
import type { LeftOut } from './leftOut.ts';
import type { PodState } from './stateAt.ts';

/** Of the first Service for which there is something to say. `service` is its name. */
export type BackendAnswer =
  /** Ready in the API, and no slice lists it as ready (hop 5). */
  | { readonly kind: 'waitingForSlice'; readonly service: string; readonly until: Micros | null }
  /** Ready in the API, and the Service has no selector: nobody has written it into Endpoints or slices. */
  | { readonly kind: 'notWritten'; readonly service: string }
  /** The rules of `nodes` nodes are rightly without it. */
  | { readonly kind: 'leftOut'; readonly service: string; readonly by: LeftOut; readonly nodes: number }
  /** Listed as ready; `missing` of `nodes` have no rule for it yet, the last one gets it at `until` (hop 6). */
  | {
      readonly kind: 'waitingForRules';
      readonly service: string;
      readonly missing: number;
      readonly nodes: number;
      readonly until: Micros | null;
    }
  /** In the rules of all nodes since `since`; `leftOut`: but for those that are rightly without it. */
  | {
      readonly kind: 'inRules';
      readonly service: string;
      readonly nodes: number;
      readonly since: Micros;
      readonly hops: Hops | null;
      readonly leftOut: LeftOut | null;
      readonly lackingPorts: readonly string[];
    }
  /** Listed as ready since `since`, and nobody writes rules: clients of a headless Service find it by its name. */
  | { readonly kind: 'inSlices'; readonly service: string; readonly since: Micros }
  /** Not Ready, and published all the same (publishNotReadyAddresses): in the rules of `nodes` nodes, 0 where none are written. */
  | { readonly kind: 'published'; readonly service: string; readonly nodes: number }
  /** Not ready or being deleted, and the rules of `nodes` nodes still hold it, the last one until `until`. */
  | { readonly kind: 'leaving'; readonly service: string; readonly nodes: number; readonly until: Micros | null }
  /** Being deleted and still serving, and used because no ready endpoint is left (P-051). */
  | { readonly kind: 'fallback'; readonly service: string }
  /** Being deleted and still serving: the slice keeps it, Endpoints and rules do not. */
  | { readonly kind: 'dropped'; readonly service: string };

/** From the app's first good answer to Ready in the API, on to the slice, on to the rules of the last node; µs. */
export interface Hops {
  readonly toReady: number;
  readonly toSlice: number;
  readonly toRules: number;
}

/** `views`: the Services to speak of. Null when none of them ever lists the Pod, or none has anything to add. */
export function backendAnswer(
  views: readonly ServiceView[],
  state: PodState,
  isReady: boolean,
  readySince: Micros | null,
): BackendAnswer | null {
  for (const view of views) {
    const answer = isReady && state.api?.isDeleted === false ? joining(state, view, readySince) : leaving(view);
    if (answer !== null) return answer;
  }
  return null;
}

const nameOf = ({ service }: ServiceView): string => service.slice(service.indexOf('/') + 1);

function joining(state: PodState, view: ServiceView, readySince: Micros | null): BackendAnswer | null {
  const { slice, proxies } = view;
  const service = nameOf(view);
  // What is written by hand may name its address alone.
  const isNamed = slice.value === 'ready' || (view.isByHand && proxies.some(({ value }) => value));
  if (!isNamed && view.isByHand && slice.until === null) return { kind: 'notWritten', service };
  if (!isNamed) return { kind: 'waitingForSlice', service, until: slice.until };
  if (proxies.length === 0) return slice.since === null ? null : { kind: 'inSlices', service, since: slice.since };
  const meant = meantOf(view);
  const leftOut = proxies.find((proxy) => proxy.leftOut !== null)?.leftOut ?? null;
  if (leftOut !== null && meant.length === 0) return { kind: 'leftOut', service, by: leftOut, nodes: proxies.length };
  const missing = meant.filter(({ value }) => !value);
  if (missing.length > 0) {
    return {
      kind: 'waitingForRules',
      service,
      missing: missing.length,
      nodes: meant.length,
      until: latest(missing.map(({ until }) => until)),
    };
  }
  const since = latest(meant.map((proxy) => proxy.since));
  if (since === null) return null;
  return {
    kind: 'inRules',
    service,
    nodes: meant.length,
    since,
    hops: hopsOf(state, readySince, slice.since, since),
    leftOut,
    lackingPorts: view.lackingPorts,
  };
}

function leaving(view: ServiceView): BackendAnswer | null {
  const { slice, proxies, hasReady, publishes } = view;
  const service = nameOf(view);
  const holding = proxies.filter(({ value }) => value);
  const isPublished = publishes && slice.value === 'ready';
  if (isPublished && (proxies.length === 0 || holding.length > 0))
    return { kind: 'published', service, nodes: holding.length };
  const isServing = slice.value === 'serving, terminating';
  if (holding.length === 0) return isServing ? { kind: 'dropped', service } : null;
  if (isServing && !hasReady) return { kind: 'fallback', service };
  return { kind: 'leaving', service, nodes: holding.length, until: latest(holding.map(({ until }) => until)) };
}

/** The last of them; null when one of them never comes. */
const latest = (times: readonly (Micros | null)[]): Micros | null =>
  times.includes(null) ? null : (Math.max(...times.filter((time) => time !== null)) as Micros);

/** Only where each hop follows the one before: not for a Pod that came back before the rules had changed. */
function hopsOf({ apps }: PodState, ready: Micros | null, slice: Micros | null, rules: Micros): Hops | null {
  const app = latest(apps.map(({ since }) => since));
  if (app === null || ready === null || slice === null) return null;
  const hops = { toReady: ready - app, toSlice: slice - ready, toRules: rules - slice };
  return Object.values(hops).every((length) => length >= 0) ? hops : null;
}
