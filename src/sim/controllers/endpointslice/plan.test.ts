import { describe, expect, it } from 'vitest';
import {
  apiPod,
  nodeObject,
  runningStatus,
  scriptedPod,
  service,
  servicePort,
} from '../../../../test/support/cluster.ts';
import { endpointsNamed, namesIn, slice } from '../../../../test/support/slices.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import type { EndpointSliceObject, IpFamily, ServiceObject, ServiceSpec } from '../../api/objects.ts';
import type { PodStatus } from '../../api/podStatus.ts';
import { type AddressTypePlan, planAddressType, reuseNames } from './plan.ts';
import { PodEndpoints } from './podEndpoints.ts';

const web = service('web');

/** A stored Pod `name` on node-a, running and ready unless `status` says otherwise. */
const pod = (name: string, status: Partial<PodStatus> = {}, over: Partial<ApiPod> = {}): ApiPod =>
  apiPod(
    scriptedPod(name, { app: 'web' }, runningStatus([`10.0.0.${name.charCodeAt(0)}`], true, status), NODE_A),
    over,
  );
const NODE_A = { node: 'node-a' };
const ZONED = nodeObject('node-a', { 'topology.kubernetes.io/zone': 'zone-1' });

interface Given {
  readonly service?: ServiceObject;
  readonly pods: readonly ApiPod[];
  readonly slices?: readonly EndpointSliceObject[];
  readonly minor?: number;
  readonly family?: IpFamily;
}
const plan = ({ service = web, pods, slices = [], minor = 37, family = 'IPv4' }: Given): AddressTypePlan =>
  planAddressType(
    {
      service,
      pods,
      slices,
      nodeOf: (name) => (name === 'node-a' ? ZONED : undefined),
      maxEndpointsPerSlice: 100,
      endpoints: new PodEndpoints(minor),
    },
    family,
  );
const created = (given: Given) => plan(given).changes.toCreate;

describe('a Pod as an endpoint (C-202, C-203)', () => {
  const notReady = runningStatus([], false).conditions;
  it.each([
    ['running and not ready', pod('a', { conditions: notReady }), 'ready F serving F terminating F', 'T'],
    ['ready', pod('a'), 'ready T serving T terminating F', 'T'],
    ['deleted, still ready', pod('a', {}, { deletionTimestamp: 9 }), 'ready F serving T terminating T', 'T'],
    [
      'deleted, not ready',
      pod('a', { conditions: notReady }, { deletionTimestamp: 9 }),
      'ready F serving F terminating T',
      'T',
    ],
  ])('%s', (_, given, conditions, whenPublished) => {
    const [only] = created({ pods: [given] })[0]?.endpoints ?? [];
    const letter = (value: boolean | null | undefined): string => (value ? 'T' : 'F');
    const { ready, serving, terminating } = only ?? {};
    expect(`ready ${letter(ready)} serving ${letter(serving)} terminating ${letter(terminating)}`).toBe(conditions);
    const publishing = service('web', { publishNotReadyAddresses: true });
    const [published] = created({ service: publishing, pods: [given] })[0]?.endpoints ?? [];
    expect(letter(published?.ready)).toBe(whenPublished);
  });

  it('carries node, zone, target and, for its own subdomain, its hostname', () => {
    const named = scriptedPod('a', {}, runningStatus(['10.0.0.1'], true), {
      ...NODE_A,
      hostname: 'a-0',
      subdomain: 'web',
    });
    expect(created({ pods: [apiPod(named)] })[0]?.endpoints).toEqual([
      {
        addresses: ['10.0.0.1'],
        ready: true,
        serving: true,
        terminating: false,
        hostname: 'a-0',
        nodeName: 'node-a',
        zone: 'zone-1',
        hints: null,
        targetRef: { namespace: 'default', name: 'a', uid: 'uid-a' },
      },
    ]);
    const other = { ...named, input: { ...named.input, subdomain: 'db' } };
    expect(created({ pods: [apiPod(other)] })[0]?.endpoints[0]?.hostname).toBe('');
  });

  it.each([
    ['ended', pod('a', { phase: 'Succeeded' })],
    ['failed', pod('a', { phase: 'Failed' })],
    ['without an address', pod('a', { podIPs: [] })],
    ['of the other family alone', pod('a', { podIPs: ['fd00::1'] })],
  ])('a Pod that is %s is not listed (C-201)', (_, given) => {
    expect(created({ pods: [given, pod('b')] }).map(namesIn)).toEqual(['b']);
  });

  it('before 1.22 there is only ready, and a terminating Pod stands in no slice', () => {
    const [made] = created({ pods: [pod('a'), pod('b', {}, { deletionTimestamp: 9 })], minor: 21 });
    expect(made?.endpoints).toMatchObject([{ ready: true, serving: null, terminating: null }]);
    const publishing = service('web', { publishNotReadyAddresses: true });
    const pods = [pod('b', {}, { deletionTimestamp: 9 })];
    expect(created({ service: publishing, pods, minor: 21 })[0]?.endpoints).toMatchObject([{ ready: true }]);
  });
});

describe('a Pod whose Node is not known (C-204)', () => {
  const elsewhere = apiPod(scriptedPod('x', {}, runningStatus(['10.0.0.9'], true), { node: 'node-x' }));
  it('is left out and told', () => {
    const { changes, withoutNode } = plan({ pods: [pod('a'), elsewhere] });
    expect(changes.toCreate.map(namesIn)).toEqual(['a']);
    expect(withoutNode).toEqual([elsewhere]);
  });

  it('is listed all the same when not-ready addresses are published', () => {
    const publishing = service('web', { publishNotReadyAddresses: true });
    const { changes, withoutNode } = plan({ service: publishing, pods: [elsewhere] });
    expect(changes.toCreate.map(namesIn)).toEqual(['x']);
    expect(withoutNode).toEqual([]);
  });
});

