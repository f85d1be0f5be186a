import { describe, expect, it } from 'vitest';
import { meta, nodeObject, service } from '../../../test/support/cluster.ts';
import { type TestCluster, testCluster } from '../../../test/support/clusterContext.ts';
import { NO_REF } from '../trace/ref.ts';
import type { EndpointSliceObject, ObjectMeta } from './objects.ts';
import { type Decision, decideWrite, type Verb } from './writes.ts';

const slice = (name: string, over: Partial<EndpointSliceObject> = {}, metaOver: Partial<ObjectMeta> = {}) => ({
  meta: meta(name, { uid: '', creationTimestamp: 0, ...metaOver }),
  addressType: 'IPv4' as const,
  ports: [],
  endpoints: [],
  ...over,
});
const write = ({ context }: TestCluster, verb: Verb, object: EndpointSliceObject): Decision<EndpointSliceObject> =>
  decideWrite(context, { verb, resource: 'endpointslices', object }, NO_REF);

/** A cluster with the slice `a`, as stored. */
function withSlice(): { readonly cluster: TestCluster; readonly stored: EndpointSliceObject } {
  const cluster = testCluster();
  write(cluster, 'create', slice('a', {}, { labels: { app: 'web' }, annotations: { note: '1' } }));
  return { cluster, stored: cluster.context.store.get('endpointslices', 'default/a') as EndpointSliceObject };
}

describe('a create', () => {
  it('gives a resource version, a UID, generation 1 and a creation time in whole seconds (C-001, C-005, C-006)', () => {
    const { stored } = withSlice();
    expect(stored.meta).toMatchObject({ resourceVersion: 1, generation: 1, creationTimestamp: 1_767_225_600 });
    expect(stored.meta.uid).not.toBe('');
  });

  it('of a name that is taken is a conflict', () => {
    const { cluster } = withSlice();
    const error = 'endpointslices.discovery.k8s.io "a" already exists';
    expect(write(cluster, 'create', slice('a'))).toEqual({ code: 409, error });
  });

  it('without a name draws one from generateName that is free (C-226)', () => {
    const cluster = testCluster();
    const names = Array.from({ length: 20 }, () => {
      const made = write(cluster, 'create', slice('', {}, { generateName: 'web-' }));
      return 'object' in made ? made.object?.meta.name : '';
    });
    expect(new Set(names).size).toBe(20);
    for (const name of names) expect(name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('of another kind than a slice has no generation', () => {
    const { context } = testCluster();
    decideWrite(context, { verb: 'create', resource: 'services', object: service('web') }, NO_REF);
    expect(context.store.get('services', 'default/web')?.meta.generation).toBe(0);
  });

  it('of a Node needs no namespace', () => {
    const { context } = testCluster();
    decideWrite(context, { verb: 'create', resource: 'nodes', object: nodeObject('node-a') }, NO_REF);
    expect(context.store.get('nodes', 'node-a')).toBeDefined();
  });
});

describe('an update', () => {
  type Edit = (stored: EndpointSliceObject) => EndpointSliceObject;
  const endpoint = {
    addresses: ['10.0.0.1'],
    ready: true,
    serving: true,
    terminating: false,
    hostname: '',
    nodeName: null,
    zone: null,
    hints: null,
    targetRef: null,
  };
  it.each<[string, Edit, { code: number; resourceVersion?: number; noop?: boolean }, number]>([
    [
      'that changes nothing keeps its version (C-002)',
      (one) => ({ ...one }),
      { code: 200, resourceVersion: 1, noop: true },
      1,
    ],
    [
      'that only gives the labels in another object changes nothing',
      (one) => ({ ...one, meta: { ...one.meta, labels: { ...one.meta.labels } } }),
      { code: 200, resourceVersion: 1, noop: true },
      1,
    ],
    [
      'of an annotation raises no generation (C-006)',
      (one) => ({ ...one, meta: { ...one.meta, annotations: { note: '2' } } }),
      { code: 200, resourceVersion: 2, noop: false },
      1,
    ],
    [
      'of a label raises the generation (C-006)',
      (one) => ({ ...one, meta: { ...one.meta, labels: {} } }),
      { code: 200, resourceVersion: 2, noop: false },
      2,
    ],
    [
      'of the endpoints raises the generation (C-006)',
      (one) => ({ ...one, endpoints: [endpoint] }),
      { code: 200, resourceVersion: 2, noop: false },
      2,
    ],
    [
      'with a version that is not the stored one is a conflict (C-003)',
      (one) => ({ ...one, endpoints: [endpoint], meta: { ...one.meta, resourceVersion: 7 } }),
      { code: 409 },
      1,
    ],
    [
      'without a version is unconditional (C-003)',
      (one) => ({ ...one, endpoints: [endpoint], meta: { ...one.meta, resourceVersion: 0 } }),
      { code: 200, resourceVersion: 2, noop: false },
      2,
    ],
  ])('%s', (_name, edit, decision, generation) => {
    const { cluster, stored } = withSlice();
    expect(write(cluster, 'update', edit(stored))).toMatchObject(decision);
    expect(cluster.context.store.get('endpointslices', 'default/a')?.meta.generation).toBe(generation);
    expect(cluster.context.store.lastRevision).toBe(decision.resourceVersion ?? 1);
  });

  it('keeps what the writer may not change: UID, creation time, the stem of the name', () => {
    const { cluster, stored } = withSlice();
    write(
      cluster,
      'update',
      slice('a', {}, { uid: 'other', creationTimestamp: 5, generateName: 'x-', labels: { b: '1' } }),
    );
    expect(cluster.context.store.get('endpointslices', 'default/a')?.meta).toMatchObject({
      uid: stored.meta.uid,
      creationTimestamp: stored.meta.creationTimestamp,
      generateName: '',
      labels: { b: '1' },
    });
  });
});

describe('a deletion', () => {
  it('takes a version of its own (C-001)', () => {
    const { cluster, stored } = withSlice();
    expect(write(cluster, 'delete', stored)).toEqual({ code: 200, object: null, resourceVersion: 2, noop: false });
    expect(cluster.context.store.list('endpointslices')).toEqual([]);
  });

  it.each(['update', 'delete'] as const)('and an %s of what is not there find nothing', (verb) => {
    const error = 'endpointslices.discovery.k8s.io "b" not found';
    expect(write(withSlice().cluster, verb, slice('b'))).toEqual({ code: 404, error });
  });
});
