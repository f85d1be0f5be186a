/** Typed arrays that grow by half, for columns whose length is not known beforehand. */

/** Four kinds at most: with a fifth, V8 gives up on the stores and loads below, and each takes five times as long. */
type Typed = Float64Array | Uint32Array | Int32Array;
/** Twice would leave a third of the memory of large runs unused on average. */
export const GROWTH = 1.5;

type Maker<T extends Typed> = new (length: number) => T;

/** A column of numbers. `length` is the number of values pushed; `at` and `set` do not check bounds. */
export class GrowingColumn<T extends Typed> {
  private readonly make: Maker<T>;
  private values: T;
  length = 0;

  constructor(make: Maker<T>, capacity = 64) {
    this.make = make;
    this.values = new make(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.grow();
    this.values[this.length++] = value;
  }

  at(index: number): number {
    return this.values[index] as number;
  }

  set(index: number, value: number): void {
    this.values[index] = value;
  }

  /** A view of exactly the pushed values: nothing is pushed after it. A copy of all columns would take as much memory again. */
  toArray(): T {
    return this.values.subarray(0, this.length) as T;
  }

  private grow(): void {
    const grown = new this.make(Math.ceil(this.values.length * GROWTH));
    grown.set(this.values);
    this.values = grown;
  }
}
