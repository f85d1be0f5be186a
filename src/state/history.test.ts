import { describe, expect, it } from 'vitest';
import { edit, type History, redo, settle, startHistory, undo } from './history.ts';

const typed = (...steps: readonly (readonly [value: string, key: string | null])[]): History<string> =>
  steps.reduce((history, [value, key]) => edit(history, value, key), startHistory('a'));

describe('history', () => {
  it.each<[name: string, got: History<string>, past: string, present: string, future: string]>([
    ['an edit can be undone', undo(typed(['b', null])), '', 'a', 'b'],
    ['an undone edit can be redone', redo(undo(typed(['b', null]))), 'a', 'b', ''],
    ['edits of one drag are one step', undo(typed(['b', 'x'], ['c', 'x'], ['d', 'x'])), '', 'a', 'd'],
    ['another field is another step', undo(typed(['b', 'x'], ['c', 'y'])), 'a', 'b', 'c'],
    ['a new drag of the same field is another step', undo(edit(settle(typed(['b', 'x'])), 'c', 'x')), 'a', 'b', 'c'],
    ['an edit after an undo drops what was undone', edit(undo(typed(['b', null])), 'c', null), 'a', 'c', ''],
    ['undo at the start changes nothing', undo(startHistory('a')), '', 'a', ''],
    ['redo at the end changes nothing', redo(typed(['b', null])), 'a', 'b', ''],
  ])('%s', (_name, { past, present, future }, expectedPast, expectedPresent, expectedFuture) => {
    expect([past.join(''), present, future.join('')]).toEqual([expectedPast, expectedPresent, expectedFuture]);
  });
});
