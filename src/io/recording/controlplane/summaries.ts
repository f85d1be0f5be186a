import { compareText } from './projectObjects.ts';
import type { LeftOut, RecordedObject } from './recording.ts';
import { countsOf, hashOf } from './totals.ts';

/** Whether a recording only counts an event, and does not list it. */
export const isHidden = ({ lane, type }: { readonly lane: string; readonly type: string }, left: LeftOut): boolean =>
  left.hideWatch &&
  (lane === 'watch' ||
    lane === 'queue' ||
    `${lane}/${type}` === 'controller/podSynced' ||
    `${lane}/${type}` === 'api/pod');

/** An event, or an object of `initial`, with the lists that are too long for the recording as summaries. */
export function summarised<T extends RecordedObject>(object: T, left: LeftOut): T {
  const { subsets, endpoints, backends, ...others } = object;
  return {
    ...others,
    ...(Array.isArray(subsets) && { subsets: subsets.map((subset) => subsetOf(subset, left)) }),
    ...(Array.isArray(endpoints) && endpointsOf(endpoints, left)),
    ...(Array.isArray(backends) && backendsOf(backends, left)),
  } as unknown as T;
}

interface Subset {
  readonly ready: readonly { readonly ip: string }[];
  readonly notReady: readonly { readonly ip: string }[];
}

function subsetOf(subset: Subset, { summariseOver }: LeftOut): object {
  const { ready, notReady, ...others } = subset;
  if (ready.length + notReady.length <= summariseOver) return subset;
  return {
    ...others,
    readySummary: listSummary(ready.map(({ ip }) => ip)),
    notReadySummary: listSummary(notReady.map(({ ip }) => ip)),
  };
}

function endpointsOf(endpoints: Parameters<typeof countsOf>[0], left: LeftOut): object {
  const { summariseOver, anonymousSlices, countBackends } = left;
  if (endpoints.length <= summariseOver && !countBackends) return { endpoints };
  const count = endpoints.length;
  // Which Pods sit in which of several slices is drawn.
  return { endpointsSummary: anonymousSlices ? { count } : { count, ...countsOf(endpoints) } };
}

function backendsOf(backends: readonly string[], { summariseOver, countBackends }: LeftOut): object {
  if (countBackends) return { backendsSummary: { count: backends.length } };
  return backends.length > summariseOver ? { backendsSummary: listSummary(backends) } : { backends };
}

function listSummary(texts: readonly string[]): object {
  const sorted = [...texts].sort(compareText);
  if (sorted.length === 0) return { count: 0 };
  return { count: sorted.length, first: sorted[0], last: sorted.at(-1), hash: hashOf(sorted) };
}
