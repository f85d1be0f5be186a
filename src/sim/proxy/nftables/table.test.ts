import { expect, it } from 'vitest';
import { micros } from '../../../base/units.ts';
import type { PortRules } from './portRules.ts';
import { type Content, NftTable } from './table.ts';

const rules = (elements: PortRules['elements'], chains: readonly string[] = []): Content => ({
  ports: [{ chains, affinitySets: [], elements, operations: 0 }],
  hairpins: [],
});
const NOTHING: Content = { ports: [], hairpins: [] };
const change = (table: NftTable, at: number, services: Record<string, Content>): number => {
  const { operations, commit } = table.change(new Map(Object.entries(services)));
  commit(micros(at));
  return operations;
};

const HAIRPIN: Content = { ...rules([]), hairpins: ['hairpin-connections 10.0.0.1:80 . tcp'] };

it('an element that two Services need is added once, and goes with the second', () => {
  const table = new NftTable();
  expect(change(table, 0, { a: HAIRPIN })).toBe(1);
  expect(change(table, 1, { b: HAIRPIN })).toBe(0);
  expect(change(table, 2, { a: NOTHING })).toBe(0);
  expect(change(table, 3, { b: NOTHING })).toBe(1);
});

it('an element that leads elsewhere is deleted and added', () => {
  const table = new NftTable();
  change(table, 0, { a: rules([['no-endpoint-services 10.96.0.10 . tcp . 80', 'goto reject-chain']]) });
  expect(change(table, 1, { a: rules([['no-endpoint-services 10.96.0.10 . tcp . 80', 'drop']]) })).toBe(2);
});

it('a cluster IP that passes from one Service to another in one sync stays as it is', () => {
  const table = new NftTable();
  change(table, 0, { a: rules([['cluster-ips 10.96.0.10', '']]) });
  expect(change(table, 1, { a: NOTHING, b: rules([['cluster-ips 10.96.0.10', '']]) })).toBe(0);
});

it('a transaction that is not committed leaves the table as it is', () => {
  const table = new NftTable();
  table.change(new Map([['a', HAIRPIN]]));
  expect(change(table, 1, { a: HAIRPIN })).toBe(1);
});

it('stale chains that the proxy lost sight of after a failure are emptied again before they are deleted', () => {
  const table = new NftTable();
  change(table, 0, { a: rules([], ['service-a']) });
  expect(change(table, 10, { a: NOTHING })).toBe(1);
  table.forgetStale();
  expect(table.takeStale(micros(1000))).toEqual([]);
  expect(change(table, 20, {})).toBe(1);
  expect(table.takeStale(micros(20))).toEqual([]);
  expect(table.takeStale(micros(21))).toEqual(['service-a']);
});
