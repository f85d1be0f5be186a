import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Chains } from './chains.ts';

const KEYS = 8;

it('lists of every key the numbers that have it, in order, and the keys as they come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(KEYS - 1)), (keys) => {
      const chains = new Chains(Uint32Array.from(keys), KEYS);
      for (let key = 0; key < KEYS; key++)
        expect([...chains.of(key)]).toEqual(keys.flatMap((own, number) => (own === key ? [number] : [])));
      expect(chains.keys).toEqual([...new Set(keys)]);
    }),
  );
});

it('gives the same list for each call', () => {
  const chains = new Chains(Uint32Array.from([1, 0, 1]), 2);
  expect(chains.of(1)).toBe(chains.of(1));
});
