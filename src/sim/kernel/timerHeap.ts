import { GROWTH } from '../../base/growing.ts';
import type { Micros } from '../../base/units.ts';

const FIRST_CAPACITY = 256;
/** Children of a place: four lie side by side in memory, so that fewer levels cost less than two each. */
const ARITY = 4;

/** Room for so many insertions below each phase. */
const INSERTIONS = 2 ** 44;

/**
 * What waits for later instants, in the total order time, phase, insertion: no two are equal. A heap whose keys stand in
 * columns, so that finding a place reads numbers that lie together and no objects.
 */
export class TimerHeap<T> {
  private ats = new Float64Array(FIRST_CAPACITY);
  /** Phase and insertion number as one number. */
  private ranks = new Float64Array(FIRST_CAPACITY);
  private readonly items: T[] = [];
  private insertions = 0;

  /** The first item; undefined when there is none. */
  get first(): T | undefined {
    return this.items[0];
  }

  /** Instant of the first item; Infinity when there is none. */
  get firstAt(): number {
    return this.items.length === 0 ? Number.POSITIVE_INFINITY : (this.ats[0] as number);
  }

  push(at: Micros, phase: number, item: T): void {
    const { items } = this;
    if (items.length === this.ats.length) this.grow();
    const { ats, ranks } = this;
    const rank = phase * INSERTIONS + this.insertions++;
    let place = items.length;
    items.push(item);
    while (place > 0) {
      const parent = Math.floor((place - 1) / ARITY);
      const parentAt = ats[parent] as number;
      if (parentAt < at || (parentAt === at && (ranks[parent] as number) < rank)) break;
      this.move(parent, place);
      place = parent;
    }
    ats[place] = at;
    ranks[place] = rank;
    items[place] = item;
  }

  /** Takes the first item away; there must be one. */
  pop(): void {
    const { ats, ranks, items } = this;
    const item = items.pop() as T;
    const size = items.length;
    if (size === 0) return;
    const at = ats[size] as number;
    const rank = ranks[size] as number;
    let place = 0;
    for (let child = this.leastChild(0, size); child < size; child = this.leastChild(child, size)) {
      const childAt = ats[child] as number;
      if (at < childAt || (at === childAt && rank < (ranks[child] as number))) break;
      this.move(child, place);
      place = child;
    }
    ats[place] = at;
    ranks[place] = rank;
    items[place] = item;
  }

  /** The first of the children of a place; `size` or more when it has none. */
  private leastChild(place: number, size: number): number {
    const { ats, ranks } = this;
    let least = place * ARITY + 1;
    const end = Math.min(least + ARITY, size);
    for (let child = least + 1; child < end; child++) {
      const difference = (ats[child] as number) - (ats[least] as number);
      if (difference < 0 || (difference === 0 && (ranks[child] as number) < (ranks[least] as number))) least = child;
    }
    return least;
  }

  private move(from: number, to: number): void {
    this.ats[to] = this.ats[from] as number;
    this.ranks[to] = this.ranks[from] as number;
    this.items[to] = this.items[from] as T;
  }

  private grow(): void {
    const { ats, ranks } = this;
    const capacity = Math.ceil(ats.length * GROWTH);
    this.ats = new Float64Array(capacity);
    this.ranks = new Float64Array(capacity);
    this.ats.set(ats);
    this.ranks.set(ranks);
  }
}
