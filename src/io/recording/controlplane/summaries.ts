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

/** Objects and events with the lists that are too long for a recording as summaries. */
export class Summaries {
  private readonly left: LeftOut;
  /** Endpoints in each slice of each Service. */
  private readonly sizes = new Map<unknown, Map<unknown, number>>();

  constructor(left: LeftOut) {
    this.left = left;
  }

  /** Notes the size of a slice; to be told of all objects and events in their order. */
  see({ lane, type, service, name, endpoints }: RecordedObject): void {
    if (!Array.isArray(endpoints) && !(lane === 'endpointslices' && type === 'deleted')) return;
    const sizes = this.sizes.get(service) ?? new Map<unknown, number>();
    this.sizes.set(service, sizes.set(name, Array.isArray(endpoints) ? endpoints.length : 0));
  }

  of<T extends RecordedObject>(object: T): T {
    const { subsets, endpoints, backends, write, ...others } = object;
    return {
      ...others,
      ...(write !== undefined && !this.left.countBackends && { write }),
      ...(Array.isArray(subsets) && { subsets: subsets.map((subset) => subsetOf(subset, this.left)) }),
      ...(Array.isArray(endpoints) && this.endpointsOf(endpoints, others.service)),
      ...(Array.isArray(backends) && backendsOf(backends, this.left)),
    } as unknown as T;
  }

  private endpointsOf(endpoints: Parameters<typeof countsOf>[0], service: unknown): object {
    const { summariseOver, anonymousSlices } = this.left;
    const count = endpoints.length;
    if (!anonymousSlices)
      return count > summariseOver ? { endpointsSummary: { count, ...countsOf(endpoints) } } : { endpoints };
    // Which Pods sit in which slice of a large Service is drawn.
    const total = [...(this.sizes.get(service)?.values() ?? [])].reduce((sum, size) => sum + size, 0);
    return total > summariseOver ? { endpointsSummary: { count } } : { endpoints };
  }
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

function backendsOf(backends: readonly string[], { summariseOver, countBackends }: LeftOut): object {
  if (countBackends) return { backendsSummary: { count: backends.length } };
  return backends.length > summariseOver ? { backendsSummary: listSummary(backends) } : { backends };
}

function listSummary(texts: readonly string[]): object {
  const sorted = [...texts].sort(compareText);
  if (sorted.length === 0) return { count: 0 };
  return { count: sorted.length, first: sorted[0], last: sorted.at(-1), hash: hashOf(sorted) };
}
