import { describe, expect, it } from 'vitest';
import { address, endpointPort, meta, subset } from '../../../../test/support/cluster.ts';
import {
  ANNOTATION,
  type EndpointSliceObject,
  type EndpointSubset,
  type EndpointsObject,
  LABEL,
  type ObjectMeta,
} from '../../api/objects.ts';
import { planMirror } from './mirrorPlan.ts';

const sql = endpointPort('sql', 5432);
const admin = endpointPort('admin', 9990);
const bare = (ip: string) => ({ ip, hostname: '', nodeName: null, targetRef: null });
const endpoints = (subsets: readonly EndpointSubset[], over: Partial<ObjectMeta> = {}): EndpointsObject => ({
  meta: meta('ext', over),
  subsets,
});
/** What the plan creates for `given`, stored under names. */
function storedAs(given: EndpointsObject, ...names: readonly string[]): readonly EndpointSliceObject[] {
  return planMirror(given, [], 1000).toCreate.map((slice, place) => ({
    ...slice,
    meta: { ...slice.meta, name: names[place] ?? '', uid: `uid-${names[place]}`, generation: 1, resourceVersion: 7 },
  }));
}
const told = (slices: readonly EndpointSliceObject[]): readonly string[] =>
  slices.map(
    ({ meta: { name }, addressType, ports, endpoints: all }) =>
      `${name || 'new'} ${addressType} ${ports.map((port) => port.name).join('+')}: ${all
        .map((one) => `${one.addresses}${one.ready ? '' : ' not ready'}`)
        .join(', ')}`,
  );
const planned = (given: EndpointsObject, existing: readonly EndpointSliceObject[], max = 1000) => {
  const { toCreate, toUpdate, toDelete, skipped } = planMirror(given, existing, max);
  return { create: told(toCreate), update: told(toUpdate), delete: told(toDelete), skipped };
};
const NOTHING = { create: [], update: [], delete: [], skipped: 0 };
const one = subset([bare('192.0.2.1')], [bare('192.0.2.2')], [sql]);

describe('slices that mirror Endpoints (C-260)', () => {
  it('hold a subset, and say nothing but ready', () => {
    expect(planned(endpoints([one]), [])).toEqual({
      ...NOTHING,
      create: ['new IPv4 sql: 192.0.2.1, 192.0.2.2 not ready'],
    });
    expect(planMirror(endpoints([one]), [], 1000).toCreate[0]?.endpoints[0]).toMatchObject({
      serving: null,
      terminating: null,
    });
  });

  it('are left alone when they are right', () => {
    const given = endpoints([one], { labels: { team: 'a' }, annotations: { note: 'b' } });
    expect(planned(given, storedAs(given, 'ext-1'))).toEqual(NOTHING);
  });

  it.each<[what: string, before: EndpointsObject, after: EndpointsObject]>([
    ['an address', endpoints([one]), endpoints([subset([bare('192.0.2.1'), bare('192.0.2.2')], [], [sql])])],
    ['a label', endpoints([one]), endpoints([one], { labels: { team: 'a' } })],
    ['an annotation', endpoints([one]), endpoints([one], { annotations: { note: 'b' } })],
    ['a target', endpoints([one]), endpoints([subset([address('192.0.2.1', 'a')], [bare('192.0.2.2')], [sql])])],
  ])('are written again when %s changes', (_what, before, after) => {
    const { create, update, delete: deleted } = planned(after, storedAs(before, 'ext-1'));
    expect(update.map((text) => text.split(':')[0])).toEqual(['ext-1 IPv4 sql']);
    expect([...create, ...deleted]).toEqual([]);
  });

  it('do not carry the trigger time, nor what kubectl apply keeps', () => {
    const annotations = { [ANNOTATION.triggerTime]: 'x', [ANNOTATION.lastApplied]: '{}', note: 'b' };
    const [slice] = planMirror(endpoints([one], { annotations, labels: { team: 'a' } }), [], 1000).toCreate;
    expect(slice?.meta.annotations).toEqual({ note: 'b' });
    expect(slice?.meta.labels).toEqual({
      team: 'a',
      [LABEL.serviceName]: 'ext',
      [LABEL.sliceManagedBy]: 'endpointslicemirroring-controller.k8s.io',
    });
  });

  it('are one for each address family and set of ports', () => {
    const given = endpoints([
      subset([bare('192.0.2.1'), bare('2001:DB8::5')], [], [sql]),
      subset([bare('192.0.2.9')], [], [admin]),
    ]);
    expect([...planned(given, []).create].sort()).toEqual([
      'new IPv4 admin: 192.0.2.9',
      'new IPv4 sql: 192.0.2.1',
      'new IPv6 sql: 2001:db8::5',
    ]);
  });

  it('go when nothing of their family or ports is left', () => {
    const before = endpoints([subset([bare('192.0.2.1'), bare('2001:db8::5')], [], [sql])]);
    const existing = storedAs(before, 'ext-1', 'ext-2');
    expect(planned(endpoints([subset([bare('192.0.2.1')], [], [sql])]), existing)).toEqual({
      ...NOTHING,
      delete: ['ext-2 IPv6 sql: 2001:db8::5'],
    });
    expect(planned(endpoints([]), existing).delete).toHaveLength(2);
  });

  it('keep their names when the ports change', () => {
    const before = endpoints([subset([bare('192.0.2.1')], [], [sql])]);
    const after = endpoints([subset([bare('192.0.2.1')], [], [admin])]);
    expect(planned(after, storedAs(before, 'ext-1'))).toEqual({
      ...NOTHING,
      update: ['ext-1 IPv4 admin: 192.0.2.1'],
    });
  });

  it('lose the wrong create when two families come and one goes, as upstream', () => {
    const before = endpoints([subset([bare('2001:db8::5')], [], [admin])]);
    const after = endpoints([subset([bare('192.0.2.1'), bare('2001:db8::5')], [], [sql])]);
    expect(planned(after, storedAs(before, 'ext-6'))).toEqual({
      ...NOTHING,
      create: ['ext-6 IPv6 sql: 2001:db8::5'],
      update: ['ext-6 IPv6 sql: 2001:db8::5'],
    });
  });

  it('are one slice only: further ones of the same ports go', () => {
    const given = endpoints([one]);
    const existing = [...storedAs(given, 'ext-1'), ...storedAs(given, 'ext-2')];
    expect(planned(given, existing).delete).toEqual(['ext-2 IPv4 sql: 192.0.2.1, 192.0.2.2 not ready']);
  });

  it('hold so many addresses of a subset, ready ones first', () => {
    const given = endpoints([subset([bare('192.0.2.5')], [bare('192.0.2.1'), bare('192.0.2.2')], [sql])]);
    expect(planned(given, [], 2)).toEqual({
      ...NOTHING,
      create: ['new IPv4 sql: 192.0.2.5, 192.0.2.1 not ready'],
      skipped: 1,
    });
  });
});
