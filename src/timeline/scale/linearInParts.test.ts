import { describe, expect, it } from 'vitest';
import { linearInParts } from './linearInParts.ts';

describe('a scale that is linear in parts', () => {
  const x = linearInParts([0, 10, 20], [0, 100, 500]);

  it.each<[name: string, value: number, place: number]>([
    ['has each value of its domain at its place', 10, 100],
    ['is linear in the first part', 5, 50],
    ['and in the second, in its own way', 15, 300],
    ['goes on before the first as in it', -1, -10],
    ['goes on behind the last as in it', 21, 540],
  ])('%s, and back', (_name, value, place) => {
    expect(x(value)).toBe(place);
    expect(x.invert(place)).toBe(value);
  });

  it('shows a part without length in its middle', () => {
    expect(linearInParts([5, 5], [0, 100])(5)).toBe(50);
  });

  it('gives its ends as lists that one may change', () => {
    x.domain().pop();
    x.range().pop();
    expect([x.domain(), x.range()]).toEqual([
      [0, 10, 20],
      [0, 100, 500],
    ]);
  });
});
