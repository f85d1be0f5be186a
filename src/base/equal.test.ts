import { expect, it } from 'vitest';
import { sameData } from './equal.ts';

it.each<[string, unknown, unknown, boolean]>([
  ['the order of keys does not matter', { a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, true],
  ['the order of a list does', [1, 2], [2, 1], false],
  ['a longer list is another', [1], [1, 2], false],
  ['a key too many is a difference', { a: 1 }, { a: 1, b: 2 }, false],
  ['a key of another name is a difference, even without a value', { a: undefined }, { b: undefined }, false],
  ['null is no object', null, {}, false],
  ['a list is no object', [], {}, false],
  ['an object is no list', {}, [], false],
  ['a text is not the number that it shows', '1', 1, false],
])('%s', (_name, a, b, same) => {
  expect(sameData(a, b)).toBe(same);
});
