import { expect, it } from 'vitest';
import { stableUid } from '../../sim/api/stableNames.ts';
import type { Workload } from '../manifest/workload.ts';
import { displayName, identityOf } from './names.ts';

const workload = (kind: Workload['kind'], generateName: string | null = null): Workload => ({
  kind,
  namespace: 'shop',
  name: 'web',
  generateName,
  path: 'shop/web',
  line: 1,
  slot: 0,
  labels: {},
  selector: {},
  plan: null,
  tolerations: [],
  hostname: '',
  subdomain: '',
  restartPolicy: 'Always',
  nodeName: null,
  readinessGates: [],
  containers: [],
  initContainers: [],
});

it.each<[kind: Workload['kind'], identity: string, name: RegExp]>([
  ['Pod', 'shop/web', /^web$/],
  ['Deployment', 'shop/web#1/3', /^web-[b-z2-9]{10}-[b-z2-9]{5}$/],
  ['ReplicaSet', 'shop/web#1/3', /^web-[b-z2-9]{5}$/],
  ['DaemonSet', 'shop/web#1/3', /^web-[b-z2-9]{5}$/],
  ['StatefulSet', 'shop/web#1/3', /^web-3$/],
])('a %s has the identity %s and a name as the server makes it', (kind, identity, name) => {
  expect(identityOf(workload(kind), 3)).toBe(identity);
  expect(displayName(workload(kind), 3)).toMatch(name);
});

it('a Pod that leaves its name to the server has a suffix, which is no part of its identity', () => {
  expect(displayName(workload('Pod', 'web-'), 0)).toMatch(/^web-[b-z2-9]{5}$/);
  expect(identityOf(workload('Pod', 'web-'), 0)).toBe('shop/web');
});

it('names are the same each time and differ between Pods', () => {
  const names = [0, 1, 2, 0].map((ordinal) => displayName(workload('Deployment'), ordinal));
  expect(names[3]).toBe(names[0]);
  expect(new Set(names).size).toBe(3);
  expect(names.map((name) => name.slice(0, -5))).toEqual(names.map(() => names[0]?.slice(0, -5)));
});

it('a UID is a version 4 UUID', () => {
  expect(stableUid('shop/web')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});
