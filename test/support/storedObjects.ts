import type { Resource } from '../../src/sim/api/objects.ts';
import type { Scenario } from '../../src/sim/scenario.ts';
import { simulate } from '../../src/sim/simulate.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';

/** One commit of a run: when, s, what, and the object as JSON; null once it is deleted. */
export interface StoredAt<T> {
  readonly at: number;
  readonly key: string;
  readonly object: T | null;
}

/** What of an API object the tests look at. */
export interface PodJson {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number; readonly ready: boolean }[];
  };
}

/** All commits of a resource after t = 0, in order; `key` is a Pod's identity, a Node's name, else `namespace/name`. */
export function storedIn<T>(scenario: Scenario, resource: Resource): readonly StoredAt<T>[] {
  const reader = new TraceReader(simulate(scenario));
  return reader.events().flatMap((event): StoredAt<T>[] => {
    if (event.kind !== 'stored' || event.payload.resource !== resource || event.at < 0) return [];
    const { subject, payload } = event;
    const key = subject.pod || subject.object.slice(resource.length + 1);
    const object = payload.object < 0 ? null : (JSON.parse(reader.versionText(payload.object)) as T);
    return [{ at: event.at / 1e6, key, object }];
  });
}

export const isReady = ({ status }: PodJson): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
