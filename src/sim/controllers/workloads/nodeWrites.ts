import type { Answer } from '../../api/client.ts';
import type { NodeObject } from '../../api/objects.ts';
import { sameObject } from '../../api/objectText.ts';
import { conflict, type Decision, notFound } from '../../api/writes.ts';
import type { Task } from '../../kernel/kernel.ts';
import type { Ref } from '../../trace/ref.ts';
import type { WorkloadClient } from './client.ts';
import type { WorkloadContext } from './context.ts';

interface NodeWrite {
  readonly verb: 'patch' | 'update';
  readonly subresource: '' | 'status';
  readonly name: string;
  /** The version that was read: the write is refused if there is another by now (C-003). Null: it does not matter. */
  readonly read: number | null;
  readonly change: (stored: NodeObject) => NodeObject;
}

/** Writes part of a Node. */
export const writeNode = (
  context: WorkloadContext,
  client: WorkloadClient,
  { verb, subresource, name, read, change }: NodeWrite,
  cause: Ref,
): Task<Answer<NodeObject>> =>
  client.call(verb, 'nodes', subresource, name, cause, undefined, (ref): Decision<NodeObject> => {
    const { store } = context;
    const stored = store.get('nodes', name);
    if (!stored) return notFound('nodes', name);
    if (read !== null && stored.meta.resourceVersion !== read) return conflict('nodes', name);
    const next = change(stored);
    const { resourceVersion } = stored.meta;
    if (sameObject('nodes', next, stored)) return { code: 200, object: stored, resourceVersion, noop: true };
    store.put('nodes', name, (revision) => ({ ...next, meta: { ...next.meta, resourceVersion: revision } }), ref);
    const object = store.get('nodes', name) as NodeObject;
    return { code: 200, object, resourceVersion: store.lastRevision, noop: false };
  });
