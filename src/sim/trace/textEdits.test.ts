import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editsBetween, joined, type ObjectText } from './textEdits.ts';

describe('editsBetween', () => {
  const items = (...names: readonly string[]): ObjectText => ['[', ...names.map((name) => `,${name}`), ']'];
  it.each<[name: string, before: ObjectText, after: ObjectText, edits: readonly [number, number, string][]]>([
    ['equal texts need no edit', items('a', 'b'), items('a', 'b'), []],
    ['a changed piece is one edit, of its letters that differ', items('abc', 'b'), items('axc', 'b'), [[3, 1, 'x']]],
    [
      'a piece that moves is taken out and put in',
      items('a', 'b', 'c', 'd'),
      items('a', 'c', 'd', 'b'),
      [
        [3, 2, ''],
        [9, 0, ',b'],
      ],
    ],
    [
      'pieces that differ far from each other are two edits',
      items('a', 'b', 'c'),
      items('x', 'b', 'y'),
      [
        [2, 1, 'x'],
        [6, 1, 'y'],
      ],
    ],
    ['a whole text is edited by what its ends have in common', '{"a":1,"b":2}', '{"a":12,"b":2}', [[6, 0, '2']]],
    ['an edit takes all of a surrogate pair whose other half is the same', '"😀"', '"😁"', [[1, 2, '😁']]],
    ['also where the second half is', '"😀"', '"🨀"', [[1, 2, '🨀']]],
    ['from nothing it is all of the text', '', items('a'), [[0, 0, '[,a]']]],
  ])('%s', (_name, before, after, edits) => {
    expect(editsBetween(before, after).map(({ at, removed, text }) => [at, removed, text])).toEqual(edits);
  });

  it('edits make the one text of the other, in order and without overlap', () => {
    const text = fc.oneof(fc.string(), fc.array(fc.constantFrom('', 'a', 'b', 'ab', ',c', ',dd'), { maxLength: 60 }));
    fc.assert(
      fc.property(text, text, (before, after) => {
        let made = '';
        let kept = 0;
        for (const { at, removed, text } of editsBetween(before, after)) {
          expect(at).toBeGreaterThanOrEqual(kept);
          made += joined(before).slice(kept, at) + text;
          kept = at + removed;
        }
        expect(made + joined(before).slice(kept)).toBe(joined(after));
      }),
    );
  });
});
