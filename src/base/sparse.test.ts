import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SparseColumn } from './sparse.ts';

describe('SparseColumn', () => {
  it('holds what was set last, and 0 elsewhere; the same when it is made again from its arrays', () => {
    const writes = fc.array(fc.tuple(fc.nat(20), fc.constantFrom(0, 1, 2 ** 40)));
    fc.assert(
      fc.property(writes, (sets) => {
        const column = new SparseColumn();
        const plain = new Array<number>(21).fill(0);
        for (const [index, value] of sets) {
          column.set(index, value);
          plain[index] = value;
        }
        const copy = new SparseColumn(column.toArray());
        expect(plain.map((_, i) => column.at(i))).toEqual(plain);
        expect(plain.map((_, i) => copy.at(i))).toEqual(plain);
      }),
    );
  });

  it('keeps only what is not 0, in order of the indexes', () => {
    const column = new SparseColumn();
    for (const [index, value] of [
      [7, 1],
      [3, 2],
      [5, 3],
      [5, 0],
    ] as const)
      column.set(index, value);
    const { index, value } = column.toArray();
    expect([[...index], [...value]]).toEqual([
      [3, 7],
      [2, 1],
    ]);
  });
});
