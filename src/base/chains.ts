/** Numbers that share a key, found without sorting any. */

/**
 * The numbers 0 … n - 1 by a key of each. One look at every key chains each number to the one before it with the same key;
 * those of one key are listed when they are first asked for.
 *
 *     keys      4  7  4  4  7          previous  -  -  0  2  1          of(4)  0, 2, 3
 */
export class Chains {
  private readonly previous: Int32Array;
  private readonly last: Int32Array;
  /** All keys that some number has, in the order in which they come. */
  readonly keys: readonly number[];
  private readonly lists = new Map<number, Uint32Array>();

  /** `keys`: whole numbers below `size`. Of one type of array: with two, V8 takes three times as long. */
  constructor(keys: Uint32Array, size: number) {
    this.previous = new Int32Array(keys.length);
    this.last = new Int32Array(size).fill(-1);
    const { previous, last } = this;
    const found: number[] = [];
    for (let number = 0; number < keys.length; number++) {
      const key = keys[number] as number;
      const before = last[key] as number;
      if (before < 0) found.push(key);
      previous[number] = before;
      last[key] = number;
    }
    this.keys = found;
  }

  /** All numbers with that key, in ascending order. The same array for each call. */
  of(key: number): Uint32Array {
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    const { previous, last } = this;
    let length = 0;
    for (let number = last[key] ?? -1; number >= 0; number = previous[number] as number) length++;
    const list = new Uint32Array(length);
    for (let number = last[key] ?? -1; number >= 0; number = previous[number] as number) list[--length] = number;
    this.lists.set(key, list);
    return list;
  }
}
