/** Numbers by index where nearly all are 0. */

/** The values that are not 0, in order of their indexes. */
export interface SparseArray {
  readonly index: Uint32Array;
  readonly value: Float64Array;
}

/** A column of numbers that are 0 unless they were set. */
export class SparseColumn {
  private readonly values: Map<number, number>;

  constructor({ index, value }: SparseArray = { index: new Uint32Array(), value: new Float64Array() }) {
    this.values = new Map(Array.from(index, (at, i) => [at, value[i] as number]));
  }

  at(index: number): number {
    return this.values.get(index) ?? 0;
  }

  set(index: number, value: number): void {
    if (value === 0) this.values.delete(index);
    else this.values.set(index, value);
  }

  toArray(): SparseArray {
    const set = [...this.values].sort(([a], [b]) => a - b);
    return {
      index: Uint32Array.from(set, ([index]) => index),
      value: Float64Array.from(set, ([, value]) => value),
    };
  }
}
