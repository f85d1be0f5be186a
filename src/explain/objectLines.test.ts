import { describe, expect, it } from 'vitest';
import { objectLines } from './objectLines.ts';

const MARK = { same: ' ', changed: '~', added: '+', removed: '-' } as const;
const show = (now: unknown, before: unknown): string =>
  objectLines(JSON.stringify(now), before === undefined ? null : JSON.stringify(before))
    .map(({ mark, indent, dash, key, value, was }) => {
      const head = `${MARK[mark]} ${'  '.repeat(dash ? indent - 1 : indent)}${dash ? '- ' : ''}${key}${key === '' ? '' : ':'}`;
      return `${head}${value === null ? '' : `${key === '' ? '' : ' '}${value}`}${was === null ? '' : ` (${was})`}`;
    })
    .join('\n');

describe('objectLines', () => {
  it.each<[name: string, now: unknown, before: unknown, expected: string]>([
    ['the first version marks nothing', { a: 1, b: { c: 'x' } }, undefined, '  a: 1\n  b:\n    c: x'],
    ['a changed value shows what it was', { a: 'False' }, { a: 'True' }, '~ a: "False" ("True")'],
    ['a new field is added', { a: 1, ip: 'x' }, { a: 1 }, '  a: 1\n+ ip: x'],
    ['a vanished field stands where it stood', { b: 2 }, { a: 1, b: 2 }, '- a: 1\n  b: 2'],
    ['a vanished last field is shown too', { a: 1 }, { a: 1, b: 2 }, '  a: 1\n- b: 2'],
    [
      'items of a list are matched by their type',
      { c: [{ type: 'B' }, { type: 'A', s: 2 }] },
      { c: [{ type: 'A', s: 1 }] },
      '  c:\n+ - type: B\n  - type: A\n~   s: 2 (1)',
    ],
    ['plain items of a list have a dash and no key', { l: ['a', 'b'] }, { l: ['a'] }, '  l:\n  - a\n+ - b'],
    ['empty maps and lists stay on their line', { a: {}, b: [] }, undefined, '  a: {}\n  b: []'],
  ])('%s', (_name, now, before, expected) => {
    expect(show(now, before)).toBe(expected);
  });
});
