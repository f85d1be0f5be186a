import * as fc from 'fast-check';
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

/** Operations of a transaction, worked out from the whole table before and after it. */
function wholeDifference(before: ReadonlyMap<string, Content>, after: ReadonlyMap<string, Content>): number {
  const elementsOf = (services: ReadonlyMap<string, Content>): ReadonlyMap<string, string> =>
    new Map(
      [...services.values()].flatMap(({ ports, hairpins }) => [
        ...ports.flatMap(({ elements }) => elements),
        ...hairpins.map((key) => [key, ''] as const),
      ]),
    );
  const [old, now] = [elementsOf(before), elementsOf(after)];
  const gone = [...old.keys()].filter((key) => !now.has(key)).length;
  const changed = [...now].map(([key, value]) => (old.has(key) ? (old.get(key) === value ? 0 : 2) : 1));
  return changed.reduce((sum: number, one) => sum + one, gone);
}
const chainsOf = (services: ReadonlyMap<string, Content>): ReadonlySet<string> =>
  new Set([...services.values()].flatMap(({ ports }) => ports.flatMap(({ chains }) => chains)));

/** A Service has its own chain, an element that leads somewhere, and hairpins that others may have too. */
const content = (service: string): fc.Arbitrary<Content> =>
  fc.oneof(
    fc.constant(NOTHING),
    fc
      .record({
        verdict: fc.constantFrom('drop', 'goto reject-chain', ''),
        chains: fc.subarray(['service', 'local', 'external']),
        hairpins: fc.subarray(['10.0.0.1:80 . tcp', '10.0.0.2:80 . tcp', '10.0.0.3:80 . tcp']),
      })
      .map(({ verdict, chains, hairpins }) => ({
        ...rules(
          [[`service-ips ${service}`, verdict]],
          chains.map((kind) => `${kind}-${service}`),
        ),
        hairpins,
      })),
  );
const step = fc.record({
  wanted: fc.record({ a: content('a'), b: content('b'), c: content('c') }, { requiredKeys: [] }),
  isApplied: fc.boolean(),
});

it('what changes of some Services costs is what the whole table differs by, and each stale chain', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const table = new NftTable();
      let services = new Map<string, Content>();
      const inKernel = new Set<string>();
      for (const [at, { wanted, isApplied }] of steps.entries()) {
        const after = new Map([...services, ...(Object.entries(wanted) as [string, Content][])]);
        const active = chainsOf(after);
        const stale = [...inKernel].filter((chain) => !active.has(chain)).length;
        const { operations, commit } = table.change(new Map(Object.entries(wanted) as [string, Content][]));
        expect(operations).toBe(wholeDifference(services, after) + stale);
        if (isApplied) {
          commit(micros(at));
          services = after;
          for (const chain of active) inKernel.add(chain);
        } else table.forgetStale();
      }
    }),
    { numRuns: 100 },
  );
});
