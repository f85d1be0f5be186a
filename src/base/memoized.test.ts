import { describe, expect, it } from 'vitest';
import { memoized, memoizedWeakly } from './memoized.ts';

describe.each([
  ['memoized', memoized],
  ['memoizedWeakly', memoizedWeakly],
])('%s', (_name, remember) => {
  it('makes each value once, also one that is nothing', () => {
    const asked: object[] = [];
    const [one, other] = [{}, {}];
    const get = remember((key: object) => {
      asked.push(key);
      return key === one ? 7 : undefined;
    });
    expect([get(one), get(other), get(one), get(other)]).toEqual([7, undefined, 7, undefined]);
    expect(asked).toEqual([one, other]);
  });
});