describe('ports (C-205, C-206)', () => {
  const two = { ports: [servicePort({ name: 'http' }), servicePort({ name: 'admin', targetPort: 'admin' })] };
  const withAdmin = (port: number) => [{ name: 'admin', containerPort: port }];
  const declaring = (name: string, port: number): ApiPod =>
    apiPod(scriptedPod(name, {}, runningStatus([`10.0.0.${name.charCodeAt(0)}`], true), NODE_A, withAdmin(port)));

  it('a slice holds Pods with the same numbers; one without the named port stays, without that port', () => {
    const pods = [declaring('a', 9090), pod('b'), declaring('c', 9090), declaring('d', 9091)];
    const slices = created({ service: service('web', two), pods });
    const shown = slices.map(
      (made) =>
        `${namesIn(made)} ${made.ports
          .map(({ port }) => port)
          .sort()
          .join()}`,
    );
    expect(shown).toEqual(['ac 8080,9090', 'b 8080', 'd 8080,9091']);
  });

  it('ports stand in the order of their hashes', () => {
    const ports = [servicePort({ name: 'admin', targetPort: 9990 }), servicePort({ name: 'http', targetPort: 8080 })];
    const orders = [ports, ports.toReversed()].map((given) => {
      const [made] = created({ service: service('web', { ports: given }), pods: [pod('a')] });
      return made?.ports.map(({ name }) => name);
    });
    expect(orders[0]).toEqual(orders[1]);
  });

  it('a headless Service without ports has slices without ports', () => {
    const headless = service('web', { clusterIP: 'None', ports: [] });
    expect(created({ service: headless, pods: [pod('a')] })).toMatchObject([{ ports: [], endpoints: [{}] }]);
  });
});

describe('slices that are not wanted (C-220)', () => {
  const held = (name: string, letters: string, over: Partial<EndpointSliceObject> = {}): EndpointSliceObject => ({
    ...slice(web, name, endpointsNamed(letters)),
    ...over,
  });
  const placeholder = held('p', '', { ports: [] });
  const foreign = held('f', 'a');
  const unowned = { ...foreign, meta: { ...foreign.meta, ownerUid: 'uid-of-the-old-web' } };

  it.each([
    ['no Pod and no slice: a placeholder comes', [], 'create  '],
    ['no Pod and a placeholder: nothing', [placeholder], ''],
    ['no Pod and a slice: it becomes the placeholder', [held('x', 'a')], 'update x '],
    ['two slices: one becomes the placeholder, one goes', [held('x', 'a'), held('y', 'b')], 'update x |delete y'],
    [
      'a placeholder without the labels of its Service',
      [{ ...placeholder, meta: { ...placeholder.meta, labels: {} } }],
      'update p ',
    ],
    ['a slice of the Service that was there before: its name is not taken', [unowned], 'create  |delete f'],
  ])('%s', (_, slices, expected) => {
    const { toCreate, toUpdate, toDelete } = reuseNames(plan({ pods: [], slices }).changes, web);
    const lines = [
      ...toCreate.map((made) => `create ${made.meta.name} ${namesIn(made)}`),
      ...toUpdate.map((made) => `update ${made.meta.name} ${namesIn(made)}`),
      ...toDelete.map((made) => `delete ${made.meta.name}`),
    ];
    expect(lines.join('|')).toBe(expected);
  });

  it('other ports: the slice is written anew under its name, whatever its version is (C-225)', () => {
    const other = service('web', { ports: [servicePort({ targetPort: 9000 })] });
    const { toUpdate, toCreate, toDelete } = reuseNames(
      plan({ service: other, pods: [pod('a')], slices: [held('x', 'a')] }).changes,
      other,
    );
    expect([toCreate, toDelete]).toEqual([[], []]);
    expect(toUpdate).toMatchObject([{ meta: { name: 'x', resourceVersion: 0 }, ports: [{ port: 9000 }] }]);
  });

  it('a Service that is being deleted gets no new slices', () => {
    const going = service('web', {}, { deletionTimestamp: 9 });
    expect(reuseNames(plan({ service: going, pods: [pod('a')] }).changes, going).toCreate).toEqual([]);
  });
});

describe('labels of slices (C-226)', () => {
  const labelled = (labels: Readonly<Record<string, string>>, spec: Partial<ServiceSpec> = {}): ServiceObject =>
    service('web', spec, { labels });
  const RESERVED = { 'kubernetes.io/service-name': 'other', 'endpointslice.kubernetes.io/managed-by': 'me' };

  it('are those of the Service, and three of the controller', () => {
    const [made] = created({
      service: labelled({ tier: 'front', ...RESERVED }, { clusterIP: 'None' }),
      pods: [pod('a')],
    });
    expect(made?.meta.labels).toEqual({
      tier: 'front',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      'service.kubernetes.io/headless': '',
    });
  });

  it.each([
    ['none changed', {}, 0],
    ['a reserved one changed', RESERVED, 0],
    ['another one changed', { tier: 'front' }, 1],
  ])('%s: %s writes', (_, labels, writes) => {
    const pods = [pod('a')];
    const [made] = created({ pods });
    const stored = { ...(made as EndpointSliceObject), meta: { ...(made as EndpointSliceObject).meta, name: 'x' } };
    expect(plan({ service: labelled(labels), pods, slices: [stored] }).changes.toUpdate).toHaveLength(writes);
  });
});
