import { sameData } from '../../base/equal.ts';
import type { Micros } from '../../base/units.ts';
import type { ClusterContext } from '../controllers/context.ts';
import type { Payload } from '../trace/kinds.ts';
import type { Ref } from '../trace/ref.ts';
import { generatedName } from './generatedName.ts';
import type { Resource } from './objects.ts';
import type { Stored } from './store.ts';

/** Resources that are written whole; Pods have ways of their own (apiServer.ts). */
export type WrittenResource = Exclude<Resource, 'pods'>;
export type Verb = 'create' | 'update' | 'delete';

export interface WriteRequest<R extends WrittenResource> {
  readonly verb: Verb;
  readonly resource: R;
  readonly object: Stored[R];
}

/** What the API server made of a request. `noop`: nothing changed, so nothing was stored. */
export type Decision<T> =
  | { readonly code: number; readonly object: T; readonly resourceVersion: number; readonly noop: boolean }
  | { readonly code: number; readonly object: null; readonly resourceVersion: number; readonly noop: false }
  | { readonly code: number; readonly error: string };

/** What a request asks for, as its event says it. */
interface AskedWrite {
  readonly actor: string;
  readonly verb: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name: string;
  readonly committedAt: Micros;
  readonly basis?: string;
}

/** Payload of an `apiWrite` before its decision. All fields are spelt: a literal is made at once, a spread field by field. */
export const undecided = ({
  actor,
  verb,
  resource,
  subresource = '',
  name,
  committedAt,
  basis = '',
}: AskedWrite): Payload<'apiWrite'> => ({
  actor,
  verb,
  resource,
  subresource,
  name,
  generateName: '',
  committedAt,
  code: 0,
  resourceVersion: 0,
  generation: 0,
  error: '',
  injected: 0,
  committed: 0,
  noop: 0,
  basis,
});

/** How messages name the resources. */
export const RESOURCE_NAMES: Readonly<Record<Resource, string>> = {
  nodes: 'nodes',
  pods: 'pods',
  services: 'services',
  endpoints: 'endpoints',
  endpointslices: 'endpointslices.discovery.k8s.io',
  deployments: 'deployments.apps',
  replicasets: 'replicasets.apps',
  statefulsets: 'statefulsets.apps',
  daemonsets: 'daemonsets.apps',
  controllerrevisions: 'controllerrevisions.apps',
  poddisruptionbudgets: 'poddisruptionbudgets.policy',
  leases: 'leases.coordination.k8s.io',
};

/** Resources whose objects count their generations from 1 (C-006). */
const WITH_GENERATION: ReadonlySet<Resource> = new Set<Resource>([
  'endpointslices',
  'deployments',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'poddisruptionbudgets',
]);

/** Key of a written object: Nodes have no namespace. */
const keyOfWritten = (
  resource: WrittenResource,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string => (resource === 'nodes' ? name : `${namespace}/${name}`);

/**
 * Decides and commits one request now. create: an object without a name gets one from its `generateName`. update:
 * replaces the object; one that carries a resource version only if that is the stored one. delete: by name.
 * Source: apiserver pkg/registry/generic/registry/store.go (C-002, C-003, C-006).
 */
export function decideWrite<R extends WrittenResource>(
  context: ClusterContext,
  request: WriteRequest<R>,
  ref: Ref,
): Decision<Stored[R]> {
  const { verb, resource, object } = request;
  if (verb === 'create') return decideCreate(context, request, ref);
  const { store } = context;
  const key = keyOfWritten(resource, object.meta);
  const stored = store.get(resource, key);
  if (!stored) return notFound(resource, object.meta.name);
  if (verb === 'update') return decideUpdate(context, request, stored, ref);
  store.remove(resource, key, ref);
  return { code: 200, object: null, resourceVersion: store.lastRevision, noop: false };
}

function decideCreate<R extends WrittenResource>(
  context: ClusterContext,
  { resource, object }: WriteRequest<R>,
  ref: Ref,
): Decision<Stored[R]> {
  const { store, wall, kernel } = context;
  const { meta } = object;
  const name = meta.name || generatedName(context, meta, resource);
  const key = keyOfWritten(resource, { namespace: meta.namespace, name });
  if (store.get(resource, key)) return alreadyExists(resource, name);
  const uid = meta.uid || `${resource}-${name}-${store.lastRevision + 1}`;
  const generation = WITH_GENERATION.has(resource) ? 1 : 0;
  const creationTimestamp = meta.creationTimestamp || wall.seconds(kernel.now);
  const born = { ...object, meta: { ...meta, name, uid, generation, creationTimestamp } };
  return put(context, resource, key, born, 201, ref);
}

type Refusal = { readonly code: number; readonly error: string };
/** A write that carried an old resource version (C-003). */
export const conflict = (resource: Resource, name: string): Refusal => ({
  code: 409,
  error:
    `Operation cannot be fulfilled on ${RESOURCE_NAMES[resource]} "${name}": ` +
    'the object has been modified; please apply your changes to the latest version and try again',
});
export const notFound = (resource: Resource, name: string): Refusal => ({
  code: 404,
  error: `${RESOURCE_NAMES[resource]} "${name}" not found`,
});
export const alreadyExists = (resource: Resource, name: string): Refusal => ({
  code: 409,
  error: `${RESOURCE_NAMES[resource]} "${name}" already exists`,
});

function decideUpdate<R extends WrittenResource>(
  context: ClusterContext,
  { resource, object }: WriteRequest<R>,
  stored: Stored[R],
  ref: Ref,
): Decision<Stored[R]> {
  const { meta } = object;
  if (meta.resourceVersion > 0 && meta.resourceVersion !== stored.meta.resourceVersion)
    return conflict(resource, meta.name);
  const { uid, generateName, creationTimestamp, generation, resourceVersion } = stored.meta;
  const kept = { uid, generateName, creationTimestamp, generation, resourceVersion };
  const isSameBeyondMeta = sameBeyondMeta(object, stored);
  if (isSameBeyondMeta && sameData({ ...meta, ...kept }, stored.meta))
    return { code: 200, object: stored, resourceVersion, noop: true };
  // What raises a generation: a change of anything but the metadata, or of the labels (C-006).
  const isRaised = generation > 0 && !(isSameBeyondMeta && sameData(meta.labels, stored.meta.labels));
  const next = { ...object, meta: { ...meta, ...kept, generation: isRaised ? generation + 1 : generation } };
  return put(context, resource, keyOfWritten(resource, meta), next, 200, ref);
}

function put<R extends WrittenResource>(
  { store }: ClusterContext,
  resource: R,
  key: string,
  object: Stored[R],
  code: number,
  ref: Ref,
): Decision<Stored[R]> {
  store.put(resource, key, (resourceVersion) => ({ ...object, meta: { ...object.meta, resourceVersion } }), ref);
  return { code, object: store.get(resource, key) as Stored[R], resourceVersion: store.lastRevision, noop: false };
}

/** Whether two versions of an object differ in nothing but their metadata (C-002). */
function sameBeyondMeta(a: object, b: object): boolean {
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => key === 'meta' || sameData(left[key], right[key]))
  );
}
